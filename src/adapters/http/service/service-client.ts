import PQueue from "p-queue";
import { type ResponseOf, type RouteName, routes, type SentTo } from "../../../api/routes.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Secret } from "../../../kernel/secret.ts";
import type { SecurityService } from "../../../worker/ports.ts";
import { type Connection, type JsonRequest, type JsonResponse, JsonServer } from "../client/json-server.ts";
import type { Lookup } from "../connection/checked-lookup.ts";
import { unreadWait } from "../waits/retry-after.ts";
import { type Dialect, interfaceDialect } from "./dialect.ts";
import { quotable } from "./failure-text.ts";
import { answerOf, noAnswer } from "./service-answer.ts";

/** Most characters of a header in a message. Chosen. */
const MAX_HEADER = 60;

/** One translated request, and the translation of its response. */
export interface Translated<N extends RouteName> {
  readonly sent: JsonRequest;
  readonly read: (response: JsonResponse) => Promise<ResponseOf<N>>;
}

/** Translates requests of the interface for a service with another interface. */
export interface Translation {
  /** @throws an error of the port where the service has no such request. Nothing is sent then. */
  translate<N extends RouteName>(name: N, request: SentTo<N>, key: string): Translated<N>;
}

export interface ServiceClientOptions {
  /** The URL in front of /v2/svc/..., checked by `serviceUrl`. */
  readonly baseUrl: string;
  /** The current key for each request. */
  readonly apiKey: () => Secret;
  readonly clock: Pick<Clock, "now" | "ticks">;
  /** Finds the addresses of the host. Refused addresses are removed from the result. */
  readonly lookup: Lookup;
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** From the first byte sent to the last byte read, milliseconds. */
  readonly timeoutMs: number;
  /** Called for every request that ended, with its HTTP status, or 0 when there was no response. */
  readonly onAnswer: (status: number, operation: RouteName, ms: number) => void;
  /** Receives the time of an answer's Date header, Unix milliseconds, where there is one. */
  readonly onDate?: (date: number) => void;
  /** Receives the text of each unreadable Retry-After header. The answer counts as one without the header. */
  readonly onUnreadWait?: (text: string) => void;
  readonly connection?: Connection;
  /** Without a dialect, requests are those of the interface. */
  readonly dialect?: Dialect;
  /** A translation that replaces the requests and answers of the interface. */
  readonly translation?: Translation | undefined;
}

/** Calls the service by the routes table of the interface, over kept-alive connections. Redirects are not followed. */
export class ServiceClient implements SecurityService {
  readonly #options: ServiceClientOptions;
  readonly #queue: PQueue;
  readonly #server: JsonServer;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency });
    const { concurrency: connections, lookup, timeoutMs, connection = {} } = options;
    this.#server = new JsonServer({ setting: "SERVICE_URL", connections, lookup, timeoutMs, connection });
  }

  /**
   * @param name of an operation that the service has. A check that needs another operation is answered before any
   * request (`withinReach`).
   * @throws the errors of `answerOf`, or the error of a request that the translation refuses.
   */
  async ask<N extends RouteName>(name: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    const { dialect = interfaceDialect } = this.#options;
    return dialect.heard(await this.#queue.add(() => this.#send(name, dialect.sent(request), signal)));
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #send<N extends RouteName>(name: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    const { apiKey, clock, onAnswer, onDate, onUnreadWait, connection, translation } = this.#options;
    const key = apiKey().reveal();
    const { sent, read } =
      translation === undefined ? this.#asInterface(name, request, key) : translation.translate(name, request, key);
    let status = 0;
    const sentAt = clock.ticks();
    try {
      return await this.#server.exchange(sent, signal, (response) => {
        status = response.status;
        const date = Date.parse(String(response.headers["date"]));
        if (!Number.isNaN(date)) onDate?.(date);
        const unread = unreadWait(response.headers, clock.now());
        if (unread !== undefined) onUnreadWait?.(quotable(unread, key).slice(0, MAX_HEADER));
        return read(response);
      });
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      signal.throwIfAborted();
      throw noAnswer(thrown, connection);
    } finally {
      onAnswer(status, name, clock.ticks() - sentAt);
    }
  }

  #asInterface<N extends RouteName>(name: N, request: SentTo<N>, key: string): Translated<N> {
    const { baseUrl, clock, dialect = interfaceDialect } = this.#options;
    const isGet = routes[name].method === "GET";
    const path = dialect.pathOf(name);
    return {
      sent: {
        url: `${baseUrl}${path}${isGet ? `?${queryOf(request)}` : ""}`,
        headers: dialect.headersWith(key),
        // The body becomes bytes at once: a text would be kept until the answer arrives.
        body: isGet ? undefined : Buffer.from(JSON.stringify(request)),
      },
      read: (response) => answerOf(name, response, clock, key, path),
    };
  }
}

function queryOf(request: object): string {
  const fields = Object.entries(request).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(Object.fromEntries(fields)).toString();
}
