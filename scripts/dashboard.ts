/**
 * Grafana's dashboard, made from a table of panels. `npm run docs` writes it; a test compares its queries with the
 * metrics.
 */
import { metricDefinitions } from "../src/adapters/prometheus/metric-definitions.ts";

const m = Object.fromEntries(Object.entries(metricDefinitions).map(([key, { name }]) => [key, name])) as {
  readonly [K in keyof typeof metricDefinitions]: (typeof metricDefinitions)[K]["name"];
};

interface Panel {
  readonly title: string;
  readonly unit: "short" | "s" | "percentunit" | "reqps" | "bytes" | "Bps" | "ops";
  /** Legend -> query. */
  readonly queries: Readonly<Record<string, string>>;
}

/** Rates of requests and events are averaged over the shortest interval for a scrape of 15 s. */
const rate = (metric: string, labels = "") => `rate(${metric}${labels}[$__rate_interval])`;
const sum = (expr: string, by = "") => (by === "" ? `sum(${expr})` : `sum by (${by}) (${expr})`);
const quantile = (q: number, metric: string, by = "") =>
  `histogram_quantile(${q}, sum by (le${by === "" ? "" : `, ${by}`}) (${rate(`${metric}_bucket`)}))`;
const mean = (metric: string, by: string) => `${sum(rate(`${metric}_sum`), by)} / ${sum(rate(`${metric}_count`), by)}`;

const rows: Readonly<Record<string, readonly Panel[]>> = {
  "Is anybody waiting?": [
    { title: "Oldest event without a verdict", unit: "s", queries: { "{{lane}}": `max by (lane) (${m.oldest})` } },
    {
      title: "First event stays the same",
      unit: "s",
      queries: { "{{lane}}": `max by (lane) (${m.stalledPartition})` },
    },
    {
      title: "Same bytes fetched again",
      unit: "short",
      queries: { "{{lane}}": `max by (lane) (${m.fetchesWithoutProgress})` },
    },
    {
      title: "Topics that do not exist, and partitions read again",
      unit: "short",
      queries: {
        "missing, {{lane}}": `max by (lane) (${m.missingTopics})`,
        "read again, {{group}}": `sum by (group) (increase(${m.recreated}[15m]))`,
        "truncated, {{group}}": `sum by (group) (increase(${m.truncated}[15m]))`,
      },
    },
    { title: "Not read yet", unit: "short", queries: { "{{lane}}": sum(m.lag, "lane") } },
    {
      title: "From record to verdict",
      unit: "s",
      queries: {
        "{{lane}}, half": quantile(0.5, m.settle, "lane"),
        "{{lane}}, 99 %": quantile(0.99, m.settle, "lane"),
      },
    },
    { title: "In work", unit: "short", queries: { "{{lane}}": sum(m.inWork, "lane") } },
  ],
  "What comes out": [
    { title: "Events taken in", unit: "ops", queries: { "{{lane}}": sum(rate(m.events), "lane") } },
    { title: "Verdicts", unit: "ops", queries: { "{{decision}}": sum(rate(m.verdicts), "decision") } },
    { title: "Reasons", unit: "ops", queries: { "{{finding}}": sum(rate(m.reasons), "finding") } },
    {
      title: "Age of lists",
      unit: "s",
      queries: {
        "{{list}}": `max by (list) (${m.listAge})`,
        "{{list}}, by its date": `time() - min by (list) (${m.listDate})`,
        "too old": `max(${m.listMaxAge})`,
      },
    },
    {
      title: "Entries of lists",
      unit: "short",
      queries: {
        "{{list}}": `max by (list) (${m.listEntries})`,
        "processes that refused a newer file": `sum(${m.listNotReloaded})`,
      },
    },
    {
      title: "Put off",
      unit: "ops",
      queries: { "{{lane}}": sum(rate(m.tickets), "lane") },
    },
  ],
  "The service": [
    {
      title: "Requests",
      unit: "reqps",
      queries: { "{{operation}}, {{status}}": sum(rate(m.requests), "operation, status") },
    },
    {
      title: "Refused for load",
      unit: "percentunit",
      queries: { "{{cause}}": `${sum(rate(m.refusals), "cause")} / scalar(${sum(rate(m.requests))})` },
    },
    { title: "Answer, 99 %", unit: "s", queries: { "{{operation}}": quantile(0.99, m.answers, "operation") } },
    { title: "Nothing is sent", unit: "short", queries: { "{{cause}}": `max by (cause) (${m.closed})` } },
    {
      title: "What the quota allows",
      unit: "reqps",
      queries: { "all workers": sum(m.quotaShare), "as {{instance}} knows it": m.pace },
    },
    { title: "Processes that share it", unit: "short", queries: { "as {{instance}} counts": m.quotaMembers } },
    {
      title: "Waiting for the service",
      unit: "short",
      queries: { polls: sum(m.polls), tickets: sum(m.ticketsWaiting) },
    },
  ],
  Pooling: [
    { title: "Items in a request, mean", unit: "short", queries: { "{{kind}}": mean(m.items, "kind") } },
    { title: "Wait of its first question, mean", unit: "s", queries: { "{{kind}}": mean(m.linger, "kind") } },
    { title: "Canaries", unit: "ops", queries: { "{{outcome}}": sum(rate(m.canaries), "outcome") } },
    { title: "Pooling is off", unit: "short", queries: { "{{instance}}": m.poolingOff } },
    {
      title: "Flagged in company",
      unit: "ops",
      queries: { "asked again": sum(rate(m.confirmations)), "believed, {{by}}": sum(rate(m.believed), "by") },
    },
    { title: "Answered from memory", unit: "ops", queries: { "{{check}}": sum(rate(m.reused), "check") } },
  ],
  Kafka: [
    { title: "Commits", unit: "ops", queries: { "{{group}}, {{outcome}}": sum(rate(m.commits), "group, outcome") } },
    { title: "Commit, 99 %", unit: "s", queries: { "{{group}}": quantile(0.99, m.commitSeconds, "group") } },
  ],
  "The service of our own": [
    {
      title: "Answered",
      unit: "reqps",
      queries: { "{{operation}}, {{status}}": sum(rate(m.served), "operation, status") },
    },
    {
      title: "Answered in, 99 %",
      unit: "s",
      queries: { "{{operation}}": quantile(0.99, m.servedSeconds, "operation") },
    },
  ],
  Archive: [
    { title: "Where it is archived", unit: "short", queries: { "{{place}}": sum(m.archivePlace, "place") } },
    { title: "Oldest verdict not archived", unit: "s", queries: { "{{instance}}": m.archiveOldest } },
    { title: "Not read yet by the archive", unit: "short", queries: { verdicts: sum(m.archiveLag) } },
    { title: "Archived", unit: "Bps", queries: { "bytes, not packed": sum(rate(m.archivedBytes)) } },
    {
      title: "Objects and their verdicts",
      unit: "ops",
      queries: { objects: sum(rate(m.archivedObjects)), verdicts: sum(rate(m.archivedVerdicts)) },
    },
    { title: "Failed tries", unit: "ops", queries: { "{{step}}": sum(rate(m.archiveFailures), "step") } },
    { title: "Waiting in memory", unit: "bytes", queries: { "{{instance}}": m.archiveWaiting } },
    { title: "Deleted before they were archived", unit: "short", queries: { verdicts: sum(m.archiveLost) } },
    { title: "Halted partitions", unit: "short", queries: { "{{instance}}": m.archiveHalted } },
    { title: "Ended, and begins anew", unit: "short", queries: { "{{instance}}": m.archiveDown } },
  ],
  Processes: [
    { title: "Memory", unit: "bytes", queries: { "{{instance}}": 'process_resident_memory_bytes{job=~".*weir.*"}' } },
    {
      title: "Processor",
      unit: "percentunit",
      queries: { "{{instance}}": rate("process_cpu_seconds_total", '{job=~".*weir.*"}') },
    },
    {
      title: "Event loop, 99 %",
      unit: "s",
      queries: { "{{instance}}": 'nodejs_eventloop_lag_p99_seconds{job=~".*weir.*"}' },
    },
  ],
};

export const dashboardFile = "deploy/grafana/weir.json";

const [COLUMNS, WIDTH, HEIGHT] = [3, 8, 8];
const source = { type: "prometheus", uid: "$source" };

function printedPanel(panel: Panel, id: number, x: number, y: number) {
  return {
    id,
    type: "timeseries",
    title: panel.title,
    datasource: source,
    gridPos: { x, y, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom", showLegend: true }, tooltip: { mode: "multi" } },
    targets: Object.entries(panel.queries).map(([legendFormat, expr], i) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + i),
      datasource: source,
      expr,
      legendFormat,
      range: true,
    })),
  };
}

function panels(): readonly object[] {
  const made: object[] = [];
  let y = 0;
  for (const [title, row] of Object.entries(rows)) {
    made.push({
      id: made.length + 1,
      type: "row",
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: 24, h: 1 },
      panels: [],
    });
    y++;
    for (const [i, panel] of row.entries()) {
      const [column, line] = [i % COLUMNS, Math.floor(i / COLUMNS)];
      made.push(printedPanel(panel, made.length + 1, column * WIDTH, y + line * HEIGHT));
    }
    y += Math.ceil(row.length / COLUMNS) * HEIGHT;
  }
  return made;
}

export function printedDashboard(): string {
  const dashboard = {
    uid: "weir",
    title: "Weir",
    tags: ["weir"],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: "15s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [{ name: "source", label: "Prometheus", type: "datasource", query: "prometheus" }] },
    annotations: { list: [] },
    panels: panels(),
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}
