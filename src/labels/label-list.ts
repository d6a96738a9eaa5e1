import type { LabelReach } from "./import/label-row.ts";
import { LabelSifter, type SourceRow } from "./import/label-sifter.ts";
import { type RefusedRow, refusedRow } from "./import/refused-row.ts";
import type { LabelTable } from "./index/label-table.ts";
import type { Label } from "./label.ts";

/** What was read of one file, in its order, and the rows that are no labels. */
export interface ReadList {
  readonly name: string;
  readonly labels: { readonly length: number };
  readonly refused: readonly RefusedRow[];
  /** Columns of the file that no label is read from. */
  readonly unread: readonly string[];
  /** The last line has no line end, as of a file that is caught while it is written. */
  readonly endsMidLine: boolean;
}

export interface LabelList extends ReadList {
  readonly labels: LabelTable;
}

/** Takes row by row; a bad one is refused and costs nothing but itself. A label given twice counts once. */
export class LabelListReader {
  readonly #sifter: LabelSifter;
  readonly #refused: RefusedRow[] = [];

  /** @param takes which labels count; the others are no refused rows. */
  constructor(reach: LabelReach = "chain", takes: (label: Label) => boolean = () => true) {
    this.#sifter = new LabelSifter(reach, takes);
  }

  add(source: SourceRow): void {
    const sifted = this.#sifter.add(source);
    if (!sifted.ok) this.#refused.push(refusedRow(source, sifted.detail));
  }

  list(name: string, { endsMidLine, unread }: Pick<ReadList, "endsMidLine" | "unread">): LabelList {
    return { name, labels: this.#sifter.labels, refused: this.#refused, unread, endsMidLine };
  }
}

/** All rows at once. */
export function readLabelList(name: string, rows: Iterable<SourceRow>, endsMidLine = false): LabelList {
  const reader = new LabelListReader();
  for (const row of rows) reader.add(row);
  return reader.list(name, { endsMidLine, unread: [] });
}
