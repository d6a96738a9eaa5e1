/**
 * The effect of an S3 outage on verdicts: a worker screens realtime events all the time, and its S3 server is down for
 * a while. It prints the duration of verdicts before, during and after the outage. It also prints the age of the
 * archive, the time to catch up, and the findings of the audit. `SECONDS=600 node tools/measure/measure-outage.ts`.
 * Exit status 0: every event has its verdict, and the archive is complete. The median duration during the outage is at
 * most twice the one before.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { sha256 } from "../../src/kernel/hash.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { Fleet } from "../../test/chaos/fleet.ts";
import { startService } from "../../test/chaos/service-process.ts";
import { auditFindings } from "../../test/chaos/store.ts";
import { freePorts } from "../../test/servers/free-ports.ts";
import { startKafka } from "../../test/servers/kafka-cluster.ts";
import { quiet } from "../../test/servers/records.ts";
import { s3Env, startS3 } from "../../test/servers/s3-server.ts";
import { weirTopics } from "../../test/servers/weir-topics.ts";

const OUTAGE_S = Number(process.env["SECONDS"] ?? 600);
/** Quiet time before and after the outage. */
const QUIET_S = Math.min(60, OUTAGE_S);
const EVENTS_EVERY_MS = 50;
/** Warm-up of the worker. */
const WARM_UP_MS = 10_000;
const PATIENCE_MS = 120_000;
const KEY = "a-key-of-the-measurement";

const folder = mkdtempSync(path.join(tmpdir(), "weir-outage-"));
const [adminPort = 0] = await freePorts(1);
const kafka = await startKafka({ brokers: 1 });
const s3 = await startS3();
const client = new Kafka({ ...quiet, brokers: [...kafka.bootstrap] });
const topics = await weirTopics(client, kafka.bootstrap, 2);
const service = await startService(KEY, path.join(folder, "service.log"));
const asking = { SERVICE_URL: `http://127.0.0.1:${service.port}`, SERVICE_API_KEY: KEY };
const archive = { ...s3Env(s3), ARCHIVE_AGE: "5s" };
const fleet = new Fleet(1, { ...topics.env, ...asking, ...archive, ADMIN_PORT: String(adminPort) }, folder);
const producer = client.producer();
const consumer = client.consumer({ groupId: `${topics.group}-measured`, maxWaitTimeInMs: 50 });

const sentAt = new Map<string, number>();
const tookMs = new Map<string, number>();
const phases: { readonly name: string; readonly events: string[] }[] = [];
let isOver = false;

async function produceAll(): Promise<void> {
  for (let i = 0; !isOver; i++) {
    const id = `event-${i}`;
    const address = (role: string) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
    const event = { id, type: "address", chain_id: "1", address: address("t"), user_addresses: [address("u")] };
    sentAt.set(id, Date.now());
    phases.at(-1)?.events.push(id);
    await producer.send({ topic: topics.live, messages: [{ value: JSON.stringify(event) }] });
    await delay(EVENTS_EVERY_MS);
  }
}

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]);
}

function spread(events: readonly string[]): { readonly half: number; readonly most: number } {
  const sorted = events.map((id) => tookMs.get(id) ?? Number.NaN).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { half: at(0.5), most: at(0.99) };
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`);
    await delay(200);
  }
  return performance.now() - began;
}

const phase = async (name: string, seconds: number) => {
  phases.push({ name, events: [] });
  await delay(seconds * 1_000);
};

try {
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topic: topics.verdicts, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const { event_id } = Verdict.parse(JSON.parse(String(message.value)));
      if (!tookMs.has(event_id)) tookMs.set(event_id, Date.now() - (sentAt.get(event_id) ?? Number.NaN));
    },
  });
  fleet.start();
  const producing = produceAll();
  await phase("start", WARM_UP_MS / 1_000);
  await phase("before", QUIET_S);
  await s3.kill();
  await phase("meanwhile", OUTAGE_S);
  const oldest = await gauge("weir_archive_oldest_seconds");
  const waiting = await gauge("weir_archive_waiting_bytes");
  await s3.start();
  const back = performance.now();
  phases.push({ name: "after", events: [] });
  await until("the archive caught up", async () => (await gauge("weir_archive_oldest_seconds")) < 10);
  const caughtUp = performance.now() - back;
  await delay(QUIET_S * 1_000);
  isOver = true;
  await producing;
  await until("a verdict on every event", () => tookMs.size === sentAt.size);
  await until("everything archived", async () => {
    const lag = await gauge("weir_archive_lag_records");
    return lag === 0 && (await gauge("weir_archive_waiting_bytes")) === 0;
  });
  for (const { name, events } of phases.slice(1)) {
    const { half, most } = spread(events);
    console.log(`${name.padEnd(10)} ${events.length} events: half within ${half} ms, 99 % within ${most} ms`);
  }
  console.log(`archive at the end of ${OUTAGE_S} s: ${oldest.toFixed(0)} s old, ${waiting} bytes wait`);
  console.log(`caught up after ${(caughtUp / 1_000).toFixed(1)} s`);
  await fleet.close();
  const findings = await auditFindings({ ...topics.env, ...archive });
  console.log(findings.length === 0 ? "audit: nothing is wrong" : findings.join("\n"));
  const [before, meanwhile] = ["before", "meanwhile"].map((name) =>
    spread(phases.find((each) => each.name === name)?.events ?? []),
  );
  if (findings.length > 0 || (meanwhile?.half ?? 0) > 2 * (before?.half ?? 0)) process.exitCode = 1;
} catch (thrown) {
  console.error(readFileSync(path.join(folder, "worker-0.log"), "utf8").slice(-2_000));
  throw thrown;
} finally {
  isOver = true;
  await fleet.close();
  await Promise.allSettled([producer.disconnect(), consumer.disconnect(), service.close()]);
  await Promise.all([kafka.close(), s3.close()]);
  rmSync(folder, { recursive: true, force: true });
}
