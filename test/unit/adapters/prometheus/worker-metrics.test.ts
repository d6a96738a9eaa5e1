import { describe, expect, test } from "vitest";
import { ArchiveMetrics, setArchiveLocation } from "../../../../src/adapters/prometheus/archive-metrics.ts";
import { CommitMetrics } from "../../../../src/adapters/prometheus/commit-metrics.ts";
import { showLists } from "../../../../src/adapters/prometheus/list-metrics.ts";
import { groups, metricDefinitions } from "../../../../src/adapters/prometheus/metric-definitions.ts";
import { MetricSet } from "../../../../src/adapters/prometheus/metric-set.ts";
import { RegistryMetrics } from "../../../../src/adapters/prometheus/registry-metrics.ts";
import { ServiceMetrics } from "../../../../src/adapters/prometheus/service-metrics.ts";
import { type Gauges, WorkerMetrics } from "../../../../src/adapters/prometheus/worker-metrics.ts";
import { routes } from "../../../../src/api/routes.ts";
import { checks } from "../../../../src/messages/checks.ts";
import { failureCodes, type Verdict } from "../../../../src/messages/verdict.ts";
import { seriesOf } from "../../../support/series.ts";

function metricsOf() {
  const set = new MetricSet();
  return { set, metrics: new WorkerMetrics(set, ["mimics_user"]) };
}
const verdict = (decision: Verdict["decision"], findings: readonly [string, "INFO" | "BLOCK" | "UNKNOWN"][]) =>
  ({
    decision,
    reasons: findings.map(([finding, severity]) => ({ check: "poisoning", finding, severity, detail: "" })),
  }) as unknown as Verdict;

describe("each metric shows the events:", () => {
  test("events, tickets and verdicts by lane and decision, and their duration", async () => {
    const { set, metrics } = metricsOf();
    metrics.event("realtime");
    metrics.event("realtime");
    metrics.ticket("backfill");
    metrics.verdict(verdict("BLOCK", [["mimics_user", "BLOCK"]]), "realtime", 2_000);
    metrics.verdict(verdict("ALLOW", []), "backfill", -5);

    expect(await seriesOf(set, "weir_events_total")).toEqual({ '{lane="realtime"}': 2, '{lane="backfill"}': 0 });
    expect(await seriesOf(set, "weir_tickets_total")).toEqual({ '{lane="realtime"}': 0, '{lane="backfill"}': 1 });
    const verdicts = await seriesOf(set, "weir_verdicts_total");
    expect(verdicts['{lane="realtime",decision="BLOCK"}']).toBe(1);
    expect(verdicts['{lane="backfill",decision="ALLOW"}']).toBe(1);
    expect(Object.values(verdicts).reduce((sum, value) => sum + value)).toBe(2);
    expect(await seriesOf(set, "weir_settle_seconds_sum")).toEqual({
      '{lane="realtime"}': 2,
      '{lane="backfill"}': 0,
    });
  });

  test("total counters show the current value at each scrape", async () => {
    const { set, metrics } = metricsOf();
    metrics.event("realtime");
    metrics.verdict(verdict("ALLOW", []), "realtime", 0);
    await set.registry.metrics();
    const events = await seriesOf(set, "weir_events_total");
    metrics.event("realtime");
    metrics.verdict(verdict("ALLOW", []), "realtime", 0);

    expect(events).toEqual({ '{lane="realtime"}': 1, '{lane="backfill"}': 0 });
    expect(await seriesOf(set, "weir_events_total")).toEqual({ '{lane="realtime"}': 2, '{lane="backfill"}': 0 });
    const verdicts = await seriesOf(set, "weir_verdicts_total");
    expect([verdicts['{lane="realtime",decision="ALLOW"}'], Object.keys(verdicts).length]).toEqual([2, 8]);
  });

  test("reasons by finding, without notes, and an unknown finding counts as other", async () => {
    const { set, metrics } = metricsOf();
    metrics.verdict(
      verdict("BLOCK", [
        ["mimics_user", "BLOCK"],
        ["no_signal", "INFO"],
        ["SERVICE_UNAVAILABLE", "UNKNOWN"],
        ["made_up_by_a_service", "BLOCK"],
      ]),
      "backfill",
      0,
    );

    expect(await seriesOf(set, "weir_reasons_total")).toEqual({
      '{finding="mimics_user"}': 1,
      '{finding="SERVICE_UNAVAILABLE"}': 1,
      '{finding="other"}': 1,
    });
  });

  test("requests by operation and status, and their duration", async () => {
    const { set, metrics } = metricsOf();
    for (const status of [200, 200, 429, 503, 500, 0, 418]) metrics.request("poisoningBatch", status, 250);

    const requests = await seriesOf(set, "weir_service_requests_total");
    const of = (status: string) => requests[`{operation="poisoningBatch",status="${status}"}`];
    expect(["200", "429", "5xx", "none", "other"].map(of)).toEqual([2, 1, 2, 1, 1]);
    expect(requests['{operation="tokenSecurity",status="429"}']).toBe(0);
    expect(await seriesOf(set, "weir_service_seconds_count")).toEqual({ '{operation="poisoningBatch"}': 7 });
  });

  test("refusals for load by status, from the start", async () => {
    const { set, metrics } = metricsOf();
    expect(Object.values(await seriesOf(set, "weir_service_refusals_total"))).toEqual([0, 0, 0, 0]);
    for (const status of [429, 503, 503, 403, 200, 400]) metrics.loadRefused(status);

    expect(await seriesOf(set, "weir_service_refusals_total")).toEqual({
      '{cause="429"}': 1,
      '{cause="403"}': 1,
      '{cause="503"}': 2,
      '{cause="envelope"}': 2,
    });
  });

  test("batches, canaries, confirmations and reused answers", async () => {
    const { set, metrics } = metricsOf();
    metrics.batch("pooled", 996, 500);
    metrics.canaries("silent");
    metrics.confirming();
    metrics.reused("token-security");

    expect(await seriesOf(set, "weir_batch_items_sum")).toEqual({ '{kind="pooled"}': 996 });
    expect(await seriesOf(set, "weir_batch_wait_seconds_sum")).toEqual({ '{kind="pooled"}': 0.5 });
    expect(await seriesOf(set, "weir_canaries_total")).toEqual({
      '{outcome="sang"}': 0,
      '{outcome="silent"}': 1,
      '{outcome="lost"}': 0,
      '{outcome="refused"}': 0,
    });
    expect(await seriesOf(set, "weir_confirmations_total")).toEqual({ "": 1 });
    const reused = await seriesOf(set, "weir_reused_answers_total");
    expect(reused['{check="token-security"}']).toBe(1);
    expect(Object.keys(reused)).toHaveLength(checks.length);
  });

  test("partitions that are read again, from 0 on", async () => {
    const { set, metrics } = metricsOf();
    metrics.recreated("retries");

    expect(await seriesOf(set, "weir_recreated_partitions_total")).toEqual({
      '{group="events"}': 0,
      '{group="retries"}': 1,
    });
  });

  test("partitions with a new leader that lacks records, from 0 on", async () => {
    const { set, metrics } = metricsOf();
    metrics.truncated("events");

    expect(await seriesOf(set, "weir_truncated_partitions_total")).toEqual({
      '{group="events"}': 1,
      '{group="retries"}': 0,
    });
  });

  test("waiting polls", async () => {
    const { set, metrics } = metricsOf();
    for (const change of [1, 1, -1] as const) metrics.polls(change);

    expect(await seriesOf(set, "weir_polls_waiting")).toEqual({ "": 1 });
  });

  test("gauges when metrics are scraped", async () => {
    const { set, metrics } = metricsOf();
    let closed: ReturnType<Gauges["closed"]>;
    metrics.collect({
      inWork: (lane) => (lane === "realtime" ? { events: 3, oldestSeconds: 1.5 } : { events: 0, oldestSeconds: 0 }),
      stalledPartitionSeconds: (lane) => (lane === "realtime" ? 2 : 30),
      lag: (lane) => (lane === "realtime" ? 7 : 9),
      fetchesWithoutProgress: (lane) => (lane === "realtime" ? 0 : 240),
      missingTopics: (lane) => (lane === "realtime" ? 0 : 2),
      tickets: () => 4,
      closed: () => closed,
      isPoolingOff: () => true,
      pace: () => 49,
      quotaShare: () => 16,
      quotaMembers: () => 3,
    });
    closed = "rate limited";

    expect(await seriesOf(set, "weir_events_in_flight")).toEqual({ '{lane="realtime"}': 3, '{lane="backfill"}': 0 });
    expect(await seriesOf(set, "weir_oldest_unscreened_seconds")).toMatchObject({ '{lane="realtime"}': 1.5 });
    expect(await seriesOf(set, "weir_stalled_partition_seconds")).toEqual({
      '{lane="realtime"}': 2,
      '{lane="backfill"}': 30,
    });
    expect(await seriesOf(set, "weir_lag_records")).toEqual({ '{lane="realtime"}': 7, '{lane="backfill"}': 9 });
    expect(await seriesOf(set, "weir_fetches_without_progress")).toEqual({
      '{lane="realtime"}': 0,
      '{lane="backfill"}': 240,
    });
    expect(await seriesOf(set, "weir_missing_topics")).toEqual({ '{lane="realtime"}': 0, '{lane="backfill"}': 2 });
    expect(await seriesOf(set, "weir_tickets_waiting")).toEqual({ "": 4 });
    expect(await seriesOf(set, "weir_service_closed")).toEqual({
      '{cause="unauthorized"}': 0,
      '{cause="failing"}': 0,
      '{cause="rate limited"}': 1,
    });
    expect(await seriesOf(set, "weir_pooling_off")).toEqual({ "": 1 });
    expect(await seriesOf(set, "weir_pace_requests_per_second")).toEqual({ "": 49 });
    expect(await seriesOf(set, "weir_quota_share")).toEqual({ "": 16 });
    expect(await seriesOf(set, "weir_quota_members")).toEqual({ "": 3 });
  });
});

/** All metrics of a worker with an archive: every label with every value. */
function everything() {
  const { set, metrics } = metricsOf();
  set.collectProcess();
  for (const operation of Object.keys(routes) as (keyof typeof routes)[]) {
    for (let status = 0; status < 600; status++) metrics.request(operation, status, 1);
  }
  for (const kind of ["pooled", "alone"] as const) metrics.batch(kind, 1, 1);
  for (let i = 0; i < 1_000; i++) metrics.verdict(verdict("BLOCK", [[`finding-${i}`, "BLOCK"]]), "realtime", i);
  for (const code of failureCodes) metrics.verdict(verdict("UNKNOWN", [[code, "UNKNOWN"]]), "backfill", 1);
  const zero = () => 0;
  const inWork = () => ({ events: 0, oldestSeconds: 0 });
  const pace = { pace: zero, quotaShare: zero, quotaMembers: zero };
  metrics.collect({
    inWork,
    stalledPartitionSeconds: zero,
    lag: zero,
    fetchesWithoutProgress: zero,
    missingTopics: zero,
    tickets: zero,
    closed: () => undefined,
    isPoolingOff: () => false,
    ...pace,
  });
  const list = { name: "ofac.csv", sha256: "", date: "2026-11-20", loadedAt: "", entries: 5, refused: [], unread: [] };
  showLists(set, {
    lists: () => [list],
    now: () => Date.UTC(2026, 10, 21),
    maxAgeMs: 604_800_000,
    isBehind: () => true,
  });
  new RegistryMetrics(set).collect({ failure: "failing", waiting: 2 });
  const commits = new CommitMetrics(set, groups);
  for (const group of groups) commits.commit(group, "taken", 1);
  setArchiveLocation(set, "here");
  new ArchiveMetrics(set).collect({
    oldestSeconds: zero,
    lag: zero,
    waitingBytes: zero,
    halted: zero,
    isDown: () => false,
  });
  return set;
}

test("there are always fewer than 500 series", async () => {
  const text = await everything().registry.metrics();
  const series = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(series.length).toBeLessThan(500);
  expect(series.length).toBeGreaterThan(300);
});

test("the table lists exactly the metrics of the process, and labels have exactly the listed values", async () => {
  const service = new MetricSet();
  const served = new ServiceMetrics(service);
  for (const operation of Object.keys(routes) as (keyof typeof routes)[])
    for (let status = 0; status < 600; status++) served.answered(operation, status, 1);
  const all = await Promise.all([everything(), service].map(({ registry }) => registry.getMetricsAsJSON()));
  const ours = all.flat().filter(({ name }) => name.startsWith("weir_"));
  expect(ours.map(({ name }) => name).toSorted()).toEqual(
    Object.values(metricDefinitions)
      .map(({ name }) => name)
      .toSorted(),
  );
  const rows = new Map(Object.values(metricDefinitions).map((row) => [row.name, row]));
  for (const { name, type, help, values } of ours) {
    const row = rows.get(name as (typeof metricDefinitions)[keyof typeof metricDefinitions]["name"]);
    expect({ type, help }).toEqual({ type: row?.type, help: row?.help });
    for (const { labels } of values) {
      for (const [label, value] of Object.entries(labels)) {
        // The policy names findings, and the operator's files name lists.
        if (label === "le" || label === "finding" || label === "list") continue;
        expect(Reflect.get(row?.labels ?? {}, label), `${name} ${label}`).toContain(value);
      }
    }
  }
});
