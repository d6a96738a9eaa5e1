/**
 * A small security service with true answers, which can fail in every way a service does. It is a separate process: it
 * sends its URL to its parent over the channel, and receives its mood there. It writes each answer with its request to
 * the file of SERVICE_LOG before the answer is sent.
 */
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type FailureName, failureBody, failures } from "../../src/api/failures.ts";
import { API_KEY_HEADER } from "../../src/api/routes.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import type { Answer, LogLine } from "./service-log.ts";
import type { Mood } from "./service-process.ts";
import { type Item, targetFlags, tokenFlags, tokenKind, tokenSecurity, Users } from "./truth.ts";

const key = process.env["SERVICE_KEY"] ?? "";
const random = seededRandom(Number(process.env["SERVICE_SEED"]));
const log = openSync(process.env["SERVICE_LOG"] ?? "", "a");
/**
 * Share of stamped answers. It is small as in real services, since the worker reads an answer without additions in
 * another way.
 */
const STAMPED = 0.3;
/** How long an analysis is valid, milliseconds. After that the token must be analysed again. */
const ANALYSIS_MS = 20_000;
let mood: Mood = "well";
let count = 0;
/** The time at which the analysis of each token is ready, Unix milliseconds. */
const readyAt = new Map<string, number>();

function write(line: LogLine): void {
  writeSync(log, `${JSON.stringify(line)}\n`);
}

interface Asked {
  readonly user_addresses?: readonly Item[];
  readonly target_addresses?: readonly Item[];
  readonly token_addresses?: readonly Item[];
  readonly chain_id?: string;
  readonly address?: string;
  readonly user_address?: string;
  readonly token_address?: string;
  readonly chainId?: string;
}

interface Answered {
  readonly body: object;
  readonly answer?: Answer;
}

/** The number of the answer that an item belongs to, where it is stamped. */
type Stamp = { readonly answered_in?: number };

function answerBatch(asked: Asked, stamp: Stamp): Answered {
  const { user_addresses: users = [], target_addresses = [], token_addresses = [] } = asked;
  const known = new Users(users);
  const targets = target_addresses.map((item) => ({ ...item, flags: targetFlags(item, known) }));
  const tokens = token_addresses.map((item) => ({ ...item, flags: tokenFlags(item) }));
  const shown = ({ chain_id, address, flags }: (typeof targets | typeof tokens)[number]) => ({
    chain_id,
    address,
    ...flags,
    ...stamp,
  });
  const data = { target_addresses: targets.map(shown), token_addresses: tokens.map(shown) };
  return { body: { code: "0", status: "ok", data }, answer: { users, targets, tokens } };
}

function answerSingle(asked: Asked, stamp: Stamp): Answered {
  const { chain_id = "", address = "", user_address: user = "", token_address: token = "" } = asked;
  const item = (text: string) => ({ chain_id, address: text });
  const users = user === "" ? [] : [item(user)];
  const targets = [{ ...item(address), flags: targetFlags(item(address), new Users(users)) }];
  const tokens = token === "" ? [] : [{ ...item(token), flags: tokenFlags(item(token)) }];
  const data = {
    target_address: { ...targets[0]?.flags, ...stamp },
    token_address: token === "" ? {} : { ...tokens[0]?.flags, ...stamp },
    target_address_input: address,
    user_address_input: user,
    token_address_input: token,
  };
  return { body: { code: "0", status: "ok", data }, answer: { users, targets, tokens } };
}

/** `in progress` until the analysis is ready. Most analyses take 1 to 3 s, and some take longer than a worker waits. */
function answerToken({ chainId = "", address = "" }: Asked, number: number): Answered {
  const now = Date.now();
  const known = readyAt.get(address);
  const pollAfter = tokenKind(address) === "slow" ? 12 : 1 + (number % 3);
  if (known === undefined || now > known + ANALYSIS_MS) readyAt.set(address, now + pollAfter * 1000);
  if (now < (readyAt.get(address) ?? 0)) return { body: { code: "0", status: "in progress", pollAfter } };
  const analysed = { chain_id: chainId, address };
  const data = { ...tokenSecurity(analysed), answered_in: number };
  return { body: { code: "0", status: "ok", data }, answer: { users: [], targets: [], tokens: [], analysed } };
}

/** Invalid JSON, valid JSON, and JSON of an empty answer. */
const garbage = [
  "<html>502</html>",
  "{",
  "null",
  '{"code":"0","status":"ok"}',
  '{"code":"0","status":"ok","data":{"target_addresses":[],"token_addresses":[]}}',
  "\u0000\u0001",
];

interface Exchange {
  readonly number: number;
  readonly route: LogLine["route"];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly text: string;
  readonly isStamped: boolean;
}

function note({ number, route, isStamped }: Exchange, outcome: string, answer?: Answer): void {
  write({ number, at: Date.now(), outcome, route, isStamped, ...(answer === undefined ? {} : { answer }) });
}

function send({ response }: Exchange, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

function fail(exchange: Exchange, name: FailureName, headers?: Record<string, string>): void {
  note(exchange, String(failures[name].http));
  send(exchange, failures[name].http, JSON.stringify(failureBody(name)), headers);
}

const answerIn: Readonly<Record<Mood, (exchange: Exchange) => void>> = {
  well(exchange) {
    const { body, answer } = answerTo(exchange);
    note(exchange, "200", answer);
    send(exchange, 200, JSON.stringify(body));
  },
  failing: (exchange) => fail(exchange, exchange.number % 2 === 0 ? "internal" : "badGateway"),
  limited: (exchange) => fail(exchange, "rateLimited", { "retry-after": "1" }),
  limitedSilently: (exchange) => fail(exchange, "rateLimited"),
  hang: (exchange) => note(exchange, "hang"),
  reset(exchange) {
    note(exchange, "reset");
    exchange.request.socket.resetAndDestroy();
  },
  garbage(exchange) {
    note(exchange, "garbage");
    send(exchange, 200, garbage[exchange.number % garbage.length] ?? "");
  },
  /** Half of the answer as the whole body, or the whole body announced and half of it sent. */
  truncated(exchange) {
    const whole = JSON.stringify(answerTo(exchange).body);
    const half = whole.slice(0, Math.floor(whole.length / 2));
    note(exchange, "truncated");
    if (exchange.number % 2 === 0) {
      send(exchange, 200, half);
      return;
    }
    const { request, response } = exchange;
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(whole) });
    response.write(half, () => request.socket.destroy());
  },
  refusedKey: (exchange) => fail(exchange, "missingApiKey"),
};

/** A worker that takes the service for down sends health probes, with the request in the URL. */
function askedIn({ text, request }: Exchange): Asked {
  if (request.method !== "GET") return JSON.parse(text) as Asked;
  return Object.fromEntries(new URL(request.url ?? "", "http://127.0.0.1").searchParams);
}

function answerTo(exchange: Exchange): Answered {
  const { route, number, isStamped } = exchange;
  const asked = askedIn(exchange);
  if (route === "token") return answerToken(asked, number);
  const stamp = isStamped ? { answered_in: number } : {};
  return asked.user_addresses === undefined ? answerSingle(asked, stamp) : answerBatch(asked, stamp);
}

function respond(request: IncomingMessage, response: ServerResponse, text: string): void {
  const route = request.url?.endsWith("/token-security") === true ? "token" : "poisoning";
  const isKnown = request.headers[API_KEY_HEADER.toLowerCase()] === key;
  answerIn[isKnown ? mood : "refusedKey"]({
    number: count++,
    route,
    request,
    response,
    text,
    isStamped: route === "token" || random() < STAMPED,
  });
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => respond(request, response, Buffer.concat(chunks).toString()));
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", (message: { readonly mood: Mood }) => {
  mood = message.mood;
  // Hanging requests end with their connections.
  if (mood === "well") server.closeAllConnections();
  process.send?.({ mood });
});
process.once("disconnect", () => process.exit(0));
