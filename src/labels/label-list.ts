import type { LabelReach } from "./import/label-row.ts";
import { LabelSifter, type SourceRow } from "./import/label-sifter.ts";
import { type RefusedRow, refusedRow } from "./import/refused-row.ts";
import type { LabelTable } from "./index/label-table.ts";
import type { Label } from "./label.ts";

/** The labels of one file in order, and its refused rows. */
export interface ReadList {
  readonly name: string;
  readonly labels: { readonly length: number };
  readonly refused: readonly RefusedRow[];
  /** Columns of the file that are not read. */
  readonly unread: readonly string[];
  /** Whether the last line has no line end, as in a file that is still being written. */
  readonly endsMidLine: boolean;
}

export interface LabelList extends ReadList {
  readonly labels: LabelTable;
}

/** Reads row by row. A bad row is refused and affects no other row. A repeated label counts once. */
export class LabelListReader {
  readonly #sifter: LabelSifter;
  readonly #refused: RefusedRow[] = [];

  /** @param takes selects the labels that count. Unselected labels are no refused rows. */
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

/** Reads all rows at once. */
export function readLabelList(name: string, rows: Iterable<SourceRow>, endsMidLine = false): LabelList {
  const reader = new LabelListReader();
  for (const row of rows) reader.add(row);
  return reader.list(name, { endsMidLine, unread: [] });
}
