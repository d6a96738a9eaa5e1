/** Every alert has a section in the runbook, and every section has an existing alert. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { metricDefinitions } from "../../../src/adapters/prometheus/metric-definitions.ts";
import { envRows } from "../../../src/cli/config/docs/env-table.ts";
import { alertRules } from "../../support/alert-rules.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const runbook = readFileSync(path.join(root, "docs/runbook.md"), "utf8");
const [, ...sections] = runbook.split(/^## /m);
const titles = sections.map((section) => section.split("\n")[0] ?? "");

test("every alert has its section, and every section its alert, in the same order", () => {
  expect(titles).toEqual(alertRules().map(({ name }) => name));
});

test.each(sections.map((section, i) => [titles[i] ?? "", section]))(
  "%s has its four parts: Means, Look at, Do, Don't",
  (_, section) => {
    const parts = [...section.matchAll(/^\*\*([A-Z][^*]*)\.\*\* \S/gm)].map(([, part]) => part);

    expect(parts).toEqual(["Means", "Look at", "Do", "Don't"]);
  },
);

test("the runbook names only existing alerts, metrics and variables", () => {
  const quoted = [...runbook.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? "");
  const metrics = new Set<string>(Object.values(metricDefinitions).map(({ name }) => name));
  const variables = new Set(envRows().map(({ name }) => name));

  expect(quoted.filter((text) => /^Weir[A-Z]/.test(text) && !titles.includes(text))).toEqual([]);
  expect(quoted.filter((text) => /^weir_/.test(text) && !metrics.has(text))).toEqual([]);
  const named = quoted.filter(
    (text) =>
      /^(SERVICE|KAFKA|S3|ARCHIVE|ADMIN|TOPIC)S?_[A-Z_]+$/.test(text) && !/_(UNAVAILABLE|UNSUPPORTED)$/.test(text),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((text) => !variables.has(text))).toEqual([]);
});

test("panels in the runbook's instructions are on the dashboard", () => {
  const dashboard = readFileSync(path.join(root, "deploy/grafana/weir.json"), "utf8");
  const panels = new Set(JSON.parse(dashboard).panels.map(({ title }: { title: string }) => title));
  const named = [
    "Events in flight",
    "Records not read yet",
    "Offset commits",
    "Answer time of the service, 99 %",
    "Flagged batch entries",
    "Verdicts written",
    "Reasons in verdicts",
    "Bytes archived",
  ];

  for (const title of named) {
    expect(runbook.replaceAll(/\s+/g, " ")).toContain(`"${title}"`);
    expect(panels, title).toContain(title);
  }
});

test("every finding of weir audit has a meaning and a remedy", () => {
  const source = readFileSync(path.join(root, "src/archive/audit/audit-finding.ts"), "utf8");
  const findings = [...source.matchAll(/^ +\| "(\w+)"/gm)].map(([, name]) => name);
  const rows = [...runbook.matchAll(/^\| `(\w+)` \| \S.*[.?] \| \S.*[.?] \|$/gm)].map(([, name]) => name);

  expect(findings.length).toBeGreaterThan(10);
  expect(rows.toSorted()).toEqual(findings.toSorted());
});
