import type { Verdict } from "../../messages/verdict.ts";
import { evidenceText } from "../verdict-text/evidence-text.ts";
import { type LookalikePair, lookalikePair } from "../verdict-text/lookalike-pair.ts";
import { printable } from "../verdict-text/printable.ts";
import { chainName, refColumns, sourceText } from "../verdict-text/subject-text.ts";
import { telling } from "../verdict-text/verdict-lines.ts";

interface RowReason {
  readonly check: string;
  readonly finding: string;
  readonly severity: string;
  readonly detail: string;
  readonly resembles?: string | undefined;
  readonly pair?: LookalikePair | undefined;
}

/** A verdict as a row of a report. Every text is safe for one line of a terminal. */
export interface ReportRow {
  readonly decision: Verdict["decision"];
  readonly file: string;
  readonly position: string;
  readonly eventId: string;
  readonly tenant: string;
  readonly chain: string;
  readonly type: Verdict["subject"]["type"];
  /** Address of the subject; for a transaction the address that gains. */
  readonly address: string;
  readonly token: string;
  /** SHA-256 of a transaction or of an unreadable record. */
  readonly sha256: string;
  readonly reasons: readonly RowReason[];
  readonly evidence: readonly string[];
  /** The columns that came with the row, in `ref`. */
  readonly columns: readonly (readonly [name: string, value: string])[];
  readonly decidedAt: string;
  readonly verdictId: string;
  readonly revision: number;
  readonly policy: string;
  readonly lists: string;
}

export function reportRow(verdict: Verdict): ReportRow {
  const { decision, source, subject, checks } = verdict;
  return {
    decision,
    file: printable("line" in source ? source.file : source.topic),
    position: "line" in source ? String(source.line) : sourceText(source),
    eventId: printable(verdict.event_id),
    tenant: printable(verdict.tenant),
    ...subjectCells(subject),
    reasons: telling(verdict).map((reason) => ({
      check: reason.check,
      finding: printable(reason.finding),
      severity: reason.severity,
      detail: printable(reason.detail),
      resembles: reason.resembles === undefined ? undefined : printable(reason.resembles),
      pair: lookalikePair(subject, reason),
    })),
    evidence: checks.filter(({ outcome }) => outcome === "ok").map(evidenceText),
    columns: refColumns(verdict.ref),
    decidedAt: printable(verdict.decided_at),
    verdictId: printable(verdict.verdict_id),
    revision: verdict.revision,
    policy: printable(verdict.policy.id),
    lists: printable(verdict.lists ?? ""),
  };
}

function subjectCells(subject: Verdict["subject"]): Pick<ReportRow, "chain" | "type" | "address" | "token" | "sha256"> {
  if (subject.type === "unreadable")
    return { type: subject.type, chain: "", address: "", token: "", sha256: printable(subject.record_sha256) };
  return {
    type: subject.type,
    chain: chainName(subject.chain_id),
    address: printable(subject.address ?? ""),
    token: printable(subject.token_address ?? ""),
    sha256: subject.type === "transaction" ? printable(subject.transaction_sha256) : "",
  };
}
