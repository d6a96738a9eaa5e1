import { lookup } from "node:dns";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openThreadAnalyser } from "../../src/adapters/evmole/thread-analyser.ts";
import { readRecords } from "../../src/adapters/files/input/records.ts";
import { AddressListFiles } from "../../src/adapters/files/labels/address-list-files.ts";
import { LabelFiles } from "../../src/adapters/files/labels/label-files.ts";
import { readSnapshot } from "../../src/adapters/solana/simulator/snapshot.ts";
import { VirtualMachine } from "../../src/adapters/solana/simulator/virtual-machine.ts";
import { openEvmNodes } from "../../src/adapters/viem/open-evm-nodes.ts";
import { DEMO_CHAIN_ID, startDemoChain } from "../../src/cli/demo/demo-chain.ts";
import { bundled } from "../../src/cli/program/package-root.ts";
import { readMarkets } from "../../src/cli/serve/open-tokens.ts";
import { atOnce } from "../../src/kernel/async.ts";
import { type Clock, systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { AddressBook } from "../../src/labels/address-book.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { readPolicy } from "../../src/policy/policy.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import type { Simulator } from "../../src/service/solana-transactions/simulator.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { FakeSink } from "../fakes/records.ts";
import { workerFor } from "../fakes/worker.ts";
import { exactService } from "../support/exact-service.ts";
import { inProcessService } from "../support/in-process-service.ts";
import { expectNotMilder } from "../support/not-milder.ts";
import { screenRecord } from "../support/screen-record.ts";
import { lineOf } from "../support/verdicts.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

/** The decisions that demo/SOURCES.md states in bold, by line. */
function expectedDecisions(): Map<number, string> {
  const text = readFileSync(path.join(root, "demo", "SOURCES.md"), "utf8");
  const lines = text.matchAll(/^(\d+)\. (?:`[^`]+`|\(unreadable\)) \*\*([A-Z]+)\*\*/gm);
  return new Map([...lines].map(([, line, decision = ""]) => [Number(line), decision]));
}

/** Sixteen tokens are executed in simulations: seconds on an idle machine. */
const DEMO_MS = 120_000;

/** Noon of the demo's day. Timers of this clock never fire late. */
const stillClock: Clock = {
  now: () => Date.UTC(2026, 0, 1, 12),
  ticks: () => 0,
  sleep: () => new Promise(() => undefined),
};

/** The day of the demo's list, which lies ahead of that noon. */
const dayOfList = { now: () => Date.UTC(2026, 10, 28, 12) };

/** The demo's own chain, with the readers and simulators for its tokens. */
async function evmWorld() {
  const chain = await startDemoChain(systemClock, new AbortController().signal);
  if (!chain.ok) throw new Error(chain.detail);
  onTestFinished(() => chain.value.stop());
  const options = { clock: systemClock, log: quietLog, lookup, concurrency: 8, timeoutMs: 10_000 };
  const nodes = openEvmNodes(new Map([[DEMO_CHAIN_ID, [new Secret(chain.value.url)]]]), options);
  onTestFinished(() => nodes.close());
  const thread = openThreadAnalyser({ timeoutMs: 15_000, memoryMiB: 384, startMs: 30_000, execute: true });
  onTestFinished(() => thread.close());
  const analyser = {
    async analyse(code: Uint8Array) {
      const read = await thread.analyse(code);
      return "analysis" in read ? read.analysis : undefined;
    },
  };
  const markets = new Map(await readMarkets(bundled.demoMarkets));
  const evm = { nodes, clock: stillClock };
  const marketsOf = (chainId: string) => markets.get(chainId);
  return { evm, tokens: { ...evm, analyser, log: quietLog, random: seededRandom(7), marketsOf } };
}

/**
 * A repeated question about a token has its answer ready. The duration of an analysis on this machine must not affect a
 * verdict.
 */
function readyWhenAskedAgain(service: SecurityService): SecurityService {
  const asked = new Set<string>();
  return {
    ask(name, request, ...rest) {
      if (!("chainId" in request) || !("address" in request)) return service.ask(name, request, ...rest);
      const isAgain = asked.has(request.address);
      asked.add(request.address);
      return service.ask(name, isAgain ? { ...request, wait: true } : request, ...rest);
    },
  };
}

const solanaChain = readSnapshot(readFileSync(path.join(root, "demo", "solana-accounts.json"), "utf8"));

/** The demo's service: the operations of Weir over the demo's worlds. */
async function demoService(): Promise<SecurityService> {
  const book = LabelBook.of(await new LabelFiles(bundled.labels, bundled.labels).load());
  const machine = new VirtualMachine(solanaChain);
  const simulator: Simulator = {
    simulate: async (messages, sequence) => ({ ok: true, simulations: machine.simulate(messages, sequence) }),
  };
  const solana = { simulator, requestId: () => "00000000-0000-4000-8000-000000000000" };
  return readyWhenAskedAgain(inProcessService(book, solana, await evmWorld()));
}

/** The verdicts on the demo's events. */
async function screened(service: SecurityService): Promise<readonly Verdict[]> {
  const lists = new AddressListFiles({ lists: [bundled.demoLists], labels: [], bundled: bundled.labels }, dayOfList);
  const sink = new FakeSink();
  const worker = workerFor(service, {
    sink,
    policyFor: readPolicy(JSON.parse(readFileSync(path.join(root, "data", "policy.json"), "utf8"))),
    software: "weir/golden",
    lists: { book: atOnce(AddressBook.steps(await lists.load())) },
  });
  // One event after the other, so the batcher need not wait for more.
  worker.pool.expectMore(false);
  for await (const record of readRecords({
    path: path.join(root, "demo", "events.ndjson"),
    defaults: { users: [] },
  })) {
    await screenRecord(record, worker);
  }
  return sink.verdicts;
}

test(
  "the demo's events get the checked-in verdicts and the decisions that their sources call for",
  async () => {
    const service = await demoService();
    const ours = await screened(service);
    const expected = expectedDecisions();

    expect(new Map(ours.map((verdict) => [lineOf(verdict), verdict.decision]))).toEqual(expected);
    // The number of the chain's transactions per block depends on the machine.
    const said = JSON.stringify(ours, undefined, 2).replace(/"block": "\d+"/g, '"block": "N"');
    await expect(`${said}\n`).toMatchFileSnapshot("demo-verdicts.json");

    // The database of another service contains the accounts with a balance.
    const others = await screened(exactService(service, [...solanaChain.accounts.keys()]));
    expectNotMilder(expected, new Map(others.map((verdict) => [lineOf(verdict), verdict.decision])));
    // One everyday event stays undecided: a token without a label, with a call that only Weir's own service simulates.
    const allowed = [...expected].filter(([, decision]) => decision === "ALLOW").map(([line]) => line);
    const stopped = others.filter((one) => allowed.includes(lineOf(one)) && one.decision !== "ALLOW").map(lineOf);
    expect(stopped).toEqual([58]);
  },
  DEMO_MS,
);
