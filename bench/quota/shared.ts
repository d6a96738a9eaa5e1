/**
 * Four `weir worker` processes with one key against a server that enforces a quota: `node bench/quota/shared.ts
 * [filter]`. They share the configured quota by the control topic of a real broker. All figures are the server's own.
 * One worker is killed at the end. The last column is the rate of the other three from 12 s later on. `SETTLE` is the
 * time before the first count, seconds.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { sha256 } from "../../src/kernel/hash.ts";
import { startKafka } from "../../test/servers/kafka-cluster.ts";
import { produce, quiet } from "../../test/servers/records.ts";
import { weirTopics } from "../../test/servers/weir-topics.ts";
import { type QuotaCase, quotas } from "./quotas.ts";
import type { Arrivals, Enforced } from "./server.ts";

const PROCESSES = 4;
/** One partition for each worker would be enough. The partitions of a killed worker go to the others. */
const PARTITIONS = 8;
const SETTLE_SECONDS = Number(process.env["SETTLE"] ?? 0);
/** Counted time before the kill and after it: 30 windows, or at least one. */
const COUNTED_SECONDS = 30;
const LONG_COUNTED_SECONDS = 90;
/** Time until the others have the share of a killed worker. */
const FREED_SECONDS = 12;
const START_SECONDS = 60;
const here = import.meta.dirname;

interface Seen {
  readonly arrivals: readonly Arrivals[];
  /** Seconds since the first request. */
  readonly seconds: number;
}

const folder = await mkdtemp(path.join(tmpdir(), "weir-bench-"));
const policyFile = await classifyingPolicy();
const cluster = await startKafka({ brokers: 1 });
const kafka = new Kafka({ ...quiet, brokers: [...cluster.bootstrap] });
process.stdout.write(
  `| quota | four of the quota | floor | 429s | three, ${FREED_SECONDS} s after the kill |\n| --- | --- | --- | --- | --- |\n`,
);
try {
  const [, , filter = ""] = process.argv;
  for (const each of quotas.filter(({ name }) => name.includes(filter))) await measure(each);
} finally {
  await cluster.close();
  await rm(folder, { recursive: true });
}

async function measure({ name, enforced }: QuotaCase): Promise<void> {
  const { requests, windowMs } = enforced;
  const perSecond = (1_000 * requests) / windowMs;
  const counted = windowMs > 1_000 ? LONG_COUNTED_SECONDS : COUNTED_SECONDS;
  const server = fork(path.join(here, "server.ts"), [JSON.stringify(enforced)]);
  const workers: ChildProcess[] = [];
  try {
    const url = String(Object((await once(server, "message"))[0]).url);
    const look = async (): Promise<Seen> => {
      server.send("arrivals");
      return Object((await once(server, "message"))[0]);
    };
    const topics = await weirTopics(kafka, cluster.bootstrap, PARTITIONS);
    const events = Math.ceil(perSecond * (START_SECONDS + SETTLE_SECONDS + 2 * counted + FREED_SECONDS));
    for (let from = 0; from < PARTITIONS; from++)
      await produce(
        kafka,
        topics.bulk,
        Array.from({ length: Math.ceil(events / PARTITIONS) * 2 }, (_, i) => event(i * PARTITIONS + from)),
        from,
      );
    const env = {
      ...process.env,
      ...topics.env,
      SERVICE_URL: url,
      SERVICE_API_KEY: "k",
      SERVICE_QUOTA: `${requests}/${windowMs / 1_000}s`,
      POLICY_FILE: policyFile,
      LOG_LEVEL: "error",
    };
    const main = path.join(here, "../../src/cli/main.ts");
    for (let i = 0; i < PROCESSES; i++)
      workers.push(spawn(process.execPath, [main, "worker"], { env, stdio: ["ignore", "ignore", "inherit"] }));
    await atWork(look, 0.95 * (perSecond - (1_000 * PROCESSES) / windowMs));
    await delay(1_000 * SETTLE_SECONDS);
    const begun = await look();
    await delay(1_000 * counted);
    const full = await look();
    const [killed] = workers;
    killed?.kill("SIGKILL");
    await delay(1_000 * FREED_SECONDS);
    const freed = await look();
    await delay(1_000 * counted);
    const end = await look();
    const all = end.arrivals.reduce((sum, { taken, refused }) => sum + taken + refused, 0);
    const refused = end.arrivals.reduce((sum, second) => sum + second.refused, 0);
    const [four, three] = [
      [begun, full],
      [freed, end],
    ].map(([from, until]) => (taken(until) - taken(from)) / (perSecond * (secondsOf(until) - secondsOf(from))));
    process.stdout.write(
      `| ${name} | ${four?.toFixed(3)} | ${floorOf(enforced, PROCESSES).toFixed(3)} | ${((100 * refused) / all).toFixed(2)} % | ${three?.toFixed(3)} |\n`,
    );
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    server.disconnect();
  }
}

/** The least share of the quota that `processes` must use. */
function floorOf({ kind, burst, requests, windowMs }: Enforced, processes: number): number {
  const isEasy = (requests >= 200 && windowMs === 1_000) || (kind === "bucket" && burst >= processes);
  return isEasy ? 0.95 : (0.98 * (requests - processes)) / requests;
}

/** Returns once requests have come at this rate for five seconds. */
async function atWork(look: () => Promise<Seen>, perSecond: number): Promise<void> {
  const deadline = performance.now() + 1_000 * START_SECONDS;
  for (let before = await look(); ; ) {
    await delay(5_000);
    const now = await look();
    // By the bench's own time: shortly after the first request, the server's own seconds would give any rate.
    if ((taken(now) - taken(before)) / 5 >= perSecond) return;
    if (performance.now() > deadline) return;
    before = now;
  }
}

function taken(seen: Seen | undefined): number {
  return seen?.arrivals.reduce((sum, second) => sum + second.taken, 0) ?? 0;
}

function secondsOf(seen: Seen | undefined): number {
  return seen?.seconds ?? 0;
}

function event(i: number): string {
  const address = `0x${sha256(`address ${i}`).slice(0, 40)}`;
  return JSON.stringify({ id: `event-${i}`, type: "address", chain_id: "1", address });
}

/** A policy that needs a separate request for each address. */
async function classifyingPolicy(): Promise<string> {
  const policy = JSON.parse(await readFile(path.join(here, "../../data/policy.json"), "utf8"));
  policy.tables.default.required_checks.address = ["classification"];
  const file = path.join(folder, "policy.json");
  await writeFile(file, JSON.stringify(policy));
  return file;
}
