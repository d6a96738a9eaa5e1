import { addressKinds, HIGH_RISK, isAccusing } from "./label.ts";
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
  return cells.some((cell) => accusingKinds.has(cell) || (hasRisk && /^[45]$/.test(cell))) ? true : undefined;
}

const accusingKinds: ReadonlySet<string> = new Set(addressKinds.filter(isAccusing));

function rowAccuses({ kind, risk_level }: LabelRow): boolean {
  return kindAccuses(textOf(kind)) || Number.parseFloat(textOf(risk_level)) >= HIGH_RISK;
}

/** A slip of a kind that accuses counts as well: no other kind begins so. */
const likeAccusing = /^(?:san|mal|bl)/i;

function kindAccuses(text: string): boolean {
  return likeAccusing.test(text.trim());
}

/** A list of one value reads as that value. */
function textOf(cell: unknown): string {
  return typeof cell === "object" && !Array.isArray(cell) ? "" : String(cell);
}
