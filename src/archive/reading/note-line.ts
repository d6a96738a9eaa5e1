import { decisions } from "../../messages/decision.ts";
import { verdictRank } from "../../messages/verdict-rank.ts";
import type { CountedVerdicts } from "./counted-verdicts.ts";
import { readVerdict } from "./read-verdict.ts";

/** The beginning of a verdict as Weir writes it. Source: src/messages/verdict-writer.ts. */
const BEGIN = '{"schema":"weir.verdict/1","verdict_id":"';
const FIRST_REVISION = ',"revision":0,"decision":"';
const ID_LENGTH = 64;
/** Most lines have their decision within these bytes. */
const HEAD_BYTES = 288;
/** The longest `event_id` and `tenant` take less. */
const LONG_HEAD_BYTES = 4_096;
const ID = /^[0-9a-f]{64}$/;

/**
 * Notes the verdict of a line. Nearly every line begins as Weir writes verdicts of revision 0, so its id and its rank are
 * read without parsing the line.
 */
export function noteLine(line: Buffer, counted: CountedVerdicts): void {
  if (isNotedByHead(line, HEAD_BYTES, counted) || isNotedByHead(line, LONG_HEAD_BYTES, counted)) return;
  const verdict = readVerdict(line);
  if (verdict !== undefined) counted.note(verdict.verdict_id, verdictRank(verdict));
}

function isNotedByHead(line: Buffer, bytes: number, counted: CountedVerdicts): boolean {
  const head = line.toString("latin1", 0, Math.min(bytes, line.length));
  // No text inside a string has this form, since its quotes would be escaped.
  const revision = head.indexOf(FIRST_REVISION, BEGIN.length + ID_LENGTH);
  const rank = revision === -1 ? undefined : rankAt(head, revision + FIRST_REVISION.length);
  const id = head.slice(BEGIN.length, BEGIN.length + ID_LENGTH);
  if (rank === undefined || !head.startsWith(BEGIN) || !ID.test(id)) return false;
  counted.note(id, rank);
  return true;
}

/** The rank by the decision at a position. Undefined where the rest of the line says more about it. */
function rankAt(head: string, at: number): number | undefined {
  const decision = decisions.find((each) => head.startsWith(each, at));
  return decision === undefined || decision === "UNKNOWN" ? undefined : verdictRank({ revision: 0, decision });
}
