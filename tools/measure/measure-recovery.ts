/**
 * The gap in screening when the only worker of a group dies, at default settings. The gap lasts from the signal to the
 * first verdict on an event that was written after it; a new worker is started at once. `ROUNDS=5 node
 * tools/measure/measure-recovery.ts`. The delay of a supervisor is not included. Exit status 0: every round reached its
 * target.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startCluster } from "../../test/chaos/cluster.ts";
import { EventMaker } from "../../test/chaos/events.ts";
import { Fleet } from "../../test/chaos/fleet.ts";
import { History } from "../../test/chaos/history.ts";
import { EventProducer } from "../../test/chaos/producer.ts";
import { startService } from "../../test/chaos/service-process.ts";

const PARTITIONS = 12;
const EVENTS_PER_SEC = 80;
const KEY = "a-key-of-the-measurement";
/** Targets, seconds. Required by the project (library-traps, section 4). */
const targets = { SIGKILL: 45, SIGTERM: 10 } as const;
/** Pause between rounds, so that each begins with a quiet group. */
const REST_MS = 8_000;
const PATIENCE_MS = 180_000;

const rounds = Number(process.env["ROUNDS"] ?? 5);
const folder = mkdtempSync(path.join(tmpdir(), "weir-recovery-"));
const cluster = await startCluster(PARTITIONS);
const service = await startService(KEY, path.join(folder, "service.log"));
const { KAFKA_SESSION_TIMEOUT: _short, ...env } = cluster.topics.env as Readonly<Record<string, string>>;
const url = `http://127.0.0.1:${service.port}`;
const fleet = new Fleet(1, { ...env, SERVICE_URL: url, SERVICE_API_KEY: KEY }, folder);
const history = new History();
const producer = new EventProducer();

/** Events in flight to the brokers, which may reach a worker before its signal does. */
const ON_THE_WAY = 40;

/** Seconds until the first verdict on an event that is not written yet. */
async function untilNextVerdict(): Promise<number> {
  const since = performance.now();
  const before = producer.written.size + ON_THE_WAY;
  while (performance.now() - since < PATIENCE_MS) {
    const later = [...producer.written.keys()].slice(before);
    if (later.some((name) => history.said.has(name))) return (performance.now() - since) / 1000;
    await delay(50);
  }
  throw new Error(`no verdict within ${PATIENCE_MS / 1000} s; logs in ${folder}`);
}

let isKept = true;
try {
  await history.start(cluster.direct, cluster.topics);
  fleet.start();
  producer.start(cluster.direct, cluster.topics, new EventMaker(1), EVENTS_PER_SEC, PARTITIONS);
  console.log(`first start: ${(await untilNextVerdict()).toFixed(1)} s`);
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await delay(REST_MS);
      const next = untilNextVerdict();
      await (signal === "SIGKILL" ? fleet.kill(0) : fleet.stop(0));
      took.push(await next);
    }
    isKept &&= Math.max(...took) <= targets[signal];
    console.log(`${signal}: ${took.map((seconds) => seconds.toFixed(1)).join(", ")} s (target ${targets[signal]} s)`);
  }
} finally {
  await producer.stop();
  await fleet.close();
  await history.stop();
  await service.close();
  await cluster.close();
}
process.exit(isKept ? 0 : 1);
