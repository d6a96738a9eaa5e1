import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

export interface AlertRule {
  readonly name: string;
  readonly query: string;
  readonly severity: string;
  readonly summary: string;
  readonly runbook: string;
}

/**
 * The alerts of deploy/prometheus/alerts.yaml. The file is so simple that no YAML parser is needed; promtool reads all
 * of it.
 */
export function alertRules(): readonly AlertRule[] {
  const [, ...rules] = readFileSync(path.join(root, "deploy/prometheus/alerts.yaml"), "utf8").split(/^ *- alert: /m);
  return rules.map((rule) => {
    const [name = ""] = rule.split("\n");
    const field = (key: string) => new RegExp(`^ *${key}: "?(.*?)"?$`, "m").exec(rule)?.[1] ?? "";
    // A folded query is on the lines with deeper indentation.
    const folded = /^ *expr: >-\n((?: {10}.*\n)+)/m.exec(rule)?.[1];
    return {
      name,
      query: (folded ?? field("expr")).replaceAll(/\s+/g, " ").trim(),
      severity: field("severity"),
      summary: field("summary"),
      runbook: field("runbook_url"),
    };
  });
}
