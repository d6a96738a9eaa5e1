import { decisions } from "../../messages/decision.ts";
import { verdictRank } from "../../messages/verdict-rank.ts";
import type { CountedVerdicts } from "./counted-verdicts.ts";
import { readVerdict } from "./read-verdict.ts";

/** The beginning of a verdict as Weir writes it. Source: src/messages/verdict-writer.ts. */
const BEGIN = '{"schema":"weir.verdict/1","verdict_id":"';
const FIRST_REVISION = ',"revision":0,"decision":"';
const ID_LENGTH = 64;
/** The longest `event_id` and `tenant` take less. */
const LOOK_BYTES = 4_096;
const ID = /^[0-9a-f]{64}$/;

/**
 * Notes the verdict of a line. Nearly every line begins as Weir writes verdicts of revision 0, so its id and its rank are
 * read without parsing the line.
 */
export function noteLine(line: Buffer, counted: CountedVerdicts): void {
  const head = line.toString("latin1", 0, LOOK_BYTES);
  const id = head.slice(BEGIN.length, BEGIN.length + ID_LENGTH);
  // No text inside a string has this form, since its quotes would be escaped.
  const revision = head.indexOf(FIRST_REVISION);
  const rank = revision === -1 ? undefined : rankAt(head, revision + FIRST_REVISION.length);
  if (rank !== undefined && head.startsWith(BEGIN) && ID.test(id)) {
    counted.note(id, rank);
    return;
  }
  const verdict = readVerdict(line);
  if (verdict !== undefined) counted.note(verdict.verdict_id, verdictRank(verdict));
}

/** The rank by the decision at a position. Undefined where the rest of the line says more about it. */
function rankAt(head: string, at: number): number | undefined {
  const decision = decisions.find((each) => head.startsWith(each, at));
  return decision === undefined || decision === "UNKNOWN" ? undefined : verdictRank({ revision: 0, decision });
}
