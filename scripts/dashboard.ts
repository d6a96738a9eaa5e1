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
  "Waiting events": [
    { title: "Oldest event without a verdict", unit: "s", queries: { "{{lane}}": `max by (lane) (${m.oldest})` } },
    {
      title: "Longest stall of a partition",
      unit: "s",
      queries: { "{{lane}}": `max by (lane) (${m.stalledPartition})` },
    },
    {
      title: "Fetches without progress",
      unit: "short",
      queries: { "{{lane}}": `max by (lane) (${m.fetchesWithoutProgress})` },
    },
    {
      title: "Missing topics, and partitions read again",
      unit: "short",
      queries: {
        "missing topics, {{lane}}": `max by (lane) (${m.missingTopics})`,
        "partitions read again, {{group}}": `sum by (group) (increase(${m.recreated}[15m]))`,
        "truncated partitions, {{group}}": `sum by (group) (increase(${m.truncated}[15m]))`,
      },
    },
    { title: "Records not read yet", unit: "short", queries: { "{{lane}}": sum(m.lag, "lane") } },
    {
      title: "Time from record to verdict",
      unit: "s",
      queries: {
        "{{lane}}, 50 %": quantile(0.5, m.settle, "lane"),
        "{{lane}}, 99 %": quantile(0.99, m.settle, "lane"),
      },
    },
    { title: "Events in flight", unit: "short", queries: { "{{lane}}": sum(m.inWork, "lane") } },
    {
      title: "Schema registry",
      unit: "short",
      queries: {
        "down, {{instance}}": m.schemaRegistryDown,
        "schemas waited for, {{instance}}": m.schemasWaiting,
        "requests, {{outcome}}": sum(rate(m.schemaRequests), "outcome"),
      },
    },
  ],
  "Verdicts and lists": [
    { title: "Events read", unit: "ops", queries: { "{{lane}}": sum(rate(m.events), "lane") } },
    { title: "Verdicts written", unit: "ops", queries: { "{{decision}}": sum(rate(m.verdicts), "decision") } },
    { title: "Reasons in verdicts", unit: "ops", queries: { "{{finding}}": sum(rate(m.reasons), "finding") } },
    {
      title: "Age of lists",
      unit: "s",
      queries: {
        "{{list}}": `max by (list) (${m.listAge})`,
        "{{list}}, by its date": `time() - min by (list) (${m.listDate})`,
        "limit of age": `max(${m.listMaxAge})`,
      },
    },
    {
      title: "Entries of lists",
      unit: "short",
      queries: {
        "{{list}}": `max by (list) (${m.listEntries})`,
        "processes that refuse a changed file": `sum(${m.listNotReloaded})`,
      },
    },
    {
      title: "Retry tickets written",
      unit: "ops",
      queries: { "{{lane}}": sum(rate(m.tickets), "lane") },
    },
  ],
  "Security service": [
    {
      title: "Requests to the service",
      unit: "reqps",
      queries: { "{{operation}}, {{status}}": sum(rate(m.requests), "operation, status") },
    },
    {
      title: "Requests refused because of load",
      unit: "percentunit",
      queries: { "{{cause}}": `${sum(rate(m.refusals), "cause")} / scalar(${sum(rate(m.requests))})` },
    },
    {
      title: "Answer time of the service, 99 %",
      unit: "s",
      queries: { "{{operation}}": quantile(0.99, m.answers, "operation") },
    },
    { title: "Circuit breaker open", unit: "short", queries: { "{{cause}}": `max by (cause) (${m.closed})` } },
    {
      title: "Request rate that the quota allows",
      unit: "reqps",
      queries: { "all workers": sum(m.quotaShare), "quota known to {{instance}}": m.pace },
    },
    { title: "Processes that share the quota", unit: "short", queries: { "counted by {{instance}}": m.quotaMembers } },
    {
      title: "Polls and retry tickets waiting",
      unit: "short",
      queries: { polls: sum(m.polls), tickets: sum(m.ticketsWaiting) },
    },
  ],
  Batches: [
    { title: "Items in a poisoning request, mean", unit: "short", queries: { "{{kind}}": mean(m.items, "kind") } },
    {
      title: "Wait of the first question of a request, mean",
      unit: "s",
      queries: { "{{kind}}": mean(m.linger, "kind") },
    },
    { title: "Results of canaries", unit: "ops", queries: { "{{outcome}}": sum(rate(m.canaries), "outcome") } },
    { title: "Batching turned off", unit: "short", queries: { "{{instance}}": m.poolingOff } },
    {
      title: "Flagged batch entries",
      unit: "ops",
      queries: { confirmed: sum(rate(m.confirmations)), "believed, {{by}}": sum(rate(m.believed), "by") },
    },
    { title: "Answers from the caches", unit: "ops", queries: { "{{check}}": sum(rate(m.reused), "check") } },
  ],
  Kafka: [
    {
      title: "Offset commits",
      unit: "ops",
      queries: { "{{group}}, {{outcome}}": sum(rate(m.commits), "group, outcome") },
    },
    {
      title: "Time of an offset commit, 99 %",
      unit: "s",
      queries: { "{{group}}": quantile(0.99, m.commitSeconds, "group") },
    },
  ],
  "Weir's own service (weir serve)": [
    {
      title: "Requests answered",
      unit: "reqps",
      queries: { "{{operation}}, {{status}}": sum(rate(m.served), "operation, status") },
    },
    {
      title: "Answer time, 99 %",
      unit: "s",
      queries: { "{{operation}}": quantile(0.99, m.servedSeconds, "operation") },
    },
  ],
  Archive: [
    { title: "Process that archives verdicts", unit: "short", queries: { "{{place}}": sum(m.archivePlace, "place") } },
    { title: "Age of the oldest verdict not archived", unit: "s", queries: { "{{instance}}": m.archiveOldest } },
    { title: "Verdicts not read yet by the archive", unit: "short", queries: { verdicts: sum(m.archiveLag) } },
    { title: "Bytes archived", unit: "Bps", queries: { "bytes before compression": sum(rate(m.archivedBytes)) } },
    {
      title: "Objects and verdicts archived",
      unit: "ops",
      queries: { objects: sum(rate(m.archivedObjects)), verdicts: sum(rate(m.archivedVerdicts)) },
    },
    {
      title: "Failed attempts of the archive",
      unit: "ops",
      queries: { "{{step}}": sum(rate(m.archiveFailures), "step") },
    },
    { title: "Verdicts waiting in memory", unit: "bytes", queries: { "{{instance}}": m.archiveWaiting } },
    { title: "Verdicts deleted before archiving", unit: "short", queries: { verdicts: sum(m.archiveLost) } },
    { title: "Halted partitions of the archive", unit: "short", queries: { "{{instance}}": m.archiveHalted } },
    { title: "Archive stopped", unit: "short", queries: { "{{instance}}": m.archiveDown } },
  ],
  Processes: [
    { title: "Memory", unit: "bytes", queries: { "{{instance}}": 'process_resident_memory_bytes{job=~".*weir.*"}' } },
    {
      title: "CPU use",
      unit: "percentunit",
      queries: { "{{instance}}": rate("process_cpu_seconds_total", '{job=~".*weir.*"}') },
    },
    {
      title: "Event loop delay, 99 %",
      unit: "s",
      queries: { "{{instance}}": 'nodejs_eventloop_lag_p99_seconds{job=~".*weir.*"}' },
    },
  ],
};

/** Titles of all rows and panels. */
export const dashboardTitles = Object.entries(rows).flatMap(([row, own]) => [row, ...own.map(({ title }) => title)]);

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
