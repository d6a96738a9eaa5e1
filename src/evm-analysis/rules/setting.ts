import { effectsOf } from "../findings/effect.ts";
import { readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, isConst, mark } from "../machine/expr.ts";
import type { Branch } from "../paths/path.ts";
import { changesIn, movers, type OwnerWrite, type PathView, type View } from "../paths/view.ts";

/** The writes to the variables that a transfer reads. */
export interface Settings {
  /** Every write of any function. */
  readonly all: readonly OwnerWrite[];
  /** Writes that set a rule: by an owner, or by any caller where the function is open. */
  readonly rules: readonly OwnerWrite[];
  /** Writes by transfers themselves: locks, times of the last trade, and lists that transfers fill. */
  readonly own: readonly OwnerWrite[];
}

/**
 * Writes by the name of their field. A large contract has thousands of writes and is searched for each variable of each
 * test.
 */
const indexes = new WeakMap<readonly OwnerWrite[], ReadonlyMap<string, readonly OwnerWrite[]>>();

export function writesTo(writes: readonly OwnerWrite[], field: StorageField): readonly OwnerWrite[] {
  const byName = indexes.get(writes) ?? Map.groupBy(writes, (write) => write.field.name);
  indexes.set(writes, byName);
  return byName.get(field.name)?.filter((write) => sameBits(write.field, field)) ?? [];
}

/** Sorts the writes of all functions into rules and transfers. */
export function settingsOf(view: View): Settings {
  const all = view.paths.flatMap(changesIn);
  const own = all.filter(({ selector }) => movers.has(selector));
  const settled = view.ownerWrites.filter((write) => isSetting(view, write, own));
  const open = view.paths.flatMap((path) => openWrites(view, path));
  return { rules: [...settled, ...open.filter((write) => isSetting(view, write, own))], own, all };
}

/**
 * Whether a write sets a value for later. Three kinds are excluded: reentrancy locks, writes of a transfer for every
 * caller, and writes of an owner's function because it transfers.
 */
function isSetting(view: View, write: OwnerWrite, own: readonly OwnerWrite[]): boolean {
  if (isLock(write)) return false;
  const same = writesTo(own, write.field);
  if (movers.has(write.selector)) return same.every(({ path }) => path.guards.some(isIdentity));
  return same.length === 0 || effectsOf(write.path.steps, view.token.balanceLayout).length === 0;
}

const isIdentity = ({ kind }: PathView["guards"][number]) => kind === "slot" || kind === "constant";

/** Whether the path writes the same bits twice with constants: a lock is taken, then released. */
export function isLock({ path, field, value }: OwnerWrite): boolean {
  const times = writesTo(changesIn(path), field).length;
  return times > 1 && (value.marks & (mark.calldata | mark.caller)) === 0;
}

/**
 * Writes by which any caller may set a rule for another address, or for all. The function must have no other effect.
 */
function openWrites(view: View, path: PathView): readonly OwnerWrite[] {
  if (path.guards.length > 0 || movers.has(path.selector) || path.selector === "fallback") return [];
  const tested = path.steps.flatMap((step) => (step.kind === "branch" ? readsIn(step.tested) : []));
  const paid = path.steps.some((step) => step.kind === "call" || (step.kind === "branch" && asksMore(step)));
  if (paid || effectsOf(path.steps, view.token.balanceLayout).length > 0) return [];
  const writes = changesIn(path);
  // The path consumes the tested value, so it cannot run again.
  if (writes.some(({ field }) => tested.some((read) => sameBits(read, field)))) return [];
  return writes.filter(({ field, value }) => !view.token.ordinary.has(field.name) && isGiven(field, value));
}

/**
 * The test depends on a price, a time, or the answer of another contract. A check that no ether came with the call does
 * not count, because every function has it.
 */
const asksMore = ({ tested, truth }: Branch) =>
  (tested.op !== "CALLVALUE" || truth) && (tested.marks & (mark.time | mark.value | mark.call)) !== 0;

/** A plain value for an address that the caller names, or for a variable without a key. */
function isGiven({ keys, name }: StorageField, value: Expr): boolean {
  if (name.includes("{}") || keys.length > 1) return false;
  const [key] = keys;
  if (key && (key.marks & mark.calldata) === 0) return false;
  const plain = (value.marks & (mark.time | mark.value | mark.caller | mark.call)) === 0;
  return plain && (isConst(value) || readsIn(value).every((read) => read.name === name));
}
