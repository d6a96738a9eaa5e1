import { fail } from "../kernel/result.ts";
import { type LabelRow, parseLabelRow, type Reach } from "./label-row.ts";
import { LabelTable } from "./label-table.ts";
import { SeenLabels } from "./seen-labels.ts";

/** One row of a file: its cells, or why the file's format does not give any. `line` is 1-based. */
export type SourceRow =
  | { readonly line: number; readonly row: LabelRow }
  | { readonly line: number; readonly unreadable: string };

export interface RefusedRow {
  readonly line: number;
  readonly detail: string;
}

/** What was read of one file, in its order, and the rows that are no labels. */
export interface ReadList {
  readonly name: string;
  readonly labels: { readonly length: number };
  readonly refused: readonly RefusedRow[];
  /** The last line has no line end, as of a file that is caught while it is written. */
  readonly endsMidLine: boolean;
}

export interface LabelList extends ReadList {
  readonly labels: LabelTable;
}

/**
 * Takes row by row; a bad one is refused and costs nothing but itself. A label given twice counts once, the first row
 * winning (`SeenLabels`).
 */
export class LabelListReader {
  readonly #labels = new LabelTable();
  readonly #seen = new SeenLabels(this.#labels);
  readonly #refused: RefusedRow[] = [];
  readonly #reach: Reach;

  constructor(reach: Reach = "chain") {
    this.#reach = reach;
  }

  add(source: SourceRow): void {
    const parsed = "row" in source ? parseLabelRow(source.row, this.#reach) : fail(source.unreadable);
    if (!parsed.ok) {
      this.#refused.push({ line: source.line, detail: parsed.detail });
      return;
    }
    const seen = this.#seen.see(parsed.value);
    if (seen !== "known") this.#labels.add(parsed.value, seen === "elsewhere");
  }

  list(name: string, endsMidLine: boolean): LabelList {
    return { name, labels: this.#labels, refused: this.#refused, endsMidLine };
  }
}

/** All rows at once. */
export function readLabelList(name: string, rows: Iterable<SourceRow>, endsMidLine = false): LabelList {
  const reader = new LabelListReader();
  for (const row of rows) reader.add(row);
  return reader.list(name, endsMidLine);
}
