import type { KnownSolana } from "./solana-transactions.ts";

/** Whether a request holds transactions of several events. A sequence of one event is no group. */
export function isGroup(keys: readonly string[], known: ReadonlyMap<string, KnownSolana>): boolean {
  return keys.length > (known.get(keys[0] ?? "")?.event.length ?? 1);
}

/**
 * The faults of a group of transactions in one request: no transaction may write an account that another event's
 * transaction names.
 */
export function faultsOfGroup(keys: readonly string[], known: ReadonlyMap<string, KnownSolana>): readonly string[] {
  const members = keys.flatMap((key) => known.get(key) ?? []);
  const isOneEvent = members.every(({ event }) => event.length === keys.length);
  const alone = members.some(({ goesAlone }) => goesAlone) && !(isOneEvent && sameEvent(members, keys));
  const faults = alone ? ["holds company of one that goes alone"] : [];
  if (members.some(({ goesAlone }) => goesAlone)) return faults;
  const clashes = members.some((one, i) =>
    members.some((other, j) => i !== j && !one.writable.isDisjointFrom(other.named)),
  );
  return clashes ? ["holds an event that writes what another one names"] : faults;
}

function sameEvent(members: readonly KnownSolana[], keys: readonly string[]): boolean {
  return members.every(({ event }) => event.every((key, i) => key === keys[i]));
}
