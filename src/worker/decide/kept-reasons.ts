import { severities } from "../../messages/decision.ts";
import type { Reason } from "../../messages/verdict.ts";

/** Bounds of the reasons in a verdict. */
export interface ReasonBounds {
  readonly count: number;
  /** Characters of one detail. */
  readonly detail: number;
  /** Characters of all details together. Beyond this limit each detail gets an equal share. */
  readonly details: number;
}

/** The most severe reasons within `bounds`. A detail that is too long is cut. */
export function keptReasons(reasons: readonly Reason[], bounds: ReasonBounds): readonly Reason[] {
  if (isLittle(reasons, bounds)) return reasons;
  const most = reasons.length <= bounds.count ? reasons : worstOf(reasons, bounds.count);
  const isMuch = most.reduce((sum, { detail }) => sum + Math.min(bounds.detail, detail.length), 0) > bounds.details;
  const room = isMuch ? bounds.details / bounds.count : bounds.detail;
  return most.map((reason) =>
    reason.detail.length <= room ? reason : { ...reason, detail: `${reason.detail.slice(0, room)}...` },
  );
}

/** A cheap check that nearly every event passes: the reasons fit even if each is as long as the longest. */
function isLittle(reasons: readonly Reason[], bounds: ReasonBounds): boolean {
  const room = Math.min(bounds.detail, bounds.details / reasons.length);
  for (const { detail } of reasons) if (detail.length > room) return false;
  return reasons.length <= bounds.count;
}

/** A verdict may be reduced several times: the last reason counts those that earlier times left out, too. */
function worstOf(reasons: readonly Reason[], count: number): readonly Reason[] {
  const order = ({ severity }: Reason) => severities.indexOf(severity);
  const own = reasons.filter((reason) => !isCount(reason));
  const most = own.toSorted((a, b) => order(b) - order(a)).slice(0, count - 1);
  const earlier = reasons.reduce((sum, reason) => sum + (isCount(reason) ? Number.parseInt(reason.detail, 10) : 0), 0);
  const detail = `${earlier + own.length - most.length} more reasons are not repeated here`;
  return [...most, { ...COUNT, severity: "INFO", detail }];
}

/** Its detail begins with the count. */
const COUNT = { check: "event", finding: "more_reasons" } as const;

function isCount({ check, finding }: Reason): boolean {
  return check === COUNT.check && finding === COUNT.finding;
}
