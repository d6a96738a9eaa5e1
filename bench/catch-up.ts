/**
 * A worker that catches up with realtime events from an hour ago, past every deadline, and is killed on the way. It
 * prints verdicts an event, and duplicate verdicts for each kill. `node bench/catch-up.ts [EVENTS] [KILLS]`. Exit
 * status 1 when an event has no verdict, or a figure is beyond its bound.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { defaultBounds } from "../src/worker/offsets/lane-bounds.ts";
import { startKafka } from "../test/servers/kafka-cluster.ts";
import { addressEvent, freshName, produceOnce, quiet } from "../test/servers/records.ts";
import { weirTopics } from "../test/servers/weir-topics.ts";
import { imageSettings, startService } from "./pipeline-run.ts";

const EVENTS = Number(process.argv[2] ?? 200_000);
const KILLS = Number(process.argv[3] ?? 5);
const PARTITIONS = 6;
const HOUR_MS = 3_600_000;
/** Bounds: verdicts an event without kills, and verdicts between two commits. */
const VERDICTS_AN_EVENT = 1.05;
const COMMIT_SEC = 1;
const here = import.meta.dirname;

const cluster = await startKafka({ brokers: 1 });
const service = await startService();
try {
  const kafka = new Kafka({ ...quiet, brokers: [...cluster.bootstrap] });
  const topics = await weirTopics(kafka, cluster.bootstrap, PARTITIONS);
  const timestamp = String(Date.now() - HOUR_MS);
  for (let from = 0; from < EVENTS; from += 10_000) {
    const many = Array.from({ length: Math.min(10_000, EVENTS - from) }, (_, at) => from + at);
    const records = many.map((i) => ({ value: addressEvent(i), partition: i % PARTITIONS, timestamp }));
    await produceOnce(kafka, topics.live, records);
  }
  const said = await watched(kafka, topics.verdicts);
  const env = { ...process.env, ...imageSettings(), ...topics.env, SERVICE_URL: service.url, SERVICE_API_KEY: "k" };
  const start = () =>
    spawn(process.execPath, [path.join(here, "../src/cli/main.ts"), "worker"], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  const begun = performance.now();
  let worker = start();
  let perSecond = 0;
  let before = 0;
  let kills = 0;
  while (said.events < EVENTS) {
    await delay(1_000);
    if (worker.exitCode !== null) throw new Error(`the worker ended with ${worker.exitCode}`);
    perSecond = Math.max(perSecond, said.verdicts - before);
    before = said.verdicts;
    if (kills === KILLS || said.events < ((kills + 1) * EVENTS) / (KILLS + 1)) continue;
    kills++;
    worker.kill("SIGKILL");
    await once(worker, "close");
    worker = start();
  }
  const seconds = (performance.now() - begun) / 1000;
  // Delayed events, and verdicts that are not read yet.
  await delay(15_000);
  worker.kill("SIGTERM");
  await once(worker, "close");
  const { verdicts, events, revisions } = said;
  const duplicates = verdicts - revisions;
  const each = kills === 0 ? 0 : duplicates / kills;
  const bound = defaultBounds.realtime.events + COMMIT_SEC * perSecond;
  const ratio = revisions / events;
  process.stdout.write(
    [
      `${events} events past their deadline, ${kills} kill -9, ${seconds.toFixed(0)} s, at most ${perSecond} verdicts in a second`,
      `verdicts an event, without copies: ${ratio.toFixed(4)} (bound ${VERDICTS_AN_EVENT}); ${said.unanswered} unanswered; with copies ${(verdicts / events).toFixed(4)}`,
      `copies: ${duplicates}, ${each.toFixed(0)} for each kill (bound ${bound}: ${defaultBounds.realtime.events} in flight and a second's worth)`,
      "",
    ].join("\n"),
  );
  if (ratio > VERDICTS_AN_EVENT || each > bound) process.exitCode = 1;
  await said.stop();
} finally {
  service.stop();
  await cluster.close();
}

/** Counts the records of the verdict topic. */
async function watched(kafka: Kafka, topic: string) {
  const firsts = new Set<string>();
  const all = new Set<string>();
  const counts = { verdicts: 0, unanswered: 0 };
  const consumer = kafka.consumer({ groupId: freshName("watch"), maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message: { headers = {} } }) => {
      const [id, revision] = [String(headers["weir-verdict-id"]), String(headers["weir-revision"])];
      counts.verdicts++;
      if (headers["weir-unanswered"] !== undefined) counts.unanswered++;
      firsts.add(id);
      all.add(`${id} ${revision}`);
    },
  });
  return {
    get verdicts() {
      return counts.verdicts;
    },
    get unanswered() {
      return counts.unanswered;
    },
    /** Events with a verdict. */
    get events() {
      return firsts.size;
    },
    /** Verdicts without copies. */
    get revisions() {
      return all.size;
    },
    stop: () => consumer.disconnect(),
  };
}
