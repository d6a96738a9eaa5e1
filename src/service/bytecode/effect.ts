import { type Expr, isConst } from "./expr.ts";
import type { Step, Write } from "./path.ts";
import { readOf, readsIn, slotOf } from "./slot.ts";

/** What a path does in the end to one holder's balance or allowance. */
export interface Effect {
  readonly name: string;
  /** Address whose entry it is, and every key of the entry. */
  readonly holder: Expr;
  readonly keys: readonly Expr[];
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

/** Takes `value` apart into what is added to and removed from the entry `keys` of `name`. */
function addTo(sum: Sum, value: Expr, name: string, keys: readonly Expr[], sign: 1 | -1): void {
  const [a, b] = value.args;
  if (value.op === "ADD" && a && b) {
    addTo(sum, a, name, keys, sign);
    addTo(sum, b, name, keys, sign);
    return;
  }
  if (value.op === "SUB" && a && b) {
    addTo(sum, a, name, keys, sign);
    addTo(sum, b, name, keys, sign === 1 ? -1 : 1);
    return;
  }
  const read = readOf(value);
  if (read?.name === name && sameKeys(read.keys, keys)) {
    sum.old += sign;
    return;
  }
  // Packed entries: the new number lies beside what the word keeps.
  if (value.op === "OR" && a && b) {
    addTo(sum, a, name, keys, sign);
    addTo(sum, b, name, keys, sign);
    return;
  }
  const masked = value.op === "AND" && a && b && isConst(a) ? b : undefined;
  if (masked) {
    const whole = readOf(masked);
    const cut = whole?.name === name && sameKeys(whole.keys, keys);
    if (!cut) addTo(sum, masked, name, keys, sign);
    return;
  }
  if (value.op === "SHL" && a && b && isConst(a)) {
    addTo(sum, b, name, keys, sign);
    return;
  }
  if (isConst(value) && value.value === 0n) return;
  const negative = isConst(value) && value.value >= NEGATIVE;
  (negative === (sign === 1) ? sum.removed : sum.added).push(value);
}

/** Elements of an array differ by place, but belong to the same holder. */
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

/** The last write of each entry of the mappings `names`, as its effect. `holderKey` says which key is the address. */
export function effectsOf(steps: readonly Step[], names: ReadonlySet<string>, holderKey = 0): readonly Effect[] {
  const last = new Map<Expr, Write>();
  for (const step of steps) if (step.kind === "write") last.set(step.key, step);
  const effects: Effect[] = [];
  for (const { key, value, pc } of last.values()) {
    const { name, keys } = slotOf(key);
    const holder = keys[holderKey];
    if (!names.has(name) || !holder) continue;
    const sum: Sum = { added: [], removed: [], old: 0 };
    addTo(sum, value, name, keys, 1);
    cancel(sum);
    effects.push({ name, holder, keys, kind: kindOf(sum), added: sum.added, removed: sum.removed, pc });
  }
  return effects;
}

/** Whether a value was computed from an entry of the mappings `names`. */
export const comesFrom = (value: Expr, names: ReadonlySet<string>): boolean =>
  readsIn(value).some(({ name }) => names.has(name));
