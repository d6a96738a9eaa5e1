import { HIGH_RISK } from "../label.ts";
import { isHighRisk, likeAccusing, saysAccusation } from "./accusing-words.ts";
import type { LabelRow } from "./label-row.ts";
import type { SourceRow } from "./label-sifter.ts";

/** A row that is no label. */
export interface RefusedRow {
  readonly line: number;
  readonly detail: string;
  /** Set when the row means to accuse an address. Without the row, the address would pass. */
  readonly accuses?: true;
}

export function refusedRow(source: SourceRow, detail: string): RefusedRow {
  const { line } = source;
  const accuses = "row" in source ? rowAccuses(source.row) : source.accuses === true;
  return accuses ? { line, detail, accuses } : { line, detail };
}

/** Whether the words of an unreadable line accuse. With `hasRisk`, one of the words may be a risk level. */
export function mayAccuse(words: readonly string[], hasRisk: boolean): true | undefined {
  const cells = words.map((word) => word.replaceAll('"', "").trim().toLowerCase());
  return cells.some((cell) => isAccusingWord(cell) || (hasRisk && isRiskAlone(cell))) ? true : undefined;
}

function rowAccuses({ kind, risk_level }: LabelRow): boolean {
  const risk = textOf(risk_level);
  return kindAccuses(textOf(kind)) || saysAccusation(risk) || isHighRisk(risk) || Number.parseFloat(risk) >= HIGH_RISK;
}

/** An accusing kind counts even with a typing error, because no other kind begins alike. */
function kindAccuses(text: string): boolean {
  return likeAccusing.test(text.trim()) || saysAccusation(text);
}

/**
 * Whether a cell of any column accuses. An accusing kind has one or two words, while a long name may mention an
 * accusation.
 */
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
