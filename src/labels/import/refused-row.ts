import { HIGH_RISK } from "../label.ts";
import { isHighRisk, likeAccusing, saysAccusation } from "./accusing-words.ts";
import type { LabelRow } from "./label-row.ts";
import type { SourceRow } from "./label-sifter.ts";

/** A row that is no label. */
export interface RefusedRow {
  readonly line: number;
  readonly detail: string;
  /** The row means to accuse an address: without the row the address would be cleared. */
  readonly accuses?: true;
}

export function refusedRow(source: SourceRow, detail: string): RefusedRow {
  const { line } = source;
  const accuses = "row" in source ? rowAccuses(source.row) : source.accuses === true;
  return accuses ? { line, detail, accuses } : { line, detail };
}

/** Whether words of a line accuse that could not be read as cells. `hasRisk`: one of them may be a level of risk. */
export function mayAccuse(words: readonly string[], hasRisk: boolean): true | undefined {
  const cells = words.map((word) => word.replaceAll('"', "").trim().toLowerCase());
  return cells.some((cell) => isAccusingWord(cell) || (hasRisk && isRiskAlone(cell))) ? true : undefined;
}

function rowAccuses({ kind, risk_level }: LabelRow): boolean {
  const risk = textOf(risk_level);
  return kindAccuses(textOf(kind)) || saysAccusation(risk) || isHighRisk(risk) || Number.parseFloat(risk) >= HIGH_RISK;
}

/** A slip of a kind that accuses counts as well: no other kind begins so. */
function kindAccuses(text: string): boolean {
  return likeAccusing.test(text.trim()) || saysAccusation(text);
}

/** A cell of any column: a name of many words may speak of an accusation, and a kind has one or two. */
function isAccusingWord(cell: string): boolean {
  return cell.split(/[\s_-]+/).length <= 2 && saysAccusation(cell);
}

function isRiskAlone(cell: string): boolean {
  return /^[45]$/.test(cell) || (!/\s/.test(cell) && isHighRisk(cell));
}

/** A list of one value reads as that value. */
function textOf(cell: unknown): string {
  return typeof cell === "object" && !Array.isArray(cell) ? "" : String(cell);
}
