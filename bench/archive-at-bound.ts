/**
 * `weir archive` at its full bound: `node bench/archive-at-bound.ts`. A verdict topic of four partitions holds more
 * than fits into memory, and S3 is down. It prints the waiting bytes, the memory of the process, and the longest stall
 * of its event loop. Then S3 comes back, and everything is archived. It runs on a separate Kafka and S3 server; seeded.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { sha256 } from "../src/kernel/hash.ts";
import { seededRandom } from "../src/kernel/retry.ts";
import { freePorts } from "../test/servers/free-ports.ts";
import { startKafka } from "../test/servers/kafka-cluster.ts";
import { quiet } from "../test/servers/records.ts";
import { s3Env, startS3 } from "../test/servers/s3-server.ts";
import { weirTopics } from "../test/servers/weir-topics.ts";

const PARTITIONS = 4;
/** 100,000 such lines are 64 MiB, so that both bounds of an object are met. */
const LINE_BYTES = 670;
const LINES = 250_000;
const OUTAGE_MS = 60_000;
const MIB = 2 ** 20;
const PATIENCE_MS = 300_000;
/** The file of the archive's log; without it the log is dropped. */
const LOG = process.env["LOG"];

const random = seededRandom(20_261_122);
const [adminPort = 0] = await freePorts(1);
const cluster = await startKafka({ brokers: 1 });
const s3 = await startS3();
const kafka = new Kafka({ ...quiet, brokers: [...cluster.bootstrap] });
const topics = await weirTopics(kafka, cluster.bootstrap, PARTITIONS);

/** As long as a verdict, and about as hard to compress: half of it is hashes and addresses. */
function line(i: number): string {
  const hashes = Array.from({ length: 4 }, () => sha256(String(random()))).join(",");
  const start = `{"schema":"weir.verdict/1","decided_at":"2026-11-22T00:00:00.000Z","n":${i},"hashes":"${hashes}","text":"`;
  return `${start}${"the same in each ".repeat(40).slice(0, LINE_BYTES - start.length - 2)}"}`;
}

async function fill(): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  for (let sent = 0; sent < LINES; sent += 1_000) {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const messages = Array.from({ length: 1_000 }, (_, i) => ({ value: line(sent + i), partition }));
      await producer.send({ topic: topics.verdicts, messages });
    }
  }
  await producer.disconnect();
}

async function gauges(): Promise<(name: string) => number> {
  const text = await fetch(`http://127.0.0.1:${adminPort}/metrics`).then((answer) => answer.text());
  return (name) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, "m").exec(text)?.[1]);
}

/** Peak memory so far, MiB. */
function peakMib({ pid }: ChildProcess): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

/** Looks every second until `isOver`; prints the longest stall of the event loop. */
async function watch(
  what: string,
  archive: ChildProcess,
  isOver: (ms: number, of: (name: string) => number) => boolean,
) {
  const began = performance.now();
  let pause = 0;
  for (;;) {
    await delay(1_000);
    const of = await gauges();
    pause = Math.max(pause, of("nodejs_eventloop_lag_max_seconds"));
    const took = performance.now() - began;
    if (isOver(took, of)) {
      const memory = `RSS ${(of("process_resident_memory_bytes") / MIB).toFixed(0)} MiB, peak ${peakMib(archive).toFixed(0)} MiB`;
      const waiting = `${(of("weir_archive_waiting_bytes") / MIB).toFixed(0)} MiB wait`;
      console.log(
        `${what.padEnd(22)} ${(took / 1_000).toFixed(0)} s: ${waiting}; ${memory}; event loop held up for ${(1_000 * pause).toFixed(0)} ms at most; CPU ${of("process_cpu_seconds_total").toFixed(1)} s so far`,
      );
      return;
    }
    if (took > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s`);
  }
}

const children: ChildProcess[] = [];
try {
  await fill();
  console.log(`${PARTITIONS} partitions of ${LINES} lines of ${line(0).length + 1} bytes`);
  const main = path.join(import.meta.dirname, "../src/cli/main.ts");
  await s3.kill();
  const archive = spawn(process.execPath, [main, "archive"], {
    env: { PATH: process.env["PATH"], ...topics.env, ...s3Env(s3), ADMIN_PORT: String(adminPort), ARCHIVE_AGE: "60s" },
    stdio: ["ignore", LOG === undefined ? "ignore" : openSync(LOG, "w"), "inherit"],
  });
  children.push(archive);
  const up = () =>
    gauges().then(
      () => true,
      () => false,
    );
  while (!(await up())) await delay(100);
  // A group without a commit queries the store for its start position. The store is up only for that.
  await s3.start();
  await watch("joined", archive, (_, of) => of("weir_archive_waiting_bytes") > 0);
  await s3.kill();
  await watch("memory full, S3 away", archive, (ms, of) => ms > OUTAGE_MS && of("weir_archive_waiting_bytes") > 0);
  await s3.start();
  const before = (await gauges())("weir_archive_bytes_total");
  const back = performance.now();
  await watch("S3 back, all read", archive, (_, of) => of("weir_archive_lag_records") === 0);
  const archived = ((await gauges())("weir_archive_bytes_total") - before) / MIB;
  const seconds = (performance.now() - back) / 1_000;
  console.log(`archived since S3 is back: ${archived.toFixed(0)} MiB, ${(archived / seconds).toFixed(0)} MiB a second`);
  await watch("the rest, by its age", archive, (_, of) => of("weir_archive_waiting_bytes") === 0);
  archive.kill("SIGTERM");
  const [status] = await once(archive, "close");
  console.log(`stopped with status ${status}`);
} finally {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([cluster.close(), s3.close()]);
}
