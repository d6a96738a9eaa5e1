/** Alerts and dashboard use existing metrics, with existing labels and values. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { dashboardFile, printedDashboard } from "../../../scripts/dashboard.ts";
import { type MetricDefinition, metricDefinitions } from "../../../src/adapters/prometheus/metric-definitions.ts";
import { MetricSet } from "../../../src/adapters/prometheus/metric-set.ts";
import { alertRules } from "../../support/alert-rules.ts";
import { selectorsIn } from "../../support/promql.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const process = new MetricSet();
process.collectProcess();
/** Metrics of every scraped process: those of Node, and those that Prometheus adds to a target. */
const common = new Set(["up", ...process.registry.getMetricsAsArray().map(({ name }) => name)]);
/** Labels that Prometheus adds. */
const given = ["job", "instance"];
const rows: ReadonlyMap<string, MetricDefinition> = new Map(
  Object.values<MetricDefinition>(metricDefinitions).flatMap((row): [string, MetricDefinition][] =>
    row.type === "histogram"
      ? ["_bucket", "_sum", "_count"].map((end) => [`${row.name}${end}`, row])
      : [[row.name, row]],
  ),
);

/** The faults of a query; empty without a fault. */
function wrongIn(query: string): readonly string[] {
  const selectors = selectorsIn(query);
  if (selectors.length === 0) return ["it names no metric"];
  return selectors.flatMap(({ metric, labels }) => {
    const row = rows.get(metric);
    if (row === undefined && !common.has(metric)) return [`${metric} does not exist`];
    return Object.entries(labels).flatMap(([label, texts]) => {
      if (given.includes(label)) return [];
      const values = row?.labels[label];
      if (values === undefined) return [`${metric} has no label ${label}`];
      return texts
        .filter((text) => values.length > 0 && !values.includes(text))
        .map((text) => `no ${label} is ${text}`);
    });
  });
}

describe("the search for metrics in a query", () => {
  test("finds all metrics, with the labels of their selectors", () => {
    const query =
      'histogram_quantile(0.9, sum by (le, lane) (rate(weir_settle_seconds_bucket{lane=~"a|b", x!="1"}[5m]))) > 1 and up == 0';

    expect(selectorsIn(query)).toEqual([
      { metric: "weir_settle_seconds_bucket", labels: { lane: ["a", "b"], x: ["1"] } },
      { metric: "up", labels: {} },
    ]);
  });

  test.each([
    ["sum(rate(weir_event_total[5m]))", ["weir_event_total does not exist"]],
    ['weir_lag_records{lanes="realtime"}', ["weir_lag_records has no label lanes"]],
    ['weir_lag_records{lane="live"}', ["no lane is live"]],
    ["weir_settle_seconds", ["weir_settle_seconds does not exist"]],
    ["1 > 0", ["it names no metric"]],
  ])("finds the fault in %s", (query, wrong) => {
    expect(wrongIn(query)).toEqual(wrong);
  });
});

describe("alerts", () => {
  const rules = alertRules();

  test("the file has alerts, each with a unique name", () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });

  test.each(rules)("$name uses existing metrics, and has a severity and a link to the runbook", (rule) => {
    expect(wrongIn(rule.query)).toEqual([]);
    expect(rule.name).toMatch(/^Weir[A-Z][A-Za-z]+$/);
    expect(["critical", "warning"]).toContain(rule.severity);
    expect(rule.summary.length).toBeGreaterThan(20);
    expect(rule.runbook).toBe(`docs/runbook.md#${rule.name.toLowerCase()}`);
  });

  test.each(rules)("$name is grouped by namespace, so that no install hides another", ({ query }) => {
    const sums = [...query.matchAll(/\b(?:sum|max|min|count|avg|absent)\b(?: by)? \(([^)]*)\)/g)];
    // Alerts without a sum keep all labels. Without any series there is no label to separate installs.
    const others = sums.filter(
      ([text, labels = ""]) => !/\bnamespace\b/.test(labels) && !text.startsWith("count by ()"),
    );

    expect(others.map(([text]) => text)).toEqual([]);
    expect(query).not.toMatch(/\b(?:sum|max|min|count|avg)\(/);
  });

  test.each(rules)("$name has a test: quiet, firing, and quiet again", ({ name }) => {
    const tests = readFileSync(path.join(root, "deploy/prometheus/alerts.test.yaml"), "utf8").split(
      /^ {2}- interval: /m,
    );
    const own = tests.find((each) => each.includes(`name: ${name}\n`)) ?? "";

    expect(own.match(/exp_alerts: \[\]/g)?.length).toBeGreaterThanOrEqual(2);
    expect(own.match(/exp_labels:/g)).toHaveLength(1);
    expect(own.trimEnd()).toMatch(/exp_alerts: \[\]$/);
  });
});

describe("the dashboard", () => {
  const dashboard = JSON.parse(printedDashboard());
  const panels: { title: string; type: string; id: number; gridPos: object; targets?: { expr: string }[] }[] =
    dashboard.panels;
  const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

  test("equals the checked-in file", () => {
    const checkedIn = readFileSync(path.join(root, dashboardFile), "utf8");

    expect(checkedIn === printedDashboard(), `${dashboardFile} is stale: run \`npm run docs\``).toBe(true);
  });

  test.each(queries)("$title: $expr", ({ expr }) => {
    expect(wrongIn(expr)).toEqual([]);
  });

  test("shows every metric of Weir", () => {
    const shown = new Set(queries.flatMap(({ expr }) => selectorsIn(expr).map(({ metric }) => rows.get(metric)?.name)));

    expect(Object.values(metricDefinitions).filter(({ name }) => !shown.has(name))).toEqual([]);
  });

  test("has a unique position and id for each panel", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(panels.length);
    for (const { type, targets } of panels) expect(type === "row" ? targets : targets?.length).not.toBe(0);
  });
});
