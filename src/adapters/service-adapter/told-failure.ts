import type { AppError } from "../../kernel/errors.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import {
  ChainUnsupportedError,
  ItemFailedError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../worker/service-errors.ts";
import { isObject } from "./adapter.ts";

/** What each failure of an adapter becomes. `unknown`: the service has no answer about what was asked. */
const failures = {
  unknown: (detail) => new ItemFailedError(detail),
  rejected: (detail) => new RejectedError(detail),
  chain_unsupported: (detail) => new ChainUnsupportedError(detail),
  unauthorized: (detail) => new UnauthorizedError(detail),
  rate_limited: (detail, retryAfterMs) => new RateLimitedError(detail, retryAfterMs),
  unavailable: (detail) => new UnavailableError(detail),
} as const satisfies Record<string, (detail: string, retryAfterMs: number | undefined) => AppError>;

const parts: ReadonlySet<string> = new Set(["failure", "detail", "retry_after_ms"]);

/** Whether an adapter's function says that something failed. */
export function isFailure(told: unknown): told is { readonly failure: unknown } {
  return isObject(told) && "failure" in told;
}

/**
 * The error that a failure stands for.
 *
 * @param shown makes a text of the service one for people.
 */
export function failureTold(
  told: { readonly failure: unknown },
  adapter: string,
  shown: (text: string) => string,
): Result<AppError> {
  const { failure, detail = "", retry_after_ms: waitMs } = told as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(told).find((name) => !parts.has(name));
  if (unknown !== undefined) return fail(`${unknown}: is unknown; known are ${[...parts].join(", ")}`);
  if (typeof failure !== "string" || !Object.hasOwn(failures, failure))
    return fail(`failure: must be one of ${Object.keys(failures).join(", ")}`);
  if (typeof detail !== "string") return fail("detail: must be a text");
  const isWait = waitMs === undefined || (typeof waitMs === "number" && waitMs >= 0 && Number.isFinite(waitMs));
  if (!isWait) return fail("retry_after_ms: must be a number of milliseconds");
  const text = `the adapter ${adapter} says ${failure}${detail === "" ? "" : `: ${shown(detail)}`}`;
  return ok(failures[failure as keyof typeof failures](text, waitMs));
}
