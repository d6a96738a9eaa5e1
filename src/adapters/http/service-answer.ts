import type { IncomingHttpHeaders } from "node:http";
import { FailureBody, failures } from "../../contract/failures.ts";
import { type ResponseOf, type Route, type RouteName, routes } from "../../contract/routes.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AppError } from "../../kernel/errors.ts";
import {
  ChainUnsupportedError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../worker/service-errors.ts";
import { askedWaitMs } from "./asked-wait.ts";
import type { JsonResponse } from "./json-server.ts";
import { reasonOf } from "./reason.ts";

/**
 * The answer that a response of the service holds, whatever brought it here.
 *
 * @param key what the request carried, which no error may repeat.
 * @throws {RateLimitedError | UnauthorizedError | RejectedError | ChainUnsupportedError | UnavailableError}, and what
 * reading the body throws.
 */
export async function answerOf<N extends RouteName>(
  name: N,
  { status, headers, json }: JsonResponse,
  clock: Pick<Clock, "now">,
  key: string,
): Promise<ResponseOf<N>> {
  if (status !== 200) {
    // Counted from when the answer came, not from when its body had.
    const waitMs = askedWaitMs(status, headers, clock.now());
    throw failureOf(status, redirectOf(status, headers, key) ?? (await detailOf(status, json, key)), waitMs);
  }
  const answer = await json();
  const { response, isPlain }: Route = routes[name];
  if (isPlain?.(answer) === true) return answer as ResponseOf<N>;
  const parsed = response.safeParse(answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UnavailableError(
      `the answer does not read as the interface says, at ${issue?.path.join(".") ?? "its root"}`,
    );
  }
  return parsed.data as ResponseOf<N>;
}

/** What it means that a response did not come, or not whole. */
export function noAnswer(thrown: unknown): UnavailableError {
  // Messages of sockets name hosts, never keys; they tell the operator what to look at.
  const reason = reasonOf(thrown);
  const context = { timeout: reason.startsWith("no answer within") };
  return new UnavailableError(`no answer from the service: ${reason}`, context, { cause: thrown });
}

function failureOf(status: number, detail: string, waitMs: number | undefined): AppError {
  const message = `the service answered ${status}: ${detail}`;
  if (status === 429) return new RateLimitedError(message, waitMs);
  if (status === 401 || status === 403) return new UnauthorizedError(message);
  // The interface has no 404 for what a client asks: whatever stands there is not the service.
  if (status === 404) return new UnavailableError(`${message}: is SERVICE_URL its base, without /v2/svc?`, { status });
  // Nor has it a redirect, or a success other than 200; and below 400 nothing is refused.
  if (status < 400 || status === 408 || status >= 500) return new UnavailableError(message, { status });
  if (detail.startsWith("unsupported chainId: ")) return new ChainUnsupportedError(message);
  return new RejectedError(message, { status });
}

/** Where a redirect leads, as much of it as may go into verdicts: a path or a query may hold a session or a key. */
function redirectOf(status: number, { location }: IncomingHttpHeaders, key: string): string | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined;
  const { protocol, host } = URL.parse(withoutKey(String(location), key)) ?? { protocol: "", host: "" };
  const where = host === "" ? "elsewhere" : `to ${`${protocol}//${host}`.slice(0, 200)}`;
  return `it redirects ${where}, which is not followed: set SERVICE_URL to its base there, if that is the service`;
}

/** Whoever is about to ask must hear of these at once: their reason is not worth the requests that leave meanwhile. */
const concernsAll: ReadonlySet<number> = new Set([401, 403, 429]);
/** How long it is waited for. Chosen. */
const REASON_MS = 250;

/** What the failure says of itself, at most 200 characters of it: it goes into verdicts. */
async function detailOf(status: number, json: JsonResponse["json"], key: string): Promise<string> {
  try {
    const parsed = FailureBody.safeParse(await json(concernsAll.has(status) ? { withinMs: REASON_MS } : {}));
    if (!parsed.success) return "no readable reason";
    const detail = parsed.data.detail ?? parsed.data.message ?? parsed.data.status;
    // The interface says this of a wrong key as well, and one was sent.
    if (detail === failures.missingApiKey.status) return "it does not know the API key that was sent";
    return withoutKey(detail, key).slice(0, 200);
  } catch {
    // A failure without a readable body is still that failure.
    return "no readable reason";
  }
}

/** Shorter ones occur in ordinary words, and no service gives them out. */
const MIN_KEY_LENGTH = 8;

/** A proxy that echoes the headers of a request it refuses must not bring the key into verdicts. */
function withoutKey(detail: string, key: string): string {
  return key.length >= MIN_KEY_LENGTH ? detail.replaceAll(key, "[key]") : detail;
}
