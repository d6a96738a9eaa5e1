import { fail, type Result } from "../../kernel/result.ts";
import { LabelDeduplication } from "../index/label-deduplication.ts";
import { LabelTable } from "../index/label-table.ts";
import type { Label } from "../label.ts";
import type { LabelRow } from "./label-row.ts";
import { type LabelReach, parseLabelRow } from "./label-row.ts";

/**
 * One row of a file: its cells, or the reason why the file's format gives none. `line` is 1-based. `accuses` tells
 * whether a word of the line accuses, in any cell.
 */
export type SourceRow =
  | { readonly line: number; readonly row: LabelRow }
  | { readonly line: number; readonly unreadable: string; readonly accuses?: true };

/** A label, and whether the table held it before. */
export interface Sifted {
  readonly label: Label;
  readonly isNew: boolean;
}

/** Checks rows and keeps each label once in a table. The first row of a label wins (`LabelDeduplication`). */
export class LabelSifter {
  readonly labels = new LabelTable();
  readonly #seen = new LabelDeduplication(this.labels);
  readonly #reach: LabelReach;
  readonly #takes: (label: Label) => boolean;

  constructor(reach: LabelReach = "chain", takes: (label: Label) => boolean = () => true) {
    this.#reach = reach;
    this.#takes = takes;
  }

  /** A failure gives the reason why the row is no label. */
  add(source: SourceRow): Result<Sifted> {
    const parsed = "row" in source ? parseLabelRow(source.row, this.#reach) : fail(source.unreadable);
    if (!parsed.ok) return parsed;
    if (!this.#takes(parsed.value)) return { ok: true, value: { label: parsed.value, isNew: false } };
    const seen = this.#seen.see(parsed.value);
    if (seen !== "known") this.labels.add(parsed.value, seen === "elsewhere");
    return { ok: true, value: { label: parsed.value, isNew: seen !== "known" } };
  }
}
