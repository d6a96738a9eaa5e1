import PQueue from "p-queue";
import type { Secret } from "../../../kernel/secret.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";
import { JsonClient, type JsonClientOptions } from "./json-client.ts";

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The answer of an endpoint to one request. Nothing in `result` is checked; `message` is cut to 200 characters. */
export type RpcAnswer = { readonly result: unknown } | { readonly failure: { code: number; message: string } };

export interface RpcEndpoint {
  /** The host, and the position of the endpoint in the chain's list; never the URL, which holds a key. */
  readonly name: string;
  /**
   * Returns one answer for each request, in the order of the requests.
   * @throws {UnavailableError} when the endpoint does not answer, or answers another request. @throws
   * {RateLimitedError}
   */
  ask(requests: readonly RpcRequest[], signal: AbortSignal): Promise<readonly RpcAnswer[]>;
  close(): Promise<void>;
}

export interface RpcEndpointOptions
  extends Pick<JsonClientOptions, "setting" | "clock" | "lookup" | "timeoutMs" | "codec" | "maxBytes"> {
  readonly name: string;
  /** The URL, checked by `nodeUrl`. */
  readonly url: Secret;
  /** HTTP requests in flight at once. */
  readonly concurrency: number;
  /** Most HTTP requests in a window. Without it, there is no limit. */
  readonly quota?: { readonly requests: number; readonly windowMs: number };
}

/** RPC requests in one HTTP request. Chosen: the limits of known public endpoints are higher. */
export const MAX_BATCH = 10;
const MAX_SHOWN = 200;

/** A JSON-RPC 2.0 endpoint over kept-alive connections. */
export function openRpcEndpoint(options: RpcEndpointOptions): RpcEndpoint {
  const { name, url, concurrency, quota } = options;
  const queue = new PQueue({
    concurrency,
    ...(quota === undefined ? {} : { intervalCap: quota.requests, interval: quota.windowMs, strict: true }),
  });
  const client = new JsonClient({ ...options, baseUrl: url, connections: concurrency });
  const keys = keysIn(url.reveal());
  let takesBatches = true;

  // A request that its caller aborts leaves the queue.
  const post = (body: unknown, signal: AbortSignal) => queue.add(() => client.post("", body, signal), { signal });

  const single = async (request: RpcRequest, signal: AbortSignal) =>
    answerTo(1, await post({ jsonrpc: "2.0", id: 1, ...request }, signal));

  const batch = async (requests: readonly RpcRequest[], signal: AbortSignal) => {
    const body = requests.map((request, i) => ({ jsonrpc: "2.0", id: i + 1, ...request }));
    const answer = await post(body, signal);
    if (Array.isArray(answer)) return answersTo(requests.length, answer);
    // A single answer to several requests means that the endpoint refuses batches.
    takesBatches = false;
    return Promise.all(requests.map((request) => single(request, signal)));
  };

  const ask = async (requests: readonly RpcRequest[], signal: AbortSignal) => {
    const size = takesBatches ? MAX_BATCH : 1;
    const parts = Array.from({ length: Math.ceil(requests.length / size) }, (_, i) =>
      requests.slice(i * size, (i + 1) * size),
    );
    const [first] = requests;
    if (requests.length === 1 && first !== undefined) return [await single(first, signal)];
    const answers = await Promise.all(
      parts.map(async (part) =>
        part.length === 1 && part[0] !== undefined ? [await single(part[0], signal)] : batch(part, signal),
      ),
    );
    return answers.flat();
  };

  /** The message of an endpoint may repeat the key that it refuses. */
  const withoutKeys = (answer: RpcAnswer): RpcAnswer => {
    if (!("failure" in answer)) return answer;
    const { code, message } = answer.failure;
    const told = keys.reduce((text, key) => text.replaceAll(key, "[key]"), message);
    return { failure: { code, message: told.slice(0, MAX_SHOWN) } };
  };

  return {
    name,
    ask: async (requests, signal) => (await ask(requests, signal)).map(withoutKeys),
    close: () => client.close(),
  };
}

/**
 * The result of an answer. @throws {UnavailableError} with the words of the endpoint when it refused, or when there is
 * no result.
 */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new UnavailableError("an answer is missing");
  if ("failure" in answer) throw new UnavailableError(refusalOf(answer.failure));
  return answer.result;
}

/** The text of a failure, for errors. */
export function refusalOf({ code, message }: { readonly code: number; readonly message: string }): string {
  return `it refuses: ${code} ${message}`;
}

/**
 * Matches answers to requests by id, since a server may return them in any order. @throws {UnavailableError} unless
 * each answer occurs once.
 */
function answersTo(count: number, answers: readonly unknown[]): readonly RpcAnswer[] {
  const byId = new Map<unknown, unknown>(answers.map((answer) => [Object(answer).id, answer]));
  if (answers.length !== count || byId.size !== count) throw notAnswered();
  return Array.from({ length: count }, (_, i) => answerTo(i + 1, byId.get(i + 1)));
}

function answerTo(id: number, answer: unknown): RpcAnswer {
  const { id: answered, result, error } = Object(answer);
  // Some endpoints return no id in the failure of an unreadable request.
  if (error !== undefined && error !== null && (answered === id || answered === null)) {
    const { code, message } = Object(error);
    const said = typeof message === "string" ? message : "no message";
    return { failure: { code: typeof code === "number" ? code : 0, message: said } };
  }
  if (answered !== id || result === undefined) throw notAnswered();
  return { result };
}

/** Shorter parts of a URL are words, and no provider's key. */
const MIN_KEY_LENGTH = 8;

/** The parts of a URL that may be a key: segments of its path, and values of its query. */
function keysIn(url: string): readonly string[] {
  const { pathname, searchParams } = new URL(url);
  return [...pathname.split("/"), ...searchParams.values()].filter((part) => part.length >= MIN_KEY_LENGTH);
}

function notAnswered(): UnavailableError {
  return new UnavailableError("the answer does not belong to the request");
}
