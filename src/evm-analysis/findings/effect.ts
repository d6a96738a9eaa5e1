import { type Expr, isConst } from "../machine/expr.ts";
import type { Step, Write } from "../paths/path.ts";
import { type Slot, slotOf } from "./slot.ts";

/** What a path does in the end to one holder's balance or allowance. */
export interface Effect {
  readonly name: string;
  /** Address whose entry it is, and every key of the entry. */
  readonly holder: Expr;
  readonly keys: readonly Expr[];
  /** Place of the entry in storage. */
  readonly key: Expr;
  /** How often the old value is in the new one: once when something is added or taken, not at all in `set`. */
  readonly old: number;
  /** `set` forgets the old value; `mixed` adds and subtracts. */
  readonly kind: "more" | "less" | "mixed" | "same" | "set" | "cleared";
  /** What is added, or for `set` the new value. */
  readonly added: readonly Expr[];
  readonly removed: readonly Expr[];
  readonly pc: number;
}

/** A value as a sum over the old value. */
interface Sum {
  readonly added: Expr[];
  readonly removed: Expr[];
  old: number;
}

const NEGATIVE = 1n << 255n;

/** Takes `value` apart into what is added to and removed from the entry at `key`. */
function addTo(sum: Sum, value: Expr, key: Expr, sign: 1 | -1): void {
  const [a, b] = value.args;
  if (value.op === "ADD" && a && b) {
    addTo(sum, a, key, sign);
    addTo(sum, b, key, sign);
    return;
  }
  if (value.op === "SUB" && a && b) {
    addTo(sum, a, key, sign);
    addTo(sum, b, key, sign === 1 ? -1 : 1);
    return;
  }
  if (readsEntry(value, key)) {
    sum.old += sign;
    return;
  }
  // Packed entries: the new number lies beside what the word keeps.
  if (value.op === "OR" && a && b) {
    addTo(sum, a, key, sign);
    addTo(sum, b, key, sign);
    return;
  }
  const masked = value.op === "AND" && a && b && isConst(a) ? b : undefined;
  if (masked) {
    if (!readsEntry(masked, key)) addTo(sum, masked, key, sign);
    return;
  }
  if (value.op === "SHL" && a && b && isConst(a)) {
    addTo(sum, b, key, sign);
    return;
  }
  if (isConst(value) && value.value === 0n) return;
  const negative = isConst(value) && value.value >= NEGATIVE;
  (negative === (sign === 1) ? sum.removed : sum.added).push(value);
}

/** Whether a value is the entry itself. Elements of an array differ by place, but belong to the same holder. */
function readsEntry(value: Expr, key: Expr): boolean {
  const place = value.op === "FIELD" ? value.args[0]?.args[0] : value.op === "SLOAD" ? value.args[0] : undefined;
  if (place === undefined || place === key || isConst(key)) return place === key;
  const [read, own] = [slotOf(place), slotOf(key)];
  return read.name === own.name && sameKeys(read.keys, own.keys);
}

const sameKeys = (a: readonly Expr[], b: readonly Expr[]) =>
  a.length === b.length && a.every((key, at) => key === b[at]);

function kindOf({ old, added, removed }: Sum): Effect["kind"] {
  if (old > 0) {
    if (added.length === 0) return removed.length === 0 ? "same" : "less";
    return removed.length === 0 ? "more" : "mixed";
  }
  return added.length === 0 && removed.length === 0 ? "cleared" : "set";
}

/** Amounts that are added and taken away again cancel. */
function cancel(sum: Sum): void {
  for (const [at, value] of [...sum.added.entries()].reverse()) {
    const again = sum.removed.indexOf(value);
    if (again < 0) continue;
    sum.removed.splice(again, 1);
    sum.added.splice(at, 1);
  }
}

/** Where in its word an entry lies. */
export interface Bits {
  readonly shift: number;
  readonly width: number;
}

const mask = (bits: Bits) => ((1n << BigInt(bits.width)) - 1n) << BigInt(bits.shift);

/** What of a word that is written lies in `bits`: its terms, as packed structures put them side by side. */
function termsIn(word: Expr, bits: Bits): readonly Expr[] {
  const [a, b] = word.args;
  if (bits.width === 256) return [word];
  if (isConst(word)) return bits.shift > 0 || (word.value & mask(bits)) === 0n ? [] : [word];
  if (word.op === "OR" && a && b) return [...termsIn(a, bits), ...termsIn(b, bits)];
  if (word.op === "AND" && a && b && isConst(a)) return (a.value & mask(bits)) === 0n ? [] : termsIn(b, bits);
  if (word.op === "SHL" && a && b && isConst(a)) {
    const by = Number(a.value);
    if (by >= bits.shift + bits.width) return [];
    return by > bits.shift ? [word] : termsIn(b, { ...bits, shift: bits.shift - by });
  }
  const isSmall = word.op !== "SLOAD" && bits.shift > 0;
  return isSmall ? [] : [word];
}

const WHOLE: Bits = { shift: 0, width: 256 };

/** Where the entries lie whose changes are looked for. */
export interface Layout {
  /** Names of the mappings. */
  readonly names: ReadonlySet<string>;
  /** Which key is the address. */
  readonly holderKey: number;
  /** Of a mapping whose entries share their word with something else: where in it. */
  readonly bits: ReadonlyMap<string, Bits>;
  /** Entries of addresses in the code, by their place: optimizers hash them beforehand. */
  readonly entries: ReadonlyMap<bigint, Slot>;
}

/** The last write of each entry, as its effect. */
export function effectsOf(steps: readonly Step[], { names, holderKey, bits, entries }: Layout): readonly Effect[] {
  const last = new Map<Expr, Write>();
  for (const step of steps) if (step.kind === "write") last.set(step.key, step);
  const effects: Effect[] = [];
  for (const { key, value, pc } of last.values()) {
    const { name, keys } = (isConst(key) && entries.get(key.value)) || slotOf(key);
    const holder = keys[holderKey];
    if (!names.has(name) || !holder) continue;
    const sum: Sum = { added: [], removed: [], old: 0 };
    for (const term of termsIn(value, bits.get(name) ?? WHOLE)) addTo(sum, term, key, 1);
    // Other bits of the word were written.
    if (sum.old === 0 && sum.added.length + sum.removed.length === 0 && !isConst(value)) sum.old = 1;
    cancel(sum);
    effects.push({ name, holder, keys, key, kind: kindOf(sum), ...sum, pc });
  }
  return effects;
}
