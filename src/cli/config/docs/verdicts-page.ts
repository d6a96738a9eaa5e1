import type { PolicyTable } from "../../../policy/policy.ts";
import { failureMeanings } from "./failure-meanings.ts";
import { findingMeanings } from "./finding-meanings.ts";
import { betweenMarks } from "./marks.ts";

/** The printed tables of docs/verdicts.md, by the name of their marks. */
const parts = { codes: codesTable, findings: findingsTables } as const;

/** The severities of the policy file that the page shows beside each finding. */
export interface ComparedTables {
  readonly default: PolicyTable;
  readonly strict: PolicyTable;
}

/** docs/verdicts.md with its printed tables renewed. @param page the text of the page. */
export function verdictsPage(page: string, tables: ComparedTables): string {
  return Object.entries(parts).reduce((text, [name, print]) => betweenMarks(text, name, print(tables)), page);
}

function codesTable(): string {
  const rows = Object.entries(failureMeanings).map(([code, [what, action]]) => `| \`${code}\` | ${what} | ${action} |`);
  return ["| code | what happened | what to do |", "| --- | --- | --- |", ...rows].join("\n");
}

function findingsTables(tables: ComparedTables): string {
  const sections = Object.entries(tables.default.findings).map(([check, findings]) => {
    const meanings: object | undefined = Reflect.get(findingMeanings, check);
    const strict: object = Reflect.get(tables.strict.findings, check);
    const rows = Object.entries(findings).map(([finding, severity]) => {
      const cells = [`\`${finding}\``, severity, Reflect.get(strict, finding), ...meaningOf(meanings, finding)];
      return `| ${cells.join(" | ")} |`;
    });
    const columns = ["finding", "default", "strict", ...(meanings === undefined ? [] : ["meaning", "what to do"])];
    const head = [`| ${columns.join(" | ")} |`, `| ${columns.map(() => "---").join(" | ")} |`];
    const more = meanings === undefined ? `${SOLANA}\n\n` : "";
    return `### ${check}\n\n${more}${[...head, ...rows].join("\n")}`;
  });
  return sections.join("\n\n");
}

const SOLANA = "[Solana transactions](solana-transactions.md#what-each-finding-means) explains each finding.";

function meaningOf(meanings: object | undefined, finding: string): readonly string[] {
  if (meanings === undefined) return [];
  const { means, action } = Reflect.get(meanings, finding);
  return [means, action];
}
