import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { type MetricDefinition, metricDefinitions } from "../../src/adapters/prometheus/metric-definitions.ts";
import { EventMaker } from "../chaos/events.ts";
import { startService } from "../chaos/service-process.ts";
import { clusterTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { produce, quiet } from "../servers/records.ts";
import { s3Env, startS3 } from "../servers/s3-server.ts";
import { weirTopics } from "../servers/weir-topics.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const KEY = "a-key-of-this-test";
const SCRAPE_EVERY_MS = 20;

/** Metrics that this worker need not show, with the reasons. Their unit tests read them after calls of the recorder. */
const notHere: Readonly<Record<string, string>> = {
  weir_pooling_off: "the service that is asked here flags what it must",
  weir_archive_down: "the brokers stay, so the archive's consumer does; test/unit/cli has how it comes back",
  weir_archive_halted_partitions: "nobody else writes to this bucket",
  weir_archive_lost_records_total: "the topic deletes nothing as long as this runs",
  weir_quota_share: "no quota is given here; the unit test of the metrics has it",
  weir_quota_members: "no quota is given here; the unit test of the metrics has it",
  weir_archive_lag_records: "the archive reads as fast as a few hundred verdicts come",
  weir_list_entries: "no list is loaded here; the unit test of the metrics has it",
  weir_list_date_seconds: "no list is loaded here; the unit test of the metrics has it",
  weir_list_age_seconds: "no list is loaded here; the unit test of the metrics has it",
  weir_list_not_reloaded: "no list is loaded here; test/kafka/lists has how one is refused",
  weir_missing_topics: "no topic is deleted here; the unit test of the metrics has it",
  weir_truncated_partitions_total: "no leader lacks records here; the unit test of the metrics has it",
  weir_recreated_partitions_total: "no topic is made anew here; the unit test of the metrics has it",
  weir_fetches_without_progress: "every fetch gets on here; the unit test of the metrics has it",
  weir_schema_requests_total: "every record is JSON here; test/kafka/schema-registry.test.ts has a registry",
  weir_schema_registry_down: "every record is JSON here; the unit test of the registry's cache has it",
  weir_schemas_waiting: "every record is JSON here; the unit test of the registry's cache has it",
  weir_served_requests_total: "a service's metric, not a worker's",
  weir_served_seconds: "a service's metric, not a worker's",
};

/** The peak value of each series of a process. */
function peaksOf(url: string): ReadonlyMap<string, number> {
  const peaks = new Map<string, number>();
  const ended = new AbortController();
  const scrape = async () => {
    while (!ended.signal.aborted) {
      const text = await (await fetch(`${url}/metrics`)).text();
      for (const [, series = "", value] of text.matchAll(/^(weir_\S*(?:\{.*\})?) (\S+)$/gm))
        peaks.set(series, Math.max(peaks.get(series) ?? 0, Number(value)));
      await delay(SCRAPE_EVERY_MS);
    }
  };
  const scraping = scrape();
  onTestFinished(async () => {
    ended.abort();
    await scraping;
  });
  return peaks;
}

/** Whether any series of the row was ever above 0. */
function hasMoved({ name, type }: MetricDefinition, peaks: ReadonlyMap<string, number>): boolean {
  const base = type === "histogram" ? `${name}_count` : name;
  return [...peaks].some(([series, value]) => value > 0 && series.split("{")[0] === base);
}

clusterTest(
  "a worker that meets every fault moves every metric of the table, but for those that are named here",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "weir-metrics-"));
    const service = await startService(KEY, path.join(folder, "service.log"));
    const s3 = await startS3();
    onTestFinished(() => service.close());
    onTestFinished(() => s3.close());
    const topics = await weirTopics(kafka, sharedBootstrap);
    const env = {
      ...topics.env,
      ...s3Env(s3),
      ARCHIVE_AGE: "1s",
      SERVICE_URL: `http://127.0.0.1:${service.port}`,
      SERVICE_API_KEY: KEY,
      SERVICE_QUOTA: "50/1s",
      DECISION_DEADLINE: "2s",
    };
    const worker = start(["worker"], env);
    const [, url = ""] = await worker.untilSaid(/"url":"(http:[^"]+)"/);
    const peaks = peaksOf(url);
    const maker = new EventMaker(1);
    const more = async (count: number) => {
      const events = Array.from({ length: count }, () => maker.next().value);
      await produce(kafka, topics.live, events);
      // The previous answers are cached.
      await produce(kafka, topics.bulk, events);
    };
    const until = (series: string) =>
      eventually(
        () => peaks.get(series) ?? 0,
        (value) => value > 0,
        `${series} moves`,
        BROKERS_MS,
      );

    await more(400);
    await until('weir_verdicts_total{lane="realtime",decision="ALLOW"}');
    await until("weir_archive_objects_total");
    for (const [mood, cause] of [
      ["limitedSilently", "rate limited"],
      ["failing", "failing"],
      ["refusedKey", "unauthorized"],
    ] as const) {
      await service.set(mood);
      // While the service fails, more events arrive than may be in flight, so some are not read.
      await more(mood === "failing" ? 6_000 : 40);
      await until(`weir_service_closed{cause="${cause}"}`);
      await service.set("well");
    }
    await until('weir_tickets_total{lane="realtime"}');
    await s3.kill();
    await more(100);
    await until('weir_archive_failures_total{step="store"}');
    const unmoved = () =>
      Object.values<MetricDefinition>(metricDefinitions)
        .filter((row) => !(row.name in notHere) && !hasMoved(row, peaks))
        .map(({ name }) => name);
    await eventually(unmoved, ({ length }) => length === 0, "metrics that have not moved", BROKERS_MS);
    const names = Object.values<MetricDefinition>(metricDefinitions).map(({ name }) => name);
    expect(Object.keys(notHere).filter((name) => !names.includes(name))).toEqual([]);
  },
  300_000,
);
