/**
 * The service on a real socket, with slow, greedy and malformed clients (CWE-400, CWE-444, CWE-770). The bodies are
 * those of the section "Errors" of the service's interface. Source: docs/decisions/0001-open-points.md, which lists the
 * open points of the interface.
 */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { routes } from "../../src/api/routes.ts";
import { answer } from "../../src/service/answer.ts";
import { type ServerDeps, type ServerLimits, serverLimits } from "../../src/service/http/server.ts";
import { answers, requests } from "../contract/samples.ts";
import { KEY, operationsThat, service } from "../support/service.ts";

const path = routes.poisoningSingle.path;
const valid = JSON.stringify(requests.poisoningSingle);
const notHttp = { code: "-1", status: "invalid request", detail: "the request is not valid HTTP" };

/** A server for one test only, on a free port of the loopback. */
async function listening(deps: Partial<ServerDeps> = {}, limits: ServerLimits = serverLimits) {
  const app = service(deps, limits);
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { app, port };
}

/** One connection, with everything received on it. This end stays open, even if the server hangs up. */
class Line {
  readonly socket: Socket;
  received = "";
  readonly #ended = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.socket.setEncoding("utf8");
    this.socket.on("data", (text: string) => {
      this.received += text;
    });
    this.socket.on("error", () => {});
    this.socket.on("end", () => this.#ended.resolve());
    this.socket.on("close", () => this.#closed.resolve());
    onTestFinished(() => {
      this.socket.destroy();
    });
  }

  /** Resolves with everything received when the server has hung up. */
  async untilEnded(): Promise<string> {
    await Promise.race([this.#ended.promise, this.#closed.promise]);
    return this.received;
  }

  /** Resolves with everything received when the server no longer reads from this end. */
  async untilCutOff(): Promise<string> {
    await this.#closed.promise;
    return this.received;
  }

  /** Resolves when `count` answers have come. */
  async untilAnswers(count: number): Promise<readonly { readonly http: number; readonly body: unknown }[]> {
    while (parsed(this.received).length < count) await once(this.socket, "data");
    return parsed(this.received);
  }
}

/** The complete answers in `text`, in their order. */
function parsed(text: string): readonly { readonly http: number; readonly body: unknown }[] {
  const answered = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? Number.NaN);
    if (end < 0 || !(rest.length >= end + 4 + length)) return answered;
    const body: unknown = JSON.parse(rest.slice(end + 4, end + 4 + length));
    answered.push({ http: Number(/^HTTP\/1\.1 (\d+) /.exec(rest)?.[1]), body });
    rest = rest.slice(end + 4 + length);
  }
}

function post(body: string, headers: readonly string[] = []): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return head([length, ...headers]) + body;
}

function head(headers: readonly string[]): string {
  const common = ["Host: weir", `X-API-KEY: ${KEY}`, "Content-Type: application/json"];
  return `${[`POST ${path} HTTP/1.1`, ...common, ...headers].join("\r\n")}\r\n\r\n`;
}

async function isAlive(port: number): Promise<boolean> {
  const answered = await fetch(`http://127.0.0.1:${port}/livez`, { headers: { connection: "close" } });
  return answered.status === 200;
}

describe("slow clients", () => {
  const impatient: ServerLimits = {
    ...serverLimits,
    requestTimeout: 400,
    http: { ...serverLimits.http, headersTimeout: 400, connectionsCheckingInterval: 50 },
  };

  /** Sends `text`, then single bytes as long as the server listens. */
  function dribble(port: number, text: string): Line {
    const line = new Line(port);
    line.socket.write(text);
    const timer = setInterval(() => line.socket.write("a"), 20);
    line.socket.on("close", () => clearInterval(timer));
    onTestFinished(() => clearInterval(timer));
    return line;
  }

  test("200 clients that dribble their headers are cut off, while others are served", async () => {
    const { port } = await listening({}, impatient);

    const lines = Array.from({ length: 200 }, () => dribble(port, `POST ${path} HTTP/1.1\r\nHost: weir\r\nX-Slow: `));
    const alive = await Promise.all(Array.from({ length: 20 }, () => isAlive(port)));
    const said = await Promise.all(lines.map((line) => line.untilCutOff()));

    expect(alive).toEqual(Array.from({ length: 20 }, () => true));
    // A byte that is in flight when the server hangs up resets the connection, which can lose the answer.
    for (const text of said) expect([[], [{ http: 400, body: notHttp }]]).toContainEqual(parsed(text));
    expect(await isAlive(port)).toBe(true);
  });

  test("a client that dribbles its body is cut off", async () => {
    const { port } = await listening({}, impatient);

    await dribble(port, head(["Content-Length: 1000000"])).untilCutOff();

    expect(await isAlive(port)).toBe(true);
  });

  test("a body that does not arrive in time is the client's fault: 400, and the end of the connection", async () => {
    const { port } = await listening({}, { ...serverLimits, handlerTimeout: 100 });

    const line = new Line(port);
    line.socket.write(`${head(["Content-Length: 100"])}{`);

    const body = { code: "-1", status: "invalid request", detail: "the body did not arrive in time" };
    expect(parsed(await line.untilEnded())).toEqual([{ http: 400, body }]);
    expect(await isAlive(port)).toBe(true);
  });

  test("a query that takes too long is 500, because the interface has no 504 for it", async () => {
    const operations = operationsThat(() => new Promise(() => undefined));
    const { port } = await listening({ operations }, { ...serverLimits, handlerTimeout: 100 });
    const line = new Line(port);
    line.socket.write(`GET ${path}?chain_id=1&address=x HTTP/1.1\r\nHost: weir\r\nX-API-KEY: ${KEY}\r\n\r\n`);

    const body = { code: "-2", status: "internal server error", detail: "internal server error" };
    expect(await line.untilAnswers(1)).toEqual([{ http: 500, body }]);
  });

  test("a client that sends nothing is cut off", async () => {
    const { port } = await listening({}, { ...impatient, connectionTimeout: 100 });
    const line = new Line(port);

    expect(await line.untilEnded()).toBe("");
  });

  test("a client that sends nothing more on a kept connection is cut off", async () => {
    const { port } = await listening({}, { ...impatient, keepAliveTimeout: 50 });
    const line = new Line(port);
    line.socket.write(post(valid));

    expect(parsed(await line.untilEnded())).toMatchObject([{ http: 200 }]);
  });
});

describe("input that is not HTTP", () => {
  test.each([
    ["a word", "hello\r\n\r\n"],
    ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown version", `GET ${path} HTTP/9.9\r\nHost: weir\r\n\r\n`],
    ["a header without a name", `GET ${path} HTTP/1.1\r\n: weir\r\n\r\n`],
    ["a space before the colon", `GET ${path} HTTP/1.1\r\nHost : weir\r\n\r\n`],
    ["a control character in a header", `GET ${path} HTTP/1.1\r\nHost: we\x00ir\r\n\r\n`],
    ["two lengths that differ", head(["Content-Length: 2", "Content-Length: 3"])],
    ["a length that is no number", head(["Content-Length: many"])],
    ["a negative length", head(["Content-Length: -1"])],
    ["a length and chunks at once", `${head(["Content-Length: 2", "Transfer-Encoding: chunked"])}0\r\n\r\n`],
    ["headers of 9 KiB", head([`X-Large: ${"a".repeat(9_216)}`])],
    ["a URL of 9 KiB", `GET /${"a".repeat(9_216)} HTTP/1.1\r\nHost: weir\r\n\r\n`],
  ])("%s gets our 400, and the server hangs up", async (_what, text) => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write(text, "latin1");

    expect(parsed(await line.untilEnded())).toEqual([{ http: 400, body: notHttp }]);
    expect(await isAlive(port)).toBe(true);
  });

  test("malformed chunks end the connection", async () => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write(`${head(["Transfer-Encoding: chunked"])}zz\r\n{}\r\n`);

    expect(parsed(await line.untilEnded())).toMatchObject([{ http: 400, body: { code: "-1" } }]);
    expect(await isAlive(port)).toBe(true);
  });

  test("a missing Host header is 400", async () => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write("GET /livez HTTP/1.1\r\n\r\n");

    expect(await line.untilEnded()).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("a client that disconnects in the middle of a request affects no other client", async () => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write(head(["Content-Length: 100"]));
    line.socket.write("{", () => line.socket.resetAndDestroy());
    await line.untilCutOff();

    expect(await isAlive(port)).toBe(true);
  });
});

describe("one connection", () => {
  test("requests on one connection are served one after the other", async () => {
    const { port } = await listening();
    const line = new Line(port);

    line.socket.write(post(valid));
    await line.untilAnswers(1);
    line.socket.write(post("{"));
    await line.untilAnswers(2);
    line.socket.write(post(valid));

    expect((await line.untilAnswers(3)).map(({ http }) => http)).toEqual([200, 400, 200]);
  });

  test("pipelined requests are served in their order", async () => {
    const { port } = await listening();
    const line = new Line(port);

    line.socket.write(post(valid) + post("{}") + post("{") + post(valid));

    expect((await line.untilAnswers(4)).map(({ http }) => http)).toEqual([200, 422, 400, 200]);
  });

  test("the last answer closes the connection after the maximum number of requests", async () => {
    const { port } = await listening({}, { ...serverLimits, maxRequestsPerSocket: 2 });
    const line = new Line(port);

    line.socket.write(post(valid));
    await line.untilAnswers(1);
    const first = line.received;
    line.socket.write(post(valid));
    await line.untilAnswers(2);

    expect(first).toMatch(/^Connection: keep-alive\r$/im);
    expect(line.received.slice(first.length)).toMatch(/^Connection: close\r$/im);
  });

  test("a body in chunks is accepted", async () => {
    const { port } = await listening();
    const line = new Line(port);
    const chunks = [valid.slice(0, 5), valid.slice(5), ""];

    line.socket.write(head(["Transfer-Encoding: chunked"]));
    for (const chunk of chunks) line.socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);

    expect(await line.untilAnswers(1)).toMatchObject([{ http: 200 }]);
  });

  test("a request is answered as usual while the server closes", async () => {
    const gate = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const operations = operationsThat(async (_request, name) => {
      began.resolve();
      await gate.promise;
      return answer(answers[name]);
    });
    const { app, port } = await listening({ operations });
    const line = new Line(port);
    line.socket.write(post(valid));
    await began.promise;

    const closed = app.close();
    line.socket.write(post(valid));
    gate.resolve();

    expect((await line.untilAnswers(1))[0]).toEqual({ http: 200, body: answers.poisoningSingle });
    line.socket.end();
    await closed;
    expect(parsed(line.received).map(({ http }) => http)).not.toContain(503);
  });
});

describe("large bodies", () => {
  const tooLarge = { code: "-1", status: "invalid request", detail: "the body is larger than 1048576 bytes" };

  test("a body that is announced as too large is refused before it is sent", async () => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write(head([`Content-Length: ${(1 << 20) + 1}`]));

    expect(await line.untilAnswers(1)).toEqual([{ http: 413, body: tooLarge }]);
  });

  test("a body that turns out too large is refused", async () => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write(head(["Transfer-Encoding: chunked"]));
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    for (let i = 0; i < 17; i++) line.socket.write(chunk);

    expect(await line.untilAnswers(1)).toEqual([{ http: 413, body: tooLarge }]);
    expect(await isAlive(port)).toBe(true);
  });

  test("a body without a key is refused before it is sent", async () => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write(`POST ${path} HTTP/1.1\r\nHost: weir\r\nContent-Length: 1000000\r\n\r\n`);

    expect(await line.untilAnswers(1)).toMatchObject([{ http: 401, body: { code: "401" } }]);
  });

  test("a client that waits for 100 Continue gets it", async () => {
    const { port } = await listening();
    const line = new Line(port);
    line.socket.write(head([`Content-Length: ${valid.length}`, "Expect: 100-continue"]));
    await once(line.socket, "data");
    expect(line.received).toBe("HTTP/1.1 100 Continue\r\n\r\n");

    line.received = "";
    line.socket.write(valid);

    expect(await line.untilAnswers(1)).toMatchObject([{ http: 200 }]);
  });
});

describe("many connections", () => {
  test("connections beyond the cap are closed at once, and a connection that ends makes room", async () => {
    const { port } = await listening({}, { ...serverLimits, maxConnections: 5 });
    const kept = Array.from({ length: 5 }, () => new Line(port));
    for (const line of kept) line.socket.write(post(valid));
    await Promise.all(kept.map((line) => line.untilAnswers(1)));

    const refused = Array.from({ length: 50 }, () => new Line(port));
    const said = await Promise.all(refused.map((line) => line.untilEnded()));
    for (const line of kept) line.socket.write(post(valid));
    const answered = await Promise.all(kept.map((line) => line.untilAnswers(2)));
    kept[0]?.socket.end();
    await kept[0]?.untilEnded();

    expect(new Set(said)).toEqual(new Set([""]));
    expect(answered.map((each) => each.length)).toEqual([2, 2, 2, 2, 2]);
    expect(await isAlive(port)).toBe(true);
  });
});
