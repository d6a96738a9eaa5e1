import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { ITEMS_A_STEP, type Steps } from "../../kernel/async.ts";
import type { Label } from "../label.ts";
import { barBits, imitable } from "./imitable.ts";
import type { LabelTable } from "./label-table.ts";

/**
 * The labels of all lists under one numbering, list after list. For each list it knows the bits that an imitation must
 * share.
 */
export class LabelUnion {
  readonly #tables: readonly LabelTable[];
  /** Ordinal of the first label of each table. */
  readonly #firsts: readonly number[];
  readonly #barsByScope: readonly ReadonlyMap<string, number>[];
  readonly length: number;

  private constructor(tables: readonly LabelTable[], barsByScope: readonly ReadonlyMap<string, number>[]) {
    this.#tables = tables;
    this.#barsByScope = barsByScope;
    const firsts: number[] = [];
    let length = 0;
    for (const table of tables) {
      firsts.push(length);
      length += table.length;
    }
    this.#firsts = firsts;
    this.length = length;
  }

  static *steps(tables: readonly LabelTable[]): Steps<LabelUnion> {
    const bars: ReadonlyMap<string, number>[] = [];
    for (const table of tables) bars.push(yield* barsOf(table));
    return new LabelUnion(tables, bars);
  }

  at(ordinal: number): Label | undefined {
    const { table, at } = this.#locate(ordinal);
    return table.at(at);
  }

  kindAt(ordinal: number): Label["kind"] {
    const { table, at } = this.#locate(ordinal);
    return table.kindAt(at);
  }

  /** The risk level of the row, if it has one. */
  riskAt(ordinal: number): number | undefined {
    const { table, at } = this.#locate(ordinal);
    return table.riskAt(at);
  }

  chainAt(ordinal: number): Chain | undefined {
    const { table, at } = this.#locate(ordinal);
    return table.chainAt(at);
  }

  /** Whether an earlier row of the list has the address, with the same kind and another chain of the family. */
  isRepeatAt(ordinal: number): boolean {
    const { table, at } = this.#locate(ordinal);
    return table.isRepeatAt(at);
  }

  keyAt(ordinal: number): number {
    const { table, at } = this.#locate(ordinal);
    return table.keyAt(at);
  }

  subjectAt(ordinal: number): CanonicalAddress {
    const { table, at } = this.#locate(ordinal);
    return table.subjectAt(at);
  }

  namesAt(ordinal: number): readonly string[] {
    const { table, at } = this.#locate(ordinal);
    return table.namesAt(at);
  }

  /** The bits that an address must share with this label to count as its imitation. 0 when any shape is enough. */
  barBitsAt(ordinal: number): number {
    const { table, at, list } = this.#locate(ordinal);
    return this.#barsByScope[list]?.get(scopeAt(table, at)) ?? 0;
  }

  #locate(ordinal: number): { readonly table: LabelTable; readonly at: number; readonly list: number } {
    let list = this.#firsts.length - 1;
    while ((this.#firsts[list] ?? 0) > ordinal) list--;
    const table = this.#tables[list];
    if (table === undefined) throw new Error(`no label ${ordinal}`);
    return { table, at: ordinal - (this.#firsts[list] ?? 0), list };
  }
}

/**
 * The bars by scope. A bar depends on the number of distinct addresses that a candidate is compared with: the addresses
 * of one kind and family, for tokens of one chain. They are distinct because a list holds a label once
 * (`LabelDeduplication`). Repeats of an address for several chains count once.
 */
function* barsOf(table: LabelTable): Steps<ReadonlyMap<string, number>> {
  const byGroup = new Map<number, { count: number; readonly first: number }>();
  for (let at = 0; at < table.length; at++) {
    if (at > 0 && at % ITEMS_A_STEP === 0) yield;
    if (table.isRepeatAt(at)) continue;
    const group = byGroup.get(table.groupAt(at));
    if (group === undefined) byGroup.set(table.groupAt(at), { count: 1, first: at });
    else group.count++;
  }
  yield;
  const countByScope = new Map<string, number>();
  for (const { count, first } of byGroup.values()) {
    const scope = scopeAt(table, first);
    if (scope !== "") countByScope.set(scope, (countByScope.get(scope) ?? 0) + count);
  }
  return new Map(countByScope.entries().map(([scope, count]) => [scope, barBits(count)]));
}

/** The scope of labels that are compared together. Empty for labels without imitations. */
function scopeAt(table: LabelTable, at: number): string {
  const chain = table.chainAt(at);
  const kind = table.kindAt(at);
  if (kind === "site" || chain === undefined || imitable[kind] === "never") return "";
  return imitable[kind] === "chain" ? `${kind} ${chain.id}` : `${kind} ${chain.family}`;
}
