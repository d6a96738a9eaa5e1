import type { AccountLocks } from "./decoder.ts";

/** What decides about the company of one event's transaction. */
export interface LockSets {
  readonly writable: ReadonlySet<string>;
  /** The writable ones among them. */
  readonly named: ReadonlySet<string>;
}

/**
 * The locks of an event that may have company in its request, or undefined for one that goes alone: a sequence, whose
 * transactions are meant to see each other; a transaction whose locks nobody knows in full; and one that may change
 * what a program does, since its callers do not name the account it writes.
 */
export function locksForSharing(locks: readonly (AccountLocks | undefined)[]): LockSets | undefined {
  const [only, ...rest] = locks;
  if (only === undefined || rest.length > 0) return undefined;
  if (only.usesLookupTables || only.callsUpgradeableLoader) return undefined;
  const writable = new Set([only.feePayer, ...only.writable]);
  return { writable, named: writable.union(new Set(only.named)) };
}

/**
 * Whether the transactions of two events may stand in one request. The interface does not say that a request's
 * transactions are simulated independently; where they are not, the first one changes what the second one finds. So
 * neither may write an account that the other one names. Both may read the same one.
 */
export function mayShare(a: LockSets | undefined, b: LockSets | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.writable.isDisjointFrom(b.named) && b.writable.isDisjointFrom(a.named);
}
