import { type Expr, isConst } from "../machine/expr.ts";
import type { Step, Write } from "../paths/path.ts";
import { type Slot, slotOf } from "./slot.ts";

/** The total effect of a path on the balance or allowance of one holder. */
export interface Effect {
  readonly name: string;
  /** The address that owns the entry, and every key of the entry. */
  readonly holder: Expr;
  readonly keys: readonly Expr[];
  /** Storage key of the entry. */
  readonly key: Expr;
  /** How often the new value contains the old one. Once when an amount is added or taken, never in `set`. */
  readonly old: number;
  /** `set` ignores the old value; `mixed` adds and subtracts. */
  readonly kind: "more" | "less" | "mixed" | "same" | "set" | "cleared";
  /** The added amounts; for `set` the new value. */
  readonly added: readonly Expr[];
  readonly removed: readonly Expr[];
  readonly pc: number;
}

/** A new value as a sum that contains the old value. */
interface Sum {
  readonly added: Expr[];
  readonly removed: Expr[];
  old: number;
}

const NEGATIVE = 1n << 255n;

/** Splits `value` into the amounts added to and removed from the entry at `key`. */
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
  // In packed entries, the new number lies beside the bits that the word keeps.
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

/** Whether a value is the entry itself. Elements of an array have different keys but belong to one holder. */
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

/** Removes amounts that are added and also taken away. */
function cancel(sum: Sum): void {
  for (const [at, value] of [...sum.added.entries()].reverse()) {
    const again = sum.removed.indexOf(value);
    if (again < 0) continue;
    sum.removed.splice(again, 1);
    sum.added.splice(at, 1);
  }
}

/** The bits of an entry in its word. */
export interface Bits {
  readonly shift: number;
  readonly width: number;
}

const mask = (bits: Bits) => ((1n << BigInt(bits.width)) - 1n) << BigInt(bits.shift);

/** The terms of a written word that lie in `bits`. Packed structures are composed of such terms. */
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

/** Where the entries lie that are searched for changes. */
export interface Layout {
  /** Names of the mappings. */
  readonly names: ReadonlySet<string>;
  /** Index of the key that is the holder's address. */
  readonly holderKey: number;
  /** For mappings with packed entries: the bits of the entry in its word. */
  readonly bits: ReadonlyMap<string, Bits>;
  /** Entries of addresses in the code, by storage key. Optimizers compute the hash beforehand. */
  readonly entries: ReadonlyMap<bigint, Slot>;
}

/** The effect of the last write to each entry. */
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
    // The write changed other bits of the word only.
    if (sum.old === 0 && sum.added.length + sum.removed.length === 0 && !isConst(value)) sum.old = 1;
    cancel(sum);
    effects.push({ name, holder, keys, key, kind: kindOf(sum), ...sum, pc });
  }
  return effects;
}
