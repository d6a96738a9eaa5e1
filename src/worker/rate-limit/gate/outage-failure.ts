import { ServiceDownError } from "../../answers/service-errors.ts";
import type { DownTime } from "../breaker/down-time.ts";
import type { ResponseTracker } from "./response-tracker.ts";

/** The settings of `GateDeps` that bound an outage. */
export interface OutagePatience {
  readonly patienceMs: number;
  readonly keyIsFixed: boolean;
}

/**
 * @returns the error for all waiting requests when the service is down for too long; undefined while waiting may go on.
 */
export function outageFailure(
  {
    breaker,
    answers,
    lastFailure,
  }: Pick<ResponseTracker, "answers" | "lastFailure"> & { readonly breaker: Pick<ResponseTracker["breaker"], "open"> },
  downTime: Pick<DownTime, "lastsMs">,
  now: number,
  { patienceMs, keyIsFixed }: OutagePatience,
): ServiceDownError | undefined {
  const { open } = breaker;
  if (open === undefined) return undefined;
  const isRefused = open.cause === "unauthorized";
  if (isRefused && keyIsFixed && answers === 0) return new ServiceDownError("the API key is refused");
  if (downTime.lastsMs(open.since, now) < patienceMs) return undefined;
  const seconds = `${Math.round(patienceMs / 1000)} s`;
  if (isRefused) return new ServiceDownError(`the API key was refused for ${seconds}`);
  const last = lastFailure === undefined ? "" : `; last: ${lastFailure}`;
  return new ServiceDownError(`no request to the service succeeded for ${seconds}${last}`);
}
