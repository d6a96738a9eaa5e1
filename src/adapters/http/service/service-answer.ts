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
 * The answer that a response of the service holds, whatever brought it here.
 *
 * @param key what the request carried, which no error may repeat.
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
  // Counted from when the answer came, not from when its body had.
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

/** What a response means that is no success. @param key @param path as in `answerOf`. */
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

/** What it means that a response did not come, or not whole. @param attempt how the connection was to be made. */
export function noAnswer(thrown: unknown, attempt?: Attempt): UnavailableError {
  // Messages of sockets name hosts, never keys; they tell the operator what to look at.
  const reason = reasonOf(thrown);
  const context = { timeout: reason.startsWith("no answer within") };
  const remedy = connectionRemedy(thrown, attempt);
  const told = remedy === undefined ? reason : `${reason}: ${remedy}`;
  return new UnavailableError(`no answer from the service: ${told}`, context, { cause: thrown });
}

/** An answer that is no success. */
interface Failed {
  readonly status: number;
  readonly said: FailureFields;
  /** Where it redirects to. */
  readonly redirect: string | undefined;
  /** How long it asks to wait, milliseconds. */
  readonly waitMs: number | undefined;
  /** Whether its headers say that nothing is left of the quota. */
  readonly isUsedUp: boolean;
  /** Of the request, where it is known. */
  readonly path: string | undefined;
}

function failureOf({ status, said, redirect, waitMs, isUsedUp, path }: Failed, key: string): AppError {
  const message = `the service answered ${redirect === undefined ? textOf(status, said, key) : `${status}: ${redirect}`}`;
  if (status === 429 || (status >= 400 && saysTooMany(said))) return new RateLimitedError(message, waitMs, status);
  // A refused key has no wait. Source: GitHub's REST API, "Rate limits": secondary limits answer 403.
  if (status === 403 && (isUsedUp || waitMs !== undefined)) return new RateLimitedError(message, waitMs, status);
  if (status === 401 || status === 403) return new UnauthorizedError(message);
  // The interface has no 404 for what a client asks: whatever stands there is not the service.
  if (status === 404)
    return new UnavailableError(`${message}: is SERVICE_URL its base${behindBase(path)}?`, { status });
  const isBusy = mayRefuseForLoad(status);
  const told = isBusy && waitMs !== undefined ? { retryAfterMs: waitMs } : {};
  // Nor has it a redirect, or a success other than 200; and below 400 nothing is refused.
  if (status < 400 || status === 408 || isBusy || status >= 500)
    return new UnavailableError(message, { status, ...told });
  if (said.text?.startsWith("unsupported chainId: ") === true) return new ChainUnsupportedError(message);
  return new RejectedError(message, { status });
}

/** What may be wrong beside the base. Of an adapter's requests only the adapter knows. */
function behindBase(path: string | undefined): string {
  if (path === undefined) return "";
  return path.startsWith("/v2/svc/") ? ", without /v2/svc" : `, and ${path} the path behind it`;
}

function textOf(status: number, said: FailureFields, key: string): string {
  // The interface says this of a wrong key as well, and one was sent.
  const isAboutKey = (said.text ?? said.status) === failures.missingApiKey.status;
  return isAboutKey ? `${status}: it does not know the API key that was sent` : failureText(status, said, key);
}

/** Where a redirect leads, as much of it as may go into verdicts: a path or a query may hold a session or a key. */
function redirectOf(status: number, { location }: IncomingHttpHeaders, key: string): string | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined;
  const { protocol, host } = URL.parse(quotable(String(location), key)) ?? { protocol: "", host: "" };
  const where = host === "" ? "elsewhere" : `to ${`${protocol}//${host}`.slice(0, 200)}`;
  return `it redirects ${where}, which is not followed: set SERVICE_URL to its base there, if that is the service`;
}

/** Whoever is about to ask must hear of these at once: their reason is not worth the requests that leave meanwhile. */
const concernsAll: ReadonlySet<number> = new Set([401, 403, 420, 429, 503, 509, 529]);
/** How long it is waited for. Chosen. */
const REASON_MS = 250;

/** What the failure says of itself. */
async function saidIn(status: number, json: JsonResponse["json"]): Promise<FailureFields> {
  try {
    return failureFields(await json(concernsAll.has(status) ? { withinMs: REASON_MS } : {}));
  } catch {
    // A failure without a readable body is still that failure.
    return {};
  }
}
