/**
 * The duration of token analyses and the accuracy of their taxes, on anvil with test tokens and pools. Cold analyses
 * have 50 ms of latency before each answer of the node, one after the other and four at once. Taxes are tested over a
 * sweep of fees. Cached answers are measured in one process, and through HTTP for each second of the service's
 * processor time. Run: node bench/token-security.ts
 */
import { spawn } from "node:child_process";
import { lookup } from "node:dns";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { openThreadAnalyser } from "../src/adapters/evmole/thread-analyser.ts";
import { openEvmNodes } from "../src/adapters/viem/open-evm-nodes.ts";
import type { TokenSecurityData } from "../src/api/schemas/token-security.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { quietLog } from "../src/kernel/log.ts";
import { seededRandom } from "../src/kernel/retry.ts";
import { Secret } from "../src/kernel/secret.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";
import { tokenAnalyserOver } from "../src/service/token-security/analyse-token.ts";
import { startAnvil } from "../test/servers/anvil.ts";
import { openMarket } from "../test/support/token-market.ts";

const CHAIN = "31337";
const LATENCY_MS = 50;
const ROUNDS = 4;
const CACHED = 100_000;
const HTTP_SECONDS = 5;
const TICKS_PER_SECOND = 100;
const KEY = "bench-key-of-nobody";
const forms = [
  "PlainCoin",
  "TrapCoin",
  "BlacklistCoin",
  "PausableCoin",
  "MaxCoin",
  "CooldownCoin",
  "MintCoin",
  "GasBombCoin",
];
/** Ten-thousandths of a purchase, a transfer and a sale. */
const fees = Array.from({ length: 24 }, (_none, i) => [(i * 37) % 500, (i * 113) % 1_500, (i * 331) % 6_000]);

const anvil = await startAnvil();
const market = await openMarket(anvil);

/** The node with a delay of each answer, and its number of HTTP requests. */
let requests = 0;
const late = createServer((incoming, response) => {
  requests++;
  incoming.setEncoding("utf8");
  let body = "";
  incoming.on("data", (text: string) => {
    body += text;
  });
  incoming.on("end", () => {
    const headers = { "content-type": "application/json" };
    void systemClock
      .sleep(LATENCY_MS)
      .then(() => fetch(anvil.url, { method: "POST", headers, body }))
      .then((answer) => answer.text())
      .then((text) => response.writeHead(200, headers).end(text));
  });
});
await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
const lateUrl = `http://127.0.0.1:${Reflect.get(Object(late.address()), "port")}`;

const thread = openThreadAnalyser({ timeoutMs: 1_500, memoryMiB: 384, startMs: 10_000, execute: true });
let last: Promise<unknown> = Promise.resolve();
const analyser = {
  analyse(code: Uint8Array) {
    const answer = last.then(() => thread.analyse(code));
    last = answer;
    return answer.then((read) => ("analysis" in read ? read.analysis : undefined));
  },
};
function operationOver(url: string) {
  const options = { clock: systemClock, log: quietLog, lookup, concurrency: 8, timeoutMs: 5_000 };
  const nodes = openEvmNodes(new Map([[CHAIN, [new Secret(url)]]]), options);
  const own = { nodes, analyser, clock: systemClock, log: quietLog, random: seededRandom(1) };
  return { nodes, ask: tokenAnalyserOver({ ...own, marketsOf: () => market.markets }, () => LabelBook.of([])) };
}
const through = operationOver(lateUrl);
const direct = operationOver(anvil.url);

async function analysed(ask: typeof through.ask, address: string): Promise<TokenSecurityData> {
  const answer = await ask({ chainId: CHAIN, address, wait: true });
  if (!answer.ok || !("data" in answer.body)) throw new Error("no answer");
  return Object(answer.body).data;
}
const say = (text: string) => process.stdout.write(`${text}\n`);
const shown = (times: readonly number[]) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`;
};
const timed = async (address: string) => {
  const began = systemClock.ticks();
  await analysed(through.ask, address);
  return systemClock.ticks() - began;
};
async function tokensOfEveryKind(): Promise<string[]> {
  const tokens: string[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const form of forms) tokens.push(await (round % 2 === 0 ? market.trade(form) : market.tradeInRange(form)));
  return tokens;
}

say(`load average: ${loadavg().map((load) => load.toFixed(1))}`);
const tokens = await tokensOfEveryKind();
const [first = 0, ...times] = await (async () => {
  const all: number[] = [];
  let most = 0;
  for (const address of tokens) {
    const before = requests;
    all.push(await timed(address));
    most = Math.max(most, requests - before);
  }
  say(`${tokens.length} tokens in pools of both kinds, ${LATENCY_MS} ms to the node: at most ${most} requests each`);
  return all;
})();
say(`cold, one after the other: first ${Math.round(first)} ms, then ${shown(times)}`);

const more = await tokensOfEveryKind();
const four = Array.from({ length: 4 }, async (_none, lane) => {
  const own: number[] = [];
  for (const [i, address] of more.entries()) if (i % 4 === lane) own.push(await timed(address));
  return own;
});
say(`cold, four at once: ${shown((await Promise.all(four)).flat())}`);

const taxed: (readonly [address: string, fees: readonly number[]])[] = [];
for (const values of fees) {
  const how = { types: "uint256, uint256, uint256", values };
  taxed.push([await market.trade("FeeCoin", "wrapped", how.types, values), values]);
  taxed.push([await market.tradeInRange("FeeCoin", how), values]);
}
// The newest block is requested once a second. It must not be one before these tokens.
await systemClock.sleep(1_100);
let worst = 0;
for (const [address, values] of taxed) {
  const { trade_analysis: trade } = await analysed(direct.ask, address);
  const told = [trade["buy_tax"], trade.transfer_tax, trade.sell_tax];
  for (const [i, fee] of values.entries()) worst = Math.max(worst, Math.abs(Number(told[i] || "NaN") - fee / 100));
}
say(`${fees.length} sets of fees in pools of both kinds: largest error ${worst.toFixed(2)} percentage points`);

const [address = ""] = tokens;
const began = systemClock.ticks();
for (let i = 0; i < CACHED; i++) await through.ask({ chainId: CHAIN, address, wait: false });
say(`cached, in process: ${Math.round(CACHED / ((systemClock.ticks() - began) / 1_000))} answers a second`);
say(`cached, through HTTP: ${await cachedThroughHttp(address)}`);

await thread.close();
await through.nodes.close();
await direct.nodes.close();
late.close();
late.closeAllConnections();
await anvil.stop();

async function cachedThroughHttp(token: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-bench-"));
  const marketsFile = path.join(folder, "markets.json");
  await writeFile(marketsFile, JSON.stringify({ markets: { [CHAIN]: market.markets } }));
  const main = path.join(import.meta.dirname, "..", "src", "cli", "weir.ts");
  const env = {
    ...process.env,
    PORT: "0",
    SERVICE_API_KEYS: KEY,
    LOG_LEVEL: "warn",
    EVM_RPC_URLS: JSON.stringify({ [CHAIN]: anvil.url }),
    EVM_MARKETS_FILE: marketsFile,
  };
  const served = spawn(process.execPath, [main, "serve"], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const agent = new Agent({ connections: 8 });
  try {
    const url = await new Promise<string>((resolve) =>
      served.on("message", (said) => {
        const listening: unknown = Reflect.get(Object(said), "listening");
        if (listening !== undefined) resolve(String(listening));
      }),
    );
    const ask = async (wait: boolean) => {
      const response = await request(`${url}/v2/svc/token-security`, {
        dispatcher: agent,
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": KEY },
        body: JSON.stringify({ chainId: CHAIN, address: token, wait }),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200 || !text.includes('"status":"ok"')) throw new Error(text.slice(0, 300));
    };
    await ask(true);
    const run = async (ms: number) => {
      const begin = performance.now();
      const cpuBegin = cpuSeconds(served.pid);
      let count = 0;
      const client = async () => {
        for (; performance.now() - begin < ms; count++) await ask(false);
      };
      await Promise.all(Array.from({ length: 8 }, client));
      const wall = (count * 1_000) / (performance.now() - begin);
      return `${Math.round(wall)} a second, ${Math.round(count / (cpuSeconds(served.pid) - cpuBegin))} a second of processor time`;
    };
    await run(2_000);
    return await run(HTTP_SECONDS * 1_000);
  } finally {
    await agent.close();
    served.kill("SIGTERM");
    await rm(folder, { recursive: true });
  }
}

/** Processor time of a process so far, seconds. */
function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
