import { fail } from "../../kernel/result.ts";
import { atOnce, type Steps } from "../../kernel/steps.ts";
import type { Label } from "./label.ts";
import { type LabelRow, parseLabelRow } from "./label-row.ts";

/** One row of a file: its cells, or why the file's format does not give any. `line` is 1-based. */
export type SourceRow =
  | { readonly line: number; readonly row: LabelRow }
  | { readonly line: number; readonly unreadable: string };

export interface RefusedRow {
  readonly line: number;
  readonly detail: string;
}

/** The labels of one file, in its order, and the rows that are none. */
export interface LabelList {
  readonly name: string;
  readonly labels: readonly Label[];
  readonly refused: readonly RefusedRow[];
  /** The last line has no line end, as of a file that is caught while it is written. */
  readonly endsMidLine: boolean;
}

/**
 * Reads every row; a bad one is refused and costs nothing but itself. A label given twice counts once, the first row
 * winning: the same kind and address in one family, for a token on one chain as well.
 */
export function readLabelList(name: string, rows: Iterable<SourceRow>, endsMidLine = false): LabelList {
  return atOnce(labelListSteps(name, rows, endsMidLine));
}

/** Rows after which others may have a turn: about 10 ms of work. */
const ROWS_A_STEP = 5_000;

/** The same in steps, for lists of a million rows. */
export function* labelListSteps(name: string, rows: Iterable<SourceRow>, endsMidLine: boolean): Steps<LabelList> {
  const labels: Label[] = [];
  const refused: RefusedRow[] = [];
  const seenByScope = new Map<string, Set<string>>();
  let read = 0;
  for (const source of rows) {
    if (++read % ROWS_A_STEP === 0) yield;
    const parsed = "row" in source ? parseLabelRow(source.row) : fail(source.unreadable);
    if (!parsed.ok) refused.push({ line: source.line, detail: parsed.detail });
    else if (isFirst(parsed.value, seenByScope)) labels.push(parsed.value);
  }
  return { name, labels, refused, endsMidLine };
}

function isFirst(label: Label, seenByScope: Map<string, Set<string>>): boolean {
  const scope = scopeOf(label);
  const text = label.kind === "site" ? label.host : label.address;
  const seen = seenByScope.get(scope);
  if (seen?.has(text)) return false;
  if (seen === undefined) seenByScope.set(scope, new Set([text]));
  else seen.add(text);
  return true;
}

/** Where a label of this kind holds: tokens are looked up by chain, other addresses by family. */
function scopeOf(label: Label): string {
  if (label.kind === "site") return label.kind;
  return `${label.kind}:${label.kind === "token" ? label.chain.id : label.chain.family}`;
}
