import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * The moment at which a request is held: before the server has any of it, with half of its body sent, or after its
 * answer.
 */
export type Moment = "arrived" | "half sent" | "answered";

/** A request that is held. */
export interface Held {
  /** Path and query of the request. */
  readonly url: string;
  /** Lets the request go on. A request of an ended client is dropped. */
  release(): void;
}

/** An HTTP proxy in front of an S3 server that holds requests. Their sender can be killed at that very step. */
export interface S3Gate {
  readonly port: number;
  /** Holds the next request of this method, and no other. */
  hold(method: "GET" | "HEAD" | "PUT", moment: Moment): Promise<Held>;
  close(): Promise<void>;
}

interface Hold {
  readonly method: string;
  readonly moment: Moment;
  readonly reached: (held: Held) => void;
}

const HOST = "127.0.0.1";

/** Starts the gate in front of the server on `targetPort` of this machine. */
export async function startS3Gate(targetPort: number): Promise<S3Gate> {
  const holds: Hold[] = [];
  const server = createServer((asked, answer) => {
    const at = holds.findIndex(({ method }) => method === asked.method);
    const [hold] = at === -1 ? [] : holds.splice(at, 1);
    // When the client or the server was killed, the other side sees a closed connection.
    pass(asked, answer, targetPort, hold).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hold: (method, moment) => new Promise((reached) => holds.push({ method, moment, reached })),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pass(asked: IncomingMessage, answer: ServerResponse, port: number, hold: Hold | undefined) {
  const { method = "", url = "/", headers } = asked;
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  answer.once("close", () => gone.reject(new Error("the client has gone")));
  const reach = async (moment: Moment) => {
    if (hold?.moment !== moment) return;
    const released = Promise.withResolvers<void>();
    hold.reached({ url, release: released.resolve });
    await Promise.race([released.promise, gone.promise]);
  };
  const body = await buffer(asked);
  await reach("arrived");
  const upstream = request({ host: HOST, port, method, path: url, headers });
  answer.once("close", () => upstream.destroy());
  const answered = Promise.withResolvers<IncomingMessage>();
  // While the request is held, no code awaits the promise.
  answered.promise.catch(() => undefined);
  upstream.once("response", answered.resolve).once("error", answered.reject);
  const half = Math.floor(body.byteLength / 2);
  upstream.write(body.subarray(0, half));
  await reach("half sent");
  upstream.end(body.subarray(half));
  const given = await answered.promise;
  const text = await buffer(given);
  await reach("answered");
  answer.writeHead(given.statusCode ?? 502, given.headers).end(text);
}
