import { Agent, type Dispatcher, request as send } from "undici";
import type { Clock } from "../../kernel/clock.ts";
import { AppError, toError } from "../../kernel/errors.ts";
import type { Secret } from "../../kernel/secret.ts";
import { UnavailableError } from "../../worker/service-errors.ts";
import { checkedLookup, type Lookup, type UrlSetting } from "./checked-lookup.ts";
import { withDeadline } from "./deadline.ts";

export interface RpcEndpointsOptions {
  /** Checked URLs of nodes of one chain, in the order in which they are asked; at least one. */
  readonly urls: readonly Secret[];
  /** The variable that names them. */
  readonly setting: UrlSetting;
  readonly lookup: Lookup;
  /** Of one try, from the first byte sent to the last byte read, milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, "ticks">;
  /** Told of each try that failed: the node's place in `urls`, and why; never a URL. */
  readonly onFailure: (place: number, reason: string) => void;
}

/** Largest answer, bytes: all accounts that one transaction may load (64 MiB), as base64, and what stands around them. */
const MAX_ANSWER_BYTES = 96 * 1024 * 1024;
/** How long a node that failed is asked last, milliseconds. */
const REST_MS = 10_000;
const CONNECTIONS = 16;

/**
 * JSON-RPC over HTTP to several nodes that stand for one another: one that does not answer, answers with a failure of
 * HTTP, or says something that its reader takes for a failure of its own, is followed by the next. Redirects are not
 * followed, and addresses are checked at each connection.
 */
export class RpcEndpoints {
  readonly #options: RpcEndpointsOptions;
  readonly #agent: Agent;
  readonly #restingUntil: number[];

  constructor(options: RpcEndpointsOptions) {
    this.#options = options;
    this.#restingUntil = options.urls.map(() => Number.NEGATIVE_INFINITY);
    const lookup = checkedLookup(options.lookup, options.setting);
    this.#agent = new Agent({ connections: CONNECTIONS, keepAliveTimeout: 4_000, connect: { timeout: 3_000, lookup } });
  }

  /**
   * What `read` makes of the first answer that is one; it throws an UnavailableError for what another node may know better.
   *
   * @throws {UnavailableError} of the last try, when there is none; `isTimeout` when it did not come in time.
   */
  async ask<T>(body: string, read: (answer: string) => T, signal: AbortSignal): Promise<T> {
    let last: UnavailableError | undefined;
    for (const place of this.#order()) {
      try {
        return read(await this.#post(place, body, signal));
      } catch (thrown) {
        signal.throwIfAborted();
        last = thrown instanceof UnavailableError ? thrown : unavailable(thrown);
      }
      this.#restingUntil[place] = this.#options.clock.ticks() + REST_MS;
      this.#options.onFailure(place, last.message);
    }
    throw last ?? new UnavailableError("there is no node to ask");
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Those that failed lately at the end, so that one which is down does not cost every question its patience. */
  #order(): number[] {
    const now = this.#options.clock.ticks();
    const rests = (place: number) => Number((this.#restingUntil[place] ?? 0) > now);
    return this.#restingUntil.map((_, place) => place).sort((a, b) => rests(a) - rests(b));
  }

  async #post(place: number, body: string, signal: AbortSignal): Promise<string> {
    const { urls, timeoutMs } = this.#options;
    const url = urls[place]?.reveal() ?? "";
    return withDeadline(timeoutMs, signal, async (deadline) => {
      const response = await send(url, {
        dispatcher: this.#agent,
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", "accept-encoding": "identity" },
        body,
        signal: deadline,
      });
      try {
        return await textOf(response);
      } finally {
        // A body that nobody reads to its end would keep its connection for good.
        await response.body.dump();
      }
    });
  }
}

async function textOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (statusCode !== 200) throw new UnavailableError(`the node answered HTTP ${statusCode}`);
  if (!/^(?:identity)?$/i.test(String(headers["content-encoding"] ?? ""))) {
    throw new UnavailableError("the node's answer is packed (content-encoding), though it was asked for as it is");
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES)
      throw new UnavailableError(`the node's answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function unavailable(thrown: unknown): UnavailableError {
  if (thrown instanceof AppError) return new UnavailableError(thrown.message, {}, { cause: thrown });
  const { message, cause } = toError(thrown);
  // Messages of sockets name hosts, never paths or queries, where a key stands.
  const reason = message !== "" ? message : toError(cause).message;
  const timeout = reason.startsWith("no answer within") || /timeout/i.test(reason);
  return new UnavailableError(`no answer from the node: ${reason}`, { timeout }, { cause: thrown });
}
