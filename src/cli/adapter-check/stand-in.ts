import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer of the stand-in to every request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: no answer is sent. */
  readonly body: string | undefined;
}

export interface RecordedRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly body: string;
}

/** A local server that stands for the service, and sends the configured answer. */
export class StandIn {
  reply: Reply = { status: 500, headers: {}, body: "" };
  readonly seen: RecordedRequest[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url = "" } = request;
        this.seen.push({ method, path: url, body: Buffer.concat(chunks).toString("utf8") });
        const { status, headers, body } = this.reply;
        if (body === undefined) return;
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
      });
    });
  }

  static async open(): Promise<StandIn> {
    const standIn = new StandIn();
    await new Promise<void>((resolve, reject) => {
      standIn.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
