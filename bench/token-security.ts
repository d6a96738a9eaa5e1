// How long token analyses take, by anvil with tokens of our own: `node bench/token-security.ts`. Cold ones with 50 ms of
// latency before each answer of the node, one after the other, and cached answers of one process.
import { lookup } from "node:dns";
import { openThreadAnalyser } from "../src/adapters/evmole/thread-analyser.ts";
import { openEvmNodes } from "../src/adapters/viem/open-evm-nodes.ts";
import { quietLog } from "../src/kernel/log.ts";
import { seededRandom } from "../src/kernel/random.ts";
import { Secret } from "../src/kernel/secret.ts";
import { systemClock } from "../src/kernel/system-clock.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";
import { tokenAnalyserOver } from "../src/service/token-security/analyse-token.ts";
import { startAnvil } from "../test/servers/anvil.ts";
import { startProxy } from "../test/servers/fault-proxy.ts";
import { openMarket } from "../test/support/token-market.ts";

const CHAIN = "31337";
const LATENCY_MS = 50;
const ROUNDS = 5;
const CACHED = 100_000;
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

const anvil = await startAnvil();
const market = await openMarket(anvil);
const tokens: string[] = [];
for (let round = 0; round < ROUNDS; round++) for (const form of forms) tokens.push(await market.trade(form));

const { hostname: host, port } = new URL(anvil.url);
const proxy = await startProxy({ target: { host, port: Number(port) } });
await proxy.set({ mode: "latency", ms: LATENCY_MS });
const url = `http://${proxy.host}:${proxy.port}`;
const nodes = openEvmNodes(new Map([[CHAIN, [new Secret(url)]]]), {
  clock: systemClock,
  log: quietLog,
  lookup,
  concurrency: 8,
  timeoutMs: 2_000,
});
const thread = openThreadAnalyser({ timeoutMs: 1_500, memoryMiB: 384, startMs: 10_000, execute: true });
const ask = tokenAnalyserOver(
  {
    nodes,
    analyser: {
      async analyse(code) {
        const read = await thread.analyse(code);
        return "analysis" in read ? read.analysis : undefined;
      },
    },
    clock: systemClock,
    log: quietLog,
    random: seededRandom(1),
    marketsOf: () => market.markets,
  },
  () => LabelBook.of([]),
);
const times: number[] = [];
for (const address of tokens) {
  const began = systemClock.ticks();
  const answer = await ask({ chainId: CHAIN, address, wait: true });
  if (!answer.ok || !("data" in answer.body)) throw new Error("no answer");
  times.push(systemClock.ticks() - began);
}
const [first = 0] = times;
times.sort((a, b) => a - b);
const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
const [address = ""] = tokens;
const began = systemClock.ticks();
for (let i = 0; i < CACHED; i++) await ask({ chainId: CHAIN, address, wait: false });
const perSecond = Math.round(CACHED / ((systemClock.ticks() - began) / 1_000));
process.stdout.write(
  `${tokens.length} cold analyses, ${LATENCY_MS} ms to the node: first ${Math.round(first)} ms, median ${at(0.5)} ms, p95 ${at(0.95)} ms\n` +
    `cached: ${perSecond} answers a second\n`,
);
await thread.close();
await nodes.close();
await proxy.close();
await anvil.stop();
