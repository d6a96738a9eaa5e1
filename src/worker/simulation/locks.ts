import type { AccountLocks } from "./decoder.ts";

/** The accounts that decide whether an event's transaction may share a request. */
export interface LockSets {
  readonly writable: ReadonlySet<string>;
  /** All named accounts, including the writable ones. */
  readonly named: ReadonlySet<string>;
}

/**
 * The locks of an event that may share a request. Undefined for an event that needs its own request:
 *
 * - a sequence, in which each transaction must see the previous one;
 * - a transaction with locks that are not fully known;
 * - a transaction that may change a program's code, because callers do not name the written account.
 */
export function locksForSharing(locks: readonly (AccountLocks | undefined)[]): LockSets | undefined {
  const [only, ...rest] = locks;
  if (only === undefined || rest.length > 0) return undefined;
  if (only.usesLookupTables || only.callsUpgradeableLoader) return undefined;
  const writable = new Set([only.feePayer, ...only.writable]);
  return { writable, named: writable.union(new Set(only.named)) };
}

/**
 * Whether the transactions of two events may share a request. The interface does not promise that the transactions of a
 * request are simulated independently. If they are not, the first transaction changes what the second one finds. So
 * neither may write an account that the other one names. Both may read the same account.
 */
export function mayShare(a: LockSets | undefined, b: LockSets | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.writable.isDisjointFrom(b.named) && b.writable.isDisjointFrom(a.named);
}
