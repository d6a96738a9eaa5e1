import { fail, type Result } from "../../kernel/result.ts";
import { LabelDeduplication } from "../index/label-deduplication.ts";
import { LabelTable } from "../index/label-table.ts";
import type { Label } from "../label.ts";
import type { LabelRow } from "./label-row.ts";
import { type LabelReach, parseLabelRow } from "./label-row.ts";

/**
 * One row of a file: its cells, or why the file's format does not give any. `line` is 1-based. `accuses`: a word of the
 * line accuses, whatever cell it is of.
 */
export type SourceRow =
  | { readonly line: number; readonly row: LabelRow }
  | { readonly line: number; readonly unreadable: string; readonly accuses?: true };

/** A label, and whether the table has had it before. */
export interface Sifted {
  readonly label: Label;
  readonly isNew: boolean;
}

/** Checks row by row, and keeps each label once in a table, the first row winning (`LabelDeduplication`). */
export class LabelSifter {
  readonly labels = new LabelTable();
  readonly #seen = new LabelDeduplication(this.labels);
  readonly #reach: LabelReach;
  readonly #takes: (label: Label) => boolean;

  constructor(reach: LabelReach = "chain", takes: (label: Label) => boolean = () => true) {
    this.#reach = reach;
    this.#takes = takes;
  }

  /** A failure says why the row is no label. */
  add(source: SourceRow): Result<Sifted> {
    const parsed = "row" in source ? parseLabelRow(source.row, this.#reach) : fail(source.unreadable);
    if (!parsed.ok) return parsed;
    if (!this.#takes(parsed.value)) return { ok: true, value: { label: parsed.value, isNew: false } };
    const seen = this.#seen.see(parsed.value);
    if (seen !== "known") this.labels.add(parsed.value, seen === "elsewhere");
    return { ok: true, value: { label: parsed.value, isNew: seen !== "known" } };
  }
}
