import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  /** The reasons to restart the process. Empty: the process is alive. */
  readonly live: () => readonly string[];
  /** The reasons to send no work to the process now. Empty: the process is ready. */
  readonly ready: () => readonly string[];
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** Sets the level of the log. @returns whether the level exists. */
  readonly setLevel: (level: string) => boolean;
  /** The names of the levels of the log. */
  readonly levels: readonly string[];
}

const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000, maxHeaderSize: 8_192 };
const MAX_CONNECTIONS = 64;

/** The HTTP server for operators and their tools: liveness, readiness, metrics and the level of the log. */
export class AdminServer {
  readonly #server: Server;
  readonly #options: AdminOptions;

  constructor(options: AdminOptions) {
    this.#options = options;
    this.#server = createServer(LIMITS, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** @returns the address that the server listens at. @throws {ConfigInvalidError} when the port is taken. */
  async start(): Promise<string> {
    const { host, port } = this.#options;
    this.#server.listen(port, host);
    await once(this.#server, "listening").catch((thrown: unknown) => {
      throw new ConfigInvalidError(
        `cannot listen on ADMIN_HOST ${host}, ADMIN_PORT ${port}: ${toError(thrown).message}: choose another, or 0 for a free port`,
      );
    });
    const address = this.#server.address() as AddressInfo;
    return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer({ method, url = "/" }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(url, "http://admin");
    const { live, ready, metrics, setLevel, levels } = this.#options;
    if (pathname === "/log-level" && method === "PUT") {
      const level = searchParams.get("level") ?? "";
      if (setLevel(level)) send(response, 200, { level });
      else send(response, 400, { error: `level must be one of ${levels.join(", ")}` });
    } else if (method !== "GET" && method !== "HEAD") send(response, 405, { error: "only GET" });
    else if (pathname === "/livez") health(response, live());
    else if (pathname === "/readyz") health(response, ready());
    else if (pathname === "/metrics") {
      const { contentType, text } = await metrics();
      response.writeHead(200, { "content-type": contentType }).end(text);
    } else send(response, 404, { error: "there are /livez, /readyz and /metrics" });
  }
}

function health(response: ServerResponse, reasons: readonly string[]): void {
  send(response, reasons.length === 0 ? 200 : 503, { ok: reasons.length === 0, reasons });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
}
