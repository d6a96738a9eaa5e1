import { effectsOf } from "../findings/effect.ts";
import { readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, isConst, mark } from "../machine/expr.ts";
import type { Branch } from "../paths/path.ts";
import { changesIn, movers, type OwnerWrite, type PathView, type View } from "../paths/view.ts";

/** Who writes the variables that a transfer looks at. */
export interface Settings {
  /** Every write of any function. */
  readonly all: readonly OwnerWrite[];
  /** Writes by which somebody sets a rule: an owner, or anybody where nobody is kept out. */
  readonly rules: readonly OwnerWrite[];
  /** Writes by transfers themselves: locks, times of the last trade, lists that fill by themselves. */
  readonly own: readonly OwnerWrite[];
}

/** By the names of what they write: a large contract has thousands, and is asked about each variable of each test. */
const indexes = new WeakMap<readonly OwnerWrite[], ReadonlyMap<string, readonly OwnerWrite[]>>();

export function writesTo(writes: readonly OwnerWrite[], field: StorageField): readonly OwnerWrite[] {
  const byName = indexes.get(writes) ?? Map.groupBy(writes, (write) => write.field.name);
  indexes.set(writes, byName);
  return byName.get(field.name)?.filter((write) => sameBits(write.field, field)) ?? [];
}

/** Sorts the writes of all functions. */
export function settingsOf(view: View): Settings {
  const all = view.paths.flatMap(changesIn);
  const own = all.filter(({ selector }) => movers.has(selector));
  const settled = view.ownerWrites.filter((write) => isSetting(view, write, own));
  const open = view.paths.flatMap((path) => openWrites(view, path));
  return { rules: [...settled, ...open.filter((write) => isSetting(view, write, own))], own, all };
}

/**
 * Whether a write sets something for later. Not: a lock that is taken and given back, what a transfer writes for
 * everybody, and what an owner's function writes because it transfers.
 */
function isSetting(view: View, write: OwnerWrite, own: readonly OwnerWrite[]): boolean {
  if (isLock(write)) return false;
  const same = writesTo(own, write.field);
  if (movers.has(write.selector)) return same.every(({ path }) => path.guards.some(isIdentity));
  return same.length === 0 || effectsOf(write.path.steps, view.token.balanceLayout).length === 0;
}

const isIdentity = ({ kind }: PathView["guards"][number]) => kind === "slot" || kind === "constant";

/** Whether the same bits are written twice on the path, by constants: taken, then given back. */
export function isLock({ path, field, value }: OwnerWrite): boolean {
  const times = writesTo(changesIn(path), field).length;
  return times > 1 && (value.marks & (mark.calldata | mark.caller)) === 0;
}

/** Writes by which anybody may set a rule for another, or for all, in a function that does nothing else. */
function openWrites(view: View, path: PathView): readonly OwnerWrite[] {
  if (path.guards.length > 0 || movers.has(path.selector) || path.selector === "fallback") return [];
  const tested = path.steps.flatMap((step) => (step.kind === "branch" ? readsIn(step.tested) : []));
  const paid = path.steps.some((step) => step.kind === "call" || (step.kind === "branch" && asksMore(step)));
  if (paid || effectsOf(path.steps, view.token.balanceLayout).length > 0) return [];
  const writes = changesIn(path);
  // What was tested is spent by the path, which so cannot be gone again.
  if (writes.some(({ field }) => tested.some((read) => sameBits(read, field)))) return [];
  return writes.filter(({ field, value }) => !view.token.ordinary.has(field.name) && isGiven(field, value));
}

/** A price, a time, another contract's answer; that no ether came with the call is asked by every function. */
const asksMore = ({ tested, truth }: Branch) =>
  (tested.op !== "CALLVALUE" || truth) && (tested.marks & (mark.time | mark.value | mark.call)) !== 0;

/** A plain value for an address that the caller names, or for nobody in particular. */
function isGiven({ keys, name }: StorageField, value: Expr): boolean {
  if (name.includes("{}") || keys.length > 1) return false;
  const [key] = keys;
  if (key && (key.marks & mark.calldata) === 0) return false;
  const plain = (value.marks & (mark.time | mark.value | mark.caller | mark.call)) === 0;
  return plain && (isConst(value) || readsIn(value).every((read) => read.name === name));
}
