import PQueue from "p-queue";
import { FailureBody, failures } from "../../contract/failures.ts";
import {
  API_KEY_HEADER,
  type ResponseOf,
  type Route,
  type RouteName,
  routes,
  type SentTo,
} from "../../contract/routes.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Secret } from "../../kernel/secret.ts";
import type { SecurityService } from "../../worker/ports.ts";
import {
  ChainUnsupportedError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../worker/service-errors.ts";
import type { Lookup } from "./checked-lookup.ts";
import { type JsonResponse, JsonServer } from "./json-server.ts";
import { reasonOf } from "./reason.ts";
import { askedWaitMs } from "./retry-after.ts";

export interface ServiceClientOptions {
  /** What stands before /v2/svc/..., checked by `serviceUrl`. */
  readonly baseUrl: string;
  /** The key of each request, as it is sent. */
  readonly apiKey: () => Secret;
  readonly clock: Pick<Clock, "now" | "ticks">;
  /** Finds the addresses of the host; those that no service is asked at are taken out of what it finds. */
  readonly lookup: Lookup;
  /** Requests on the wire at once. */
  readonly concurrency: number;
  /** From the first byte sent to the last byte read, milliseconds. */
  readonly timeoutMs: number;
  /** Told of every request that ended, with its HTTP status, or 0 when there was none. */
  readonly onAnswer: (status: number, operation: RouteName, ms: number) => void;
  /** Told what an answer's Date header says, Unix milliseconds, if it has one. */
  readonly onDate?: (date: number) => void;
}

/** Calls the service from the contract's routes table, over kept-alive connections. Redirects are not followed. */
export class ServiceClient implements SecurityService {
  readonly #options: ServiceClientOptions;
  readonly #queue: PQueue;
  readonly #server: JsonServer;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency });
    const { concurrency: connections, lookup, timeoutMs } = options;
    this.#server = new JsonServer({ setting: "SERVICE_URL", connections, lookup, timeoutMs });
  }

  async ask<N extends RouteName>(name: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    return this.#queue.add(() => this.#send(name, request, signal));
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #send<N extends RouteName>(name: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    const { baseUrl, apiKey, clock, onAnswer, onDate } = this.#options;
    const route = routes[name];
    const isGet = route.method === "GET";
    const key = apiKey().reveal();
    const sent = {
      url: `${baseUrl}${route.path}${isGet ? `?${queryOf(request)}` : ""}`,
      headers: { [API_KEY_HEADER]: key },
      body: isGet ? undefined : JSON.stringify(request),
    };
    let status = 0;
    const sentAt = clock.ticks();
    try {
      return await this.#server.exchange(sent, signal, (response) => {
        status = response.status;
        const date = Date.parse(String(response.headers["date"]));
        if (!Number.isNaN(date)) onDate?.(date);
        return answerOf(name, response, clock, key);
      });
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      signal.throwIfAborted();
      // Messages of sockets name hosts, never keys; they tell the operator what to look at.
      const reason = reasonOf(thrown);
      const context = { timeout: reason.startsWith("no answer within") };
      throw new UnavailableError(`no answer from the service: ${reason}`, context, { cause: thrown });
    } finally {
      onAnswer(status, name, clock.ticks() - sentAt);
    }
  }
}

async function answerOf<N extends RouteName>(
  name: N,
  { status, headers, json }: JsonResponse,
  clock: Pick<Clock, "now">,
  key: string,
): Promise<ResponseOf<N>> {
  if (status !== 200) {
    // Counted from when the answer came, not from when its body had.
    const waitMs = askedWaitMs(headers, clock.now());
    throw failureOf(status, await detailOf(json, key), waitMs);
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

function failureOf(status: number, detail: string, waitMs: number | undefined): AppError {
  const message = `the service answered ${status}: ${detail}`;
  if (status === 429) return new RateLimitedError(message, waitMs);
  if (status === 401 || status === 403) return new UnauthorizedError(message);
  // The interface has no 404 for what a client asks: whatever stands there is not the service.
  if (status === 404) return new UnavailableError(`${message}: is SERVICE_URL its base, without /v2/svc?`, { status });
  if (status === 408 || status >= 500) return new UnavailableError(message, { status });
  if (detail.startsWith("unsupported chainId: ")) return new ChainUnsupportedError(message);
  return new RejectedError(message, { status });
}

/** What the failure says of itself, at most 200 characters of it: it goes into verdicts. */
async function detailOf(json: JsonResponse["json"], key: string): Promise<string> {
  try {
    const parsed = FailureBody.safeParse(await json());
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

function queryOf(request: object): string {
  const fields = Object.entries(request).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}
