import type { FastifyInstance } from "fastify";
import { failures } from "../../src/api/failures.ts";
import { type RouteName, routes } from "../../src/api/routes.ts";
import type { Log } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { readLabelList } from "../../src/labels/label-list.ts";
import { buildServer, type ServerDeps, type ServerLimits } from "../../src/service/http/server.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import { type Operations, operationsOver } from "../../src/service/operations.ts";
import { FakeClock } from "../fakes/fake-clock.ts";

/** The key of every request by default. */
export const KEY = "a-key-of-the-tests";

/** Two public pairs of a real address and its imitation: 2024-05-03 (WBTC) and 2024-11 (PYTH). */
export const evm = {
  real: "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91",
  fake: "0xd9A1C3788D81257612E2581A6ea0aDa244853a91",
  stranger: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  exchange: "0x28C6c06298d514Db089934071355E5743bf21d60",
  exchangeFake: "0x28c6b7d0c1e45e2f8a9f3d1b6c7e8f9012f21d60",
  token: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  tokenFake: "0xdac17f0123456789abcdef0123456789ab831ec7",
} as const;
export const solana = {
  real: "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY",
  fake: "4yfuQCL4fnNfSbBgqFcPTFn5GGZABDaEFQLhGpwjizcY",
  system: "11111111111111111111111111111111",
} as const;
export const tron = {
  base58: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  hex: "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
} as const;

const rows = [
  { chain: "1", address: evm.exchange, kind: "exchange", name: "Exchange 14" },
  { chain: "1", address: evm.token, kind: "token", name: "Dollar" },
];
const labels = LabelBook.of([
  readLabelList(
    "test",
    rows.map((row, i) => ({ line: i + 2, row })),
  ),
]);

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The service in this process, with a few labels, a fixed clock and no log. It does not listen. */
export function service(replaced: Partial<ServerDeps> = {}, limits?: ServerLimits): FastifyInstance {
  const deps = {
    operations: operationsOver({ labels: () => labels }),
    apiKeys: [new Secret(KEY)],
    clock: new FakeClock(),
    log: silent,
    observer: { answered: () => undefined },
    ...replaced,
  };
  return buildServer(deps, limits);
}

/** An operations table with the same function in every row. */
export function operationsThat(behave: (request: unknown, name: RouteName) => unknown): Operations {
  const table = Object.keys(routes).map((name) => [name, (request: unknown) => behave(request, name as RouteName)]);
  return Object.fromEntries(table) as Operations;
}

export interface Request {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS";
  readonly url: string;
  /** Undefined sends no X-API-KEY at all. */
  readonly key?: string | undefined;
  /** Undefined sends no Content-Type at all. */
  readonly type?: string | undefined;
  /** Sent unchanged; undefined sends no body. */
  readonly body?: string | Buffer | undefined;
}

export interface Answered {
  readonly http: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Sends one request of any shape. The key and the Content-Type are valid by default. */
export async function send(app: FastifyInstance, request: Request): Promise<Answered> {
  const { method = "POST", url, key = "key" in request ? undefined : KEY, body } = request;
  const type = "type" in request ? request.type : body === undefined ? undefined : "application/json";
  const answered = await app.inject({
    method,
    url,
    headers: {
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...(type === undefined ? {} : { "content-type": type }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { http: answered.statusCode, body: answered.payload === "" ? "" : answered.json(), headers: answered.headers };
}

/** The query string of `fields`; an array repeats its parameter. */
export function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value])
      query.append(name, typeof each === "string" ? each : JSON.stringify(each));
  }
  return query.toString();
}

/** A request of one row of the routes table: a query string or a JSON body. */
export function requestOf(name: RouteName, fields: unknown): Request {
  const { method, path } = routes[name];
  if (method === "GET") return { method, url: `${path}?${queryOf(fields as Record<string, unknown>)}` };
  return { method, url: path, body: JSON.stringify(fields) };
}

/** Calls one row of the routes table. */
export function call(app: FastifyInstance, name: RouteName, fields: unknown): Promise<Answered> {
  return send(app, requestOf(name, fields));
}

/** The complete refusal of a malformed request by the row itself. */
export function mismatchOf(name: RouteName, detail: string) {
  const { http } = failures[routes[name].mismatch];
  return { http, body: { code: "-1", status: "invalid request", detail } };
}
