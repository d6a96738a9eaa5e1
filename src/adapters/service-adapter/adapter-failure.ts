import type { AppError } from "../../kernel/errors.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import {
  ChainUnsupportedError,
  ItemFailedError,
  RateLimitedError,
  RejectedError,
  UNSENT,
  UnauthorizedError,
  UnavailableError,
} from "../../worker/answers/service-errors.ts";
import { isObject } from "./adapter.ts";

/**
 * The errors for failures of an adapter that need no text of the service. `unknown`: the service has no answer to the
 * question.
 */
const refusals = {
  unknown: (detail, context) => new ItemFailedError(detail, context),
  rejected: (detail, context) => new RejectedError(detail, context),
  chain_unsupported: (detail, context) => new ChainUnsupportedError(detail, context),
} as const satisfies Record<string, (detail: string, context: AppError["context"]) => AppError>;

/** The errors for failures that a response reports. */
const failures = {
  unknown: (detail) => refusals.unknown(detail, {}),
  rejected: (detail) => refusals.rejected(detail, {}),
  chain_unsupported: (detail) => refusals.chain_unsupported(detail, {}),
  unauthorized: (detail) => new UnauthorizedError(detail),
  rate_limited: (detail, retryAfterMs) => new RateLimitedError(detail, retryAfterMs),
  unavailable: (detail) => new UnavailableError(detail),
} as const satisfies Record<string, (detail: string, retryAfterMs: number | undefined) => AppError>;

const parts: ReadonlySet<string> = new Set(["failure", "detail", "retry_after_ms"]);

/** Whether the result of an adapter's function is a failure. */
export function isFailure(told: unknown): told is { readonly failure: unknown } {
  return isObject(told) && "failure" in told;
}

/**
 * The error for a failure of `answer` or `refusal`.
 *
 * @param shown makes a text of the service readable for people.
 */
export function adapterFailure(told: Told, adapter: string, shown: Shown): Result<AppError> {
  const read = readFailure(told, failures, adapter, shown);
  return read.ok ? ok(failures[read.value.failure](read.value.text, read.value.waitMs)) : read;
}

/**
 * The error for a failure of an adapter's `request`. Nothing was sent, so failures that only the service reports are
 * not accepted.
 */
export function adapterRefusal(told: Told, adapter: string, shown: Shown): Result<AppError> {
  const read = readFailure(told, refusals, adapter, shown);
  return read.ok ? ok(refusals[read.value.failure](read.value.text, UNSENT)) : read;
}

type Told = { readonly failure: unknown };
type Shown = (text: string) => string;

interface ReadFailure<N> {
  readonly failure: N;
  readonly text: string;
  readonly waitMs: number | undefined;
}

/** @param known the accepted failures. */
function readFailure<N extends string>(
  told: Told,
  known: Readonly<Record<N, unknown>>,
  adapter: string,
  shown: Shown,
): Result<ReadFailure<N>> {
  const { failure, detail = "", retry_after_ms: waitMs } = told as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(told).find((name) => !parts.has(name));
  if (unknown !== undefined) return fail(`${unknown}: is unknown; known are ${[...parts].join(", ")}`);
  if (typeof failure !== "string" || !Object.hasOwn(known, failure))
    return fail(`failure: must be one of ${Object.keys(known).join(", ")}`);
  if (typeof detail !== "string") return fail("detail: must be a text");
  if (waitMs !== undefined && !isWait(waitMs)) return fail("retry_after_ms: must be a number of milliseconds");
  const text = `the adapter ${adapter} says ${failure}${detail === "" ? "" : `: ${shown(detail)}`}`;
  return ok({ failure: failure as N, text, waitMs });
}

function isWait(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && Number.isFinite(value);
}
