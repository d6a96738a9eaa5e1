import { unixMs } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { parseEvent } from "../../messages/parse-event.ts";
import { type FailureCode, failureCodes } from "../../messages/verdict.ts";
import type { Letter } from "../../worker/consumer/records/replay-ticket.ts";

/** What is to be replayed, as the command line says it. */
export interface DeadLetterFlags {
  readonly reason?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly tenant?: string;
}

export interface DeadLetterFilter {
  /** Whether it takes every letter. */
  readonly isOpen: boolean;
  takes(letter: Letter): boolean;
  /** Whether a retry cannot help: no reason of the dead letter is temporary, and the flags name none of its reasons. */
  isHopeless(letter: Letter): boolean;
}

/**
 * @param now Unix milliseconds, from which relative times count.
 * @throws {ConfigInvalidError} for a reason that no dead letter can have, or an invalid time.
 */
export function deadLetterFilter(
  { reason = [], since, until, tenant }: DeadLetterFlags,
  now: number,
): DeadLetterFilter {
  const reasons = new Set<string>(reason.map(knownReason));
  const from = since === undefined ? undefined : timeOf("--since", since, now);
  const to = until === undefined ? undefined : timeOf("--until", until, now);
  if (from !== undefined && to !== undefined && from >= to) {
    throw new ConfigInvalidError("--since is not before --until: no letter lies between them");
  }
  const isHopeless = (letter: Letter) =>
    letter.reasons.length > 0 && letter.reasons.every((code) => hopeless.has(code) && !reasons.has(code));
  return {
    isHopeless,
    isOpen: reasons.size === 0 && from === undefined && to === undefined && tenant === undefined,
    takes: (letter) =>
      !isHopeless(letter) &&
      (reasons.size === 0 || letter.reasons.some((code) => reasons.has(code))) &&
      (from === undefined || letter.failedAt >= from) &&
      (to === undefined || letter.failedAt < to) &&
      (tenant === undefined || tenantOf(letter) === tenant),
  };
}

/** Faults of the record itself: a retry gives the same result, except with a later version. */
const hopeless: ReadonlySet<string> = new Set<FailureCode>([
  "EVENT_MALFORMED",
  "ADDRESS_INVALID",
  "USER_ADDRESS_INVALID",
  "TOKEN_ADDRESS_INVALID",
]);

function knownReason(text: string): FailureCode {
  const name = text.trim();
  const code = failureCodes.find((each) => each === name);
  if (code !== undefined) return code;
  throw new ConfigInvalidError(`--reason ${name}: no such reason; there are ${failureCodes.join(", ")}`);
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
/** Source: RFC 3339, section 5.6. A date by itself means its beginning in UTC. */
const TIME = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d))?$/;

/** Unix milliseconds. */
function timeOf(flag: string, text: string, now: number): number {
  const [, count = "", unit = ""] = /^(\d{1,9}) ?(s|min|h|d)( ago)?$/.exec(text.trim()) ?? [];
  const ago = unitsMs[unit];
  if (ago !== undefined) return now - Number(count) * ago;
  const time = TIME.test(text.trim()) ? unixMs(text.trim()) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new ConfigInvalidError(
    `${flag} ${text}: must be a time such as 2026-01-31T08:00:00Z or 2026-01-31, or how long ago: 30min, 2h, 7d`,
  );
}

/** A dead letter that is no event has no tenant. */
function tenantOf({ bytes }: Letter): string {
  const event = parseEvent(bytes);
  return event.ok ? (event.value.tenant ?? "") : "";
}
