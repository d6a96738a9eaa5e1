import type { Reason, Verdict } from "../../messages/verdict.ts";
import { evidenceText } from "./evidence-text.ts";
import { caretLine, lookalikePair, partsOf } from "./lookalike-pair.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";
import { ownId, refColumns, sourceText, subjectText } from "./subject-text.ts";

/**
 * One verdict as text: its subject, its reasons, and for a lookalike the two addresses with their equal ends marked.
 */
export function verdictLines(verdict: Verdict, paint: Paint): readonly string[] {
  const { decision, source, subject } = verdict;
  const id = ownId(verdict);
  const note = `${refText(verdict.ref)}${id === undefined ? "" : `  (id ${id})`}`;
  const lines = [
    `${paint.decision(decision, decision.padEnd(7))} ${sourceText(source).padEnd(8)} ${subjectText(subject)}${note === "" ? "" : paint.dim(note)}`,
  ];
  for (const reason of telling(verdict)) {
    lines.push(`          ${reason.check}: ${reason.finding}: ${printable(reason.detail)}`);
    lines.push(...pairLines(verdict, reason, paint));
  }
  lines.push(...evidenceLines(verdict).map((line) => paint.dim(`          evidence: ${line}`)));
  return lines;
}

/** The evidence of an ALLOW, and of every answer about a token. */
export function evidenceLines({ decision, checks }: Verdict): readonly string[] {
  return checks
    .filter(({ check, outcome }) => outcome === "ok" && (decision === "ALLOW" || check === "token-security"))
    .map(evidenceText);
}

/** The reasons for the decision. The service's aggregate flag is left out where one of its parts explains it. */
export function telling({ decision, reasons }: Verdict): readonly Reason[] {
  const aggregates = ["is_poisoning", "token_is_poisoning"];
  const explained = new Set(
    reasons.flatMap(({ finding, severity }) => (finding.startsWith("mimics_") ? [severity] : [])),
  );
  return reasons.filter(({ finding, severity }) => {
    if (aggregates.includes(finding) && explained.has(severity)) return false;
    return decision === "ALLOW" || severity !== "INFO";
  });
}

/** A `ref` of plain text stands by itself. The columns of another one have their names. */
function refText(ref: unknown): string {
  const columns = refColumns(ref).map(([name, value]) => (typeof ref === "string" ? value : `${name}: ${value}`));
  return columns.length === 0 ? "" : `  ${columns.join(", ")}`;
}

function pairLines({ subject }: Verdict, reason: Reason, paint: Paint): readonly string[] {
  const pair = lookalikePair(subject, reason);
  if (pair === undefined) return [];
  const marked = (text: string) => {
    const [head, middle, tail] = partsOf(text, pair);
    return paint.marked(head) + middle + (tail === "" ? "" : paint.marked(tail));
  };
  return [
    `            this      ${marked(pair.suspect)}`,
    `            imitates  ${marked(pair.imitated)}`,
    `                      ${caretLine(pair)}`,
  ];
}
