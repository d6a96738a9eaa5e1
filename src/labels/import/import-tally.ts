import type { Label } from "../label.ts";
import { EVERY_EVM_CHAIN } from "./label-row.ts";
import { LabelSifter } from "./label-sifter.ts";
import type { ListEntry } from "./list-entry.ts";
import { rowDay } from "./row-day.ts";

/** The most distinct reasons that are kept with their lines. Further reasons are counted together. */
const MAX_REASONS = 50;
/** The most distinct currencies that are counted separately. Further currencies are counted together. */
const MAX_CURRENCIES = 100;
/** The most lines that are kept per reason. */
const MAX_LINES = 5;

/** A reason for refusing rows, and the lines of the first refused rows. */
export interface RefusalReason {
  readonly detail: string;
  count: number;
  readonly lines: number[];
}

/** A label for writing, and the date of its list's statement. The date is empty when there is none. */
export interface ImportedLabel {
  readonly label: Label;
  readonly date: string;
}

/** Checks the entries of a list and counts the results. It takes little more memory than the labels themselves. */
export class ImportTally {
  rows = 0;
  labels = 0;
  givenTwice = 0;
  refused = 0;
  unscreened = 0;
  /** Labels with an address from a link. */
  fromLinks = 0;
  /** Columns of the list that are not read, by their names in the list. */
  unread: readonly string[] = [];
  /** Labels by kind. */
  readonly byKind = new Map<string, number>();
  /** Labels by the name of their chain. `EVM` stands for every EVM chain, and `site` for sites. */
  readonly byChain = new Map<string, number>();
  readonly byUnscreened = new Map<string, number>();
  /** Addresses that were assigned to another chain than they were published for: `BCH as Bitcoin`. */
  readonly byPublishedFor = new Map<string, number>();
  /** Refusals for reasons beyond the ones in `reasons`. */
  refusedOtherwise = 0;
  readonly #reasons = new Map<string, RefusalReason>();
  readonly #sifter = new LabelSifter();

  get reasons(): readonly RefusalReason[] {
    return [...this.#reasons.values()];
  }

  /** The label of an entry. Undefined when the entry makes no label, or repeats an earlier one. */
  take(entry: ListEntry): ImportedLabel | undefined {
    this.rows++;
    if ("unscreened" in entry) {
      this.unscreened++;
      count(this.byUnscreened, entry.unscreened);
      return undefined;
    }
    const sifted = this.#sifter.add(entry);
    if (!sifted.ok) {
      this.#refuse(entry.line, sifted.detail);
      return undefined;
    }
    const date = rowDay("row" in entry ? entry.row["date"] : undefined);
    if (!date.ok) {
      this.#refuse(entry.line, date.detail);
      return undefined;
    }
    const { label, isNew } = sifted.value;
    const chain = chainOf(label);
    if (entry.isFromLink === true) this.fromLinks++;
    if (entry.publishedFor !== undefined) count(this.byPublishedFor, `${entry.publishedFor} as ${chain}`);
    if (!isNew) {
      this.givenTwice++;
      return undefined;
    }
    this.labels++;
    count(this.byKind, label.kind);
    count(this.byChain, chain);
    return { label, date: date.value };
  }

  #refuse(line: number, detail: string): void {
    this.refused++;
    const known = this.#reasons.get(detail);
    if (known === undefined && this.#reasons.size >= MAX_REASONS) this.refusedOtherwise++;
    else if (known === undefined) this.#reasons.set(detail, { detail, count: 1, lines: [line] });
    else {
      known.count++;
      if (known.lines.length < MAX_LINES) known.lines.push(line);
    }
  }
}

function chainOf(label: Label): string {
  if (label.kind === "site") return "site";
  return label.everywhere === true ? EVERY_EVM_CHAIN.toUpperCase() : label.chain.name;
}

function count(counts: Map<string, number>, what: string): void {
  const of = counts.has(what) || counts.size < MAX_CURRENCIES ? what : "others";
  counts.set(of, (counts.get(of) ?? 0) + 1);
}
