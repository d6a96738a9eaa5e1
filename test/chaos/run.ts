import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { defaultBounds } from "../../src/worker/offsets/lane-bounds.ts";
import { type FaultProxy, startProxy } from "../servers/fault-proxy.ts";
import { readTopics } from "../servers/read-topics.ts";
import { ShownSecrets } from "../support/shown-secrets.ts";
import { type ChaosCluster, lagOf, startCluster } from "./cluster.ts";
import { type DisturbanceCounts, disturb } from "./disturbances.ts";
import { EventMaker } from "./events.ts";
import { Fleet } from "./fleet.ts";
import { History } from "./history.ts";
import { isSettled, type Judgement, judge } from "./judge.ts";
import { EventProducer } from "./producer.ts";
import type { LogLine } from "./service-log.ts";
import { type ServiceProcess, startService } from "./service-process.ts";
import type { ChaosSettings } from "./settings.ts";
import { auditFindings, type ChaosStore, startStore } from "./store.ts";
import { tooManyAnEvent, tooManyTwice } from "./too-many-twice.ts";

export interface ChaosReport {
  readonly summary: readonly string[];
  readonly faults: readonly string[];
}

/** Age of the backlog: older than every deadline. */
const BACKLOG_AGE_MS = 3_600_000;

interface World {
  readonly cluster: ChaosCluster;
  readonly service: ServiceProcess;
  readonly serviceProxy: FaultProxy;
  readonly store: ChaosStore;
  readonly fleet: Fleet;
  readonly history: History;
  readonly producer: EventProducer;
  /** The secrets of the workers. */
  readonly secrets: ShownSecrets;
}

/**
 * A run with real brokers, real workers, a real service and a real S3 server. Everything is disturbed while events
 * flow, then repaired. Then the whole history is compared with the truth, and the archive is audited. The logs of all
 * processes are in `folder`.
 */
export async function runChaos(
  settings: ChaosSettings,
  folder: string,
  say: (line: string) => void,
): Promise<ChaosReport> {
  const begun = performance.now();
  await mkdir(folder, { recursive: true });
  const note = (what: string) => {
    const line = `${((performance.now() - begun) / 1000).toFixed(1)} s ${what}`;
    void appendFile(path.join(folder, "timeline.log"), `${new Date().toISOString()} ${line}\n`);
    say(line);
  };
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const world = await open(settings, folder, closers);
    const { cluster, fleet, history, producer } = world;
    const maker = new EventMaker(settings.seed);
    const backlog = { count: settings.backlog, ageMs: BACKLOG_AGE_MS, partitions: settings.partitions };
    await producer.writeBacklog(cluster.direct, cluster.topics.live, maker, backlog);
    // The present load of the machine counts. More load than required would only measure the session timeout.
    const burners = Math.max(0, Math.round(settings.load - (loadavg()[0] ?? 0)));
    for (let i = 0; i < burners; i++) closers.push(startBurner());
    note(`${burners} processes keep processors busy, beside a load of ${loadavg()[0]?.toFixed(1)}`);
    const startedAt = performance.now();
    fleet.start();
    producer.start(cluster.direct, cluster.topics, maker, settings.eventsPerSec, settings.partitions);
    const counts: DisturbanceCounts = {
      brokerKills: 0,
      brokerStops: 0,
      leaderMoves: 0,
      brownOuts: new Map(),
      networkFaults: new Map(),
      storeOutages: new Map(),
    };
    const progress = setInterval(() => note(progressOf(world)), 15_000);
    const faults: string[] = [];
    try {
      await disturb({ settings, ...world, note }, counts);
      note("all disturbances are over");
      while (producer.written.size < settings.events) await delay(200);
      await producer.stop();
      note(`${producer.written.size} events are written`);
      faults.push(...(await drain(world, settings, note)));
    } finally {
      clearInterval(progress);
    }
    const workedSec = (performance.now() - startedAt) / 1000;
    await fleet.close();
    note("all workers have stopped");
    const log = await readLog(path.join(folder, "service.log"));
    const judged = judge(producer.written, history, log);
    note("the archive is audited");
    faults.push(...(await auditFindings({ ...cluster.topics.env, ...world.store.env })));
    faults.push(...fleet.faults, ...judged.faults, ...(await shownSecrets(world, settings, folder)));
    // Entries that never occur are never judged.
    if (judged.plainAnswers === 0) faults.push("no verdict is by an answer that says no more than the interface");
    const disturbances = disturbancesOf(world, counts);
    const events = producer.written.size;
    const { live } = cluster.topics;
    // While the service fails, a provisional UNKNOWN is the right verdict.
    if (settings.backlog === 0 || settings.brownOuts > 0)
      faults.push(...tooManyTwice(judged, { events, disturbances, live }));
    else {
      // Events in flight in each worker, and verdicts between two commits, which are a second apart.
      const each = settings.workers * defaultBounds.realtime.events + history.verdicts / workedSec;
      faults.push(...tooManyTwice(judged, { events, disturbances, live, each }));
      faults.push(...tooManyAnEvent({ verdicts: history.verdicts, duplicates: judged.duplicates }, events));
    }
    const summary = summaryOf(settings, world, counts, judged, log, (performance.now() - begun) / 1000);
    await writeFile(path.join(folder, "faults.txt"), faults.join("\n"));
    await writeFile(path.join(folder, "summary.txt"), summary.join("\n"));
    return { summary, faults };
  } finally {
    for (const close of closers.reverse()) await close().catch((thrown: unknown) => note(`closing: ${thrown}`));
  }
}

/** Starts a process that keeps a processor busy. @returns the function that ends it. */
function startBurner(): () => Promise<void> {
  const child = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  const ended = once(child, "close");
  return async () => {
    child.kill("SIGKILL");
    await ended;
  };
}

async function open(settings: ChaosSettings, folder: string, closers: (() => Promise<unknown>)[]): Promise<World> {
  const key = `chaos-key-${randomBytes(12).toString("hex")}`;
  const cluster = await startCluster(settings.partitions);
  closers.push(async () => {
    const logs = cluster.kafka.nodes.map((node, i) => writeFile(path.join(folder, `broker-${i + 1}.log`), node.log));
    await Promise.all(logs);
    await cluster.close();
  });
  const service = await startService(key, path.join(folder, "service.log"), settings.seed);
  closers.push(() => service.close());
  const serviceProxy = await startProxy({ target: { host: "127.0.0.1", port: service.port } });
  closers.push(() => serviceProxy.close());
  const store = await startStore();
  closers.push(() => store.close());
  const env = {
    ...cluster.topics.env,
    ...store.env,
    ARCHIVE_AGE: "5s",
    SERVICE_URL: `http://${serviceProxy.host}:${serviceProxy.port}`,
    SERVICE_API_KEY: key,
    SERVICE_TIMEOUT_MS: "3000",
    // The service has its own scale (truth.ts): level 1, score 90, threat 0.
    SERVICE_LEVELS: "0-1=INFO,90=INFO,threat:0=INFO,trust:1=INFO",
    DECISION_DEADLINE: "10s",
  };
  const fleet = new Fleet(settings.workers, env, folder);
  const history = new History();
  const producer = new EventProducer();
  await history.start(cluster.direct, cluster.topics);
  closers.push(() => history.stop());
  closers.push(() => fleet.close());
  closers.push(() => producer.stop());
  return { cluster, service, serviceProxy, store, fleet, history, producer, secrets: new ShownSecrets(env) };
}

/** Waits until every event has its final verdict, every topic is consumed, and all verdicts are read. */
async function drain(
  { cluster, history, producer }: World,
  settings: ChaosSettings,
  note: (what: string) => void,
): Promise<readonly string[]> {
  const { topics, direct } = cluster;
  const tiers = ["10s", "1m", "10m"].map((tier) => `${topics.retryPrefix}.${tier}`);
  const until = performance.now() + settings.drainSec * 1000;
  const open = new Set(producer.written.keys());
  let what = "";
  while (performance.now() < until) {
    for (const name of open) if (isSettled(history.said.get(name))) open.delete(name);
    const lag =
      open.size > 0
        ? []
        : await Promise.all([
            lagOf(direct, topics.group, [topics.live, topics.bulk]),
            lagOf(direct, `${topics.group}-retry`, tiers),
            lagOf(direct, `${topics.group}-archive`, [topics.verdicts]),
          ]);
    const isRead = lag.length > 0 && (await history.isComplete(direct, topics));
    what = `${open.size} events without their last word, lag ${lag.join(" and ")}, all verdicts read: ${isRead}`;
    if (open.size === 0 && lag.every((each) => each === 0) && isRead) {
      note("everything is drained");
      return [];
    }
    await delay(1_000);
  }
  return [`not drained after ${settings.drainSec} s: ${what}`];
}

function progressOf({ producer, history, fleet }: World): string {
  const { kills, stops, ownEnds } = fleet.counts;
  const ends = [...ownEnds].map(([status, count]) => `${count} x ${status}`).join(", ") || "none";
  return `${producer.written.size} events, ${history.said.size} with a verdict, ${history.verdicts} verdicts, ${kills} kills, ${stops} stops, own ends: ${ends}`;
}

async function readLog(file: string): Promise<ReadonlyMap<number, LogLine>> {
  const lines = new Map<number, LogLine>();
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const line = JSON.parse(text) as LogLine;
    lines.set(line.number, line);
  }
  return lines;
}

/** Secrets of the workers that occur in a log, in metrics, in the archive or in any topic. */
async function shownSecrets(
  { secrets, store, cluster, fleet }: World,
  { workers }: ChaosSettings,
  folder: string,
): Promise<readonly string[]> {
  const texts = new Map(await store.contents());
  for (let i = 0; i < workers; i++) {
    texts.set(`the log of worker ${i}`, await readFile(path.join(folder, `worker-${i}.log`), "utf8"));
    const metrics = await readFile(path.join(folder, `worker-${i}.metrics`), "utf8").catch(() => "");
    texts.set(`the metrics of worker ${i}`, metrics);
  }
  const found = new Set<string>();
  const look = (where: string, text: string) => {
    for (const setting of secrets.in(text)) found.add(`${where} shows ${setting}`);
  };
  for (const [where, text] of texts) look(where, text);
  const counts = await readTopics(cluster.direct, cluster.topics.all, look);
  // A search without texts finds nothing.
  const metricsAreThere = [...texts.values()].some((text) => text.includes("weir_verdicts_total"));
  if (!metricsAreThere) found.add(`no worker has shown its metrics, in ${fleet.counts.scrapes} tries`);
  if (counts.get(cluster.topics.verdicts) === 0) found.add("no verdict was searched for secrets");
  return [...found];
}

/** Number of disturbances of reading, writing and committing: each restart of a worker follows an end. */
function disturbancesOf({ fleet }: World, { brokerKills, brokerStops, networkFaults }: DisturbanceCounts): number {
  const faults = [...networkFaults.values()].reduce((sum, each) => sum + each, 0);
  return fleet.counts.starts + brokerKills + brokerStops + faults;
}

function summaryOf(
  settings: ChaosSettings,
  { producer, history, fleet }: World,
  counts: DisturbanceCounts,
  judged: Judgement,
  log: ReadonlyMap<number, LogLine>,
  seconds: number,
): readonly string[] {
  const { starts, kills, stops, slowestStopMs, ownEnds, scrapes } = fleet.counts;
  const all = (map: ReadonlyMap<string, number>) =>
    [...map].map(([name, count]) => `${name} ${count}`).join(", ") || "none";
  const outcomes = new Map<string, number>();
  for (const { outcome } of log.values()) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const events = [...producer.written.values()];
  const malformed = events.filter(({ target }) => target === undefined).length;
  const blocks = events.filter(({ decision }) => decision === "BLOCK").length;
  const { lost, wrong, duplicates, sentAgain, vaguer, worstPartition, laterRevisions, plainAnswers } = judged;
  const anEvent = (history.verdicts - duplicates) / events.length;
  return [
    `seed ${settings.seed}, ${seconds.toFixed(0)} s`,
    `events: ${events.length} (${blocks} to block, ${malformed} malformed; ${producer.repeated} sends repeated)`,
    `verdicts: ${history.verdicts}, ${laterRevisions} of them later revisions, ${plainAnswers} by plain answers; dead letters: ${history.deadLetters.size}`,
    `lost: ${lost}; wrong: ${wrong}`,
    `verdicts an event: ${anEvent.toFixed(3)} without duplicates, ${(history.verdicts / events.length).toFixed(3)} with them; backlog ${settings.backlog}, load ${loadavg()
      .map((each) => each.toFixed(1))
      .join(" ")}`,
    `duplicates: ${duplicates}, ${sentAgain} of them sent again, ${vaguer} unanswered after an answer; most in one partition: ${worstPartition.duplicates}, of ${worstPartition.verdicts} verdicts`,
    `workers: ${starts} starts, ${kills} kill -9, ${stops} SIGTERM (slowest ${(slowestStopMs / 1000).toFixed(1)} s); ended by themselves: ${all(ownEnds)}`,
    `metrics were read ${scrapes} times`,
    `brokers: ${counts.brokerKills} killed, ${counts.brokerStops} stopped, ${counts.leaderMoves} leaders moved; network: ${all(counts.networkFaults)}`,
    `service: ${all(counts.brownOuts)}`,
    `store: ${all(counts.storeOutages)}`,
    `requests: ${log.size} (${all(outcomes)})`,
  ];
}
