import type { IncomingHttpHeaders } from "node:http";
import { failures } from "../../../api/failures.ts";
import { type ResponseOf, type Route, type RouteName, routes } from "../../../api/routes.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { AppError } from "../../../kernel/errors.ts";
import {
  ChainUnsupportedError,
  mayRefuseForLoad,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableError,
} from "../../../worker/answers/service-errors.ts";
import type { JsonResponse } from "../client/json-server.ts";
import { reasonOf } from "../client/reason.ts";
import { type Attempt, connectionRemedy } from "../connection/connection-remedy.ts";
import { maySayTooMany, saysTooMany } from "../waits/load-words.ts";
import { isUsedUp } from "../waits/rate-limit-headers.ts";
import { requestedWaitMs } from "../waits/requested-wait.ts";
import { type FailureFields, failureFields, failureText, isFailure, quotable } from "./failure-text.ts";

/**
 * The answer in a response of the service, whichever client made the request.
 *
 * @param key of the request, which no error may repeat.
 * @param path of the request, where a dialect or the interface has it.
 * @throws {RateLimitedError | UnauthorizedError | RejectedError | ChainUnsupportedError | UnavailableError}, of which
 * UnreadableError is one, and an error of the socket.
 */
export async function answerOf<N extends RouteName>(
  name: N,
  { status, headers, json }: JsonResponse,
  clock: Pick<Clock, "now">,
  key: string,
  path?: string,
): Promise<ResponseOf<N>> {
  // The wait counts from the arrival of the headers, not of the body.
  const cameAt = clock.now();
  if (status !== 200) throw await refusalIn({ status, headers, json }, clock, key, path);
  const answer = await json();
  const { response, isPlain }: Route = routes[name];
  if (isPlain?.(answer) === true) return answer as ResponseOf<N>;
  const parsed = response.safeParse(answer);
  if (parsed.success) return parsed.data as ResponseOf<N>;
  const said = failureFields(answer);
  const message = `the service answered ${failureText(status, said, key)}`;
  const waitMs = requestedWaitMs(429, headers, cameAt);
  if (saysTooMany(said)) throw new RateLimitedError(message, waitMs, status);
  if (maySayTooMany(said))
    throw new UnavailableError(message, {
      status,
      mayBeLoad: true,
      ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    });
  if (isFailure(said)) throw new UnavailableError(message);
  const place = parsed.error.issues[0]?.path.map(String).join(".") || "its root";
  throw new UnreadableError(`the answer does not read as the interface says, at ${place}`);
}

/** The error for a response that is no success. @param key @param path as in `answerOf`. */
export async function refusalIn(
  { status, headers, json }: JsonResponse,
  clock: Pick<Clock, "now">,
  key: string,
  path?: string,
): Promise<AppError> {
  const waitMs = requestedWaitMs(status, headers, clock.now());
  const said = await saidIn(status, json);
  const redirect = redirectOf(status, headers, key);
  return failureOf({ status, said, redirect, waitMs, isUsedUp: isUsedUp(headers), path }, key);
}

/** The error for a missing or incomplete response. @param attempt the settings of the connection. */
export function noAnswer(thrown: unknown, attempt?: Attempt): UnavailableError {
  // Messages of sockets name hosts, never keys, and they tell the operator what to check.
  const reason = reasonOf(thrown);
  const context = { timeout: reason.startsWith("no answer within") };
  const remedy = connectionRemedy(thrown, attempt);
  const told = remedy === undefined ? reason : `${reason}: ${remedy}`;
  return new UnavailableError(`no answer from the service: ${told}`, context, { cause: thrown });
}

/** A response that is no success. */
interface Failed {
  readonly status: number;
  readonly said: FailureFields;
  /** The target of a redirect. */
  readonly redirect: string | undefined;
  /** The wait that the response requests, milliseconds. */
  readonly waitMs: number | undefined;
  /** Whether the headers of the response report an exhausted quota. */
  readonly isUsedUp: boolean;
  /** The path of the request, where it is known. */
  readonly path: string | undefined;
}

function failureOf({ status, said, redirect, waitMs, isUsedUp, path }: Failed, key: string): AppError {
  const message = `the service answered ${redirect === undefined ? textOf(status, said, key) : `${status}: ${redirect}`}`;
  if (status === 429 || (status >= 400 && saysTooMany(said))) return new RateLimitedError(message, waitMs, status);
  // A 403 for a refused key has no wait. Source: GitHub's REST API, "Rate limits": secondary limits answer 403.
  if (status === 403 && (isUsedUp || waitMs !== undefined)) return new RateLimitedError(message, waitMs, status);
  if (status === 401 || status === 403) return new UnauthorizedError(message);
  // The interface has no 404 for a client's request, so another server answers at this URL.
  if (status === 404)
    return new UnavailableError(`${message}: is SERVICE_URL its base${behindBase(path)}?`, { status });
  const isBusy = mayRefuseForLoad(status);
  const told = isBusy && waitMs !== undefined ? { retryAfterMs: waitMs } : {};
  // The interface has no redirect and no success other than 200. A status below 400 refuses nothing.
  if (status < 400 || status === 408 || isBusy || status >= 500)
    return new UnavailableError(message, { status, ...told });
  if (said.text?.startsWith("unsupported chainId: ") === true) return new ChainUnsupportedError(message);
  return new RejectedError(message, { status });
}

/** The path that may be wrong beside the base URL. Only the adapter knows the paths of an adapter's requests. */
function behindBase(path: string | undefined): string {
  if (path === undefined) return "";
  return path.startsWith("/v2/svc/") ? ", without /v2/svc" : `, and ${path} the path behind it`;
}

function textOf(status: number, said: FailureFields, key: string): string {
  // The interface sends this status for a wrong key as well, and the request had a key.
  const isAboutKey = (said.text ?? said.status) === failures.missingApiKey.status;
  return isAboutKey ? `${status}: it does not know the API key that was sent` : failureText(status, said, key);
}

/**
 * The target of a redirect, without the parts that must not go into verdicts: a path or a query may hold a session or a
 * key.
 */
function redirectOf(status: number, { location }: IncomingHttpHeaders, key: string): string | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined;
  const { protocol, host } = URL.parse(quotable(String(location), key)) ?? { protocol: "", host: "" };
  const where = host === "" ? "elsewhere" : `to ${`${protocol}//${host}`.slice(0, 200)}`;
  return `it redirects ${where}, which is not followed: set SERVICE_URL to its base there, if that is the service`;
}

/**
 * Statuses that concern all waiting requests at once. The reason in the body is not worth the requests that leave in
 * the meantime.
 */
const concernsAll: ReadonlySet<number> = new Set([401, 403, 420, 429, 503, 509, 529]);
/** Longest wait for the reason in the body, milliseconds. Chosen. */
const REASON_MS = 250;

/** The explanation in the body of a failure. */
async function saidIn(status: number, json: JsonResponse["json"]): Promise<FailureFields> {
  try {
    return failureFields(await json(concernsAll.has(status) ? { withinMs: REASON_MS } : {}));
  } catch {
    // A failure with an unreadable body is still the same failure.
    return {};
  }
}
