/**
 * A service that only enforces a quota. It runs as a child process with one argument, its `Enforced` as JSON. It sends
 * its URL as a message. Any message to it returns the arrivals in each second since the first request, and the age of
 * the first request, seconds.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Allowed,
  Concurrent,
  type Counter,
  FixedWindow,
  SlidingWindow,
  TokenBucket,
} from "../../test/quota/counters.ts";

/** The enforced quota, and the other behaviour of the service. */
export interface Enforced {
  readonly kind: "fixed" | "sliding" | "bucket";
  readonly requests: number;
  readonly windowMs: number;
  /** Tokens of a bucket. */
  readonly burst: number;
  /** The quota changes by the factor `times` at `atSeconds` after the first request. In order. */
  readonly changes: readonly { readonly atSeconds: number; readonly times: number }[];
  /** Most requests at once; 0: any number. */
  readonly atOnce: number;
  /** Whether a 429 has a Retry-After with the wait, in whole seconds. */
  readonly tells: boolean;
  /** Share of accepted requests that are answered 500. */
  readonly failing: number;
  /** Least time of an answer, and the random time on top, milliseconds. */
  readonly latencyMs: readonly [least: number, jitter: number];
}

/** The requests that arrived in one second, by result. */
export interface Arrivals {
  taken: number;
  refused: number;
  failed: number;
}

const enforced: Enforced = JSON.parse(process.argv[2] ?? "");
const arrivals: Arrivals[] = [];
let begunAt = Number.NaN;
const since = () => performance.now() - begunAt;
const allowed: Allowed = () => {
  const times = enforced.changes.findLast(({ atSeconds }) => since() >= 1_000 * atSeconds)?.times ?? 1;
  return enforced.requests * times;
};
const inner = counterOf(enforced);
const concurrent = enforced.atOnce > 0 ? new Concurrent(inner, enforced.atOnce) : undefined;
const counter: Counter = concurrent ?? inner;

const verified = {
  is_erc20: "1",
  scanned_time: 1_767_225_600,
  status: 1,
  timestamp: "2026-01-01T00:00:00.000Z",
  verify_status: "Verified",
};
const flags = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
const inputs = { target_address_input: "", user_address_input: "", token_address_input: "" };
const answer = JSON.stringify({
  code: "0",
  status: "ok",
  data: { target_address: flags, token_address: {}, ...inputs },
});

/** An answer about one contract. Each such question is a separate request. */
function classified(url: string): string {
  const address = `eth:${new URL(url, "http://service").searchParams.get("address")}`;
  const details = { is_verified: true, proxy_impl_address: "", proxy_impl_type: "" };
  const data = {
    address,
    address_type: "Contract",
    classification: "ERC20",
    classification_id: 1,
    details,
    ...verified,
  };
  return JSON.stringify({ code: "0", status: "ok", data });
}

const server = createServer(async ({ url = "" }, response) => {
  if (Number.isNaN(begunAt)) begunAt = performance.now();
  const arrivedAt = since();
  const isTaken = counter.takes(arrivedAt);
  const isFailed = isTaken && Math.random() < enforced.failing;
  count(arrivedAt, isTaken ? (isFailed ? "failed" : "taken") : "refused");
  const [least, jitter] = enforced.latencyMs;
  await sleep(least + jitter * Math.random());
  if (isTaken) concurrent?.release();
  response.setHeader("content-type", "application/json");
  if (isTaken) {
    response.statusCode = isFailed ? 500 : 200;
    const body = url.includes("address-classify") ? classified(url) : answer;
    response.end(isFailed ? '{"code":"-1","status":"error"}' : body);
    return;
  }
  response.statusCode = 429;
  if (enforced.tells)
    response.setHeader("retry-after", Math.max(1, Math.ceil((counter.freeAt(arrivedAt) - arrivedAt) / 1_000)));
  response.end('{"code":"429","status":"rate limit exceeded"}');
});

function counterOf({ kind, windowMs, burst }: Enforced): Counter {
  if (kind === "fixed") return new FixedWindow(allowed, windowMs, windowMs * Math.random());
  return kind === "sliding" ? new SlidingWindow(allowed, windowMs) : new TokenBucket(allowed, windowMs, burst);
}

function count(atMs: number, what: keyof Arrivals): void {
  const second = Math.floor(atMs / 1_000);
  while (arrivals.length <= second) arrivals.push({ taken: 0, refused: 0, failed: 0 });
  const now = arrivals[second];
  if (now !== undefined) now[what]++;
}

server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on("message", () => process.send?.({ arrivals, seconds: since() / 1_000 }));
process.once("disconnect", () => process.exit(0));
