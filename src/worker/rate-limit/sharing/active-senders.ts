import type { Quota } from "./quota.ts";

/** Of a quota, for how many requests those who want nothing, or little, have places; one at least. */
const RESERVE = 0.1;
/** Who wants less of a window than this part of a request, or a second, wants little. */
const LITTLE = 0.5;
/** Whoever has waited for a moment states this at least (`DemandMeter`), a second: it is kept waiting by no reserve. */
const WAITS = 1;
/** How long one has a place where there are too few, in rounds; and the shortest time of a round, milliseconds. */
const HELD_ROUNDS = 3;
const ROUND_MS = 2_000;

export interface ActiveSendersOptions {
  readonly quota: Quota;
  /** Statements that everybody has made, on average, with fractions: it counts the turns. */
  readonly round: number;
}

export interface ActiveSenders {
  /** Who may send, by number. */
  readonly sending: readonly number[];
  /** How many of them there may have been within one window, where places pass on. */
  readonly senders: number;
}

/**
 * Who may send now, of those who want so many requests a second. Those who want little, or nothing, share a reserve, and what
 * the others leave: a place for each would take the quota of a large fleet from the few that work. Who has asked lately
 * comes before those who have not. Where places are too few they go round, one after the other, so that a place that is
 * unused for a second, as each is when it passes on, is one of many.
 */
export function selectActiveSenders(demands: readonly number[], { quota, round }: ActiveSendersOptions): ActiveSenders {
  const { requests, windowMs } = quota;
  const capacity = Math.max(1, Math.floor(requests / 2));
  const little = Math.min(WAITS, (1_000 * LITTLE) / windowMs);
  const numbers = [...demands.keys()];
  const demand = (i: number) => demands[i] ?? 0;
  const eager = numbers.filter((i) => demand(i) >= little);
  const modest = numbers.filter((i) => demand(i) > 0 && demand(i) < little);
  const idle = numbers.filter((i) => demand(i) === 0);
  const wanted = eager.reduce((sum, i) => sum + Math.ceil((demand(i) * windowMs) / 1_000), 0);
  const reserve = Math.max(1, Math.floor(RESERVE * requests), capacity - wanted);
  const kept = Math.min(modest.length + idle.length, reserve, eager.length > 0 ? capacity - 1 : capacity);
  const turns = { of: demands.length, round, held: Math.max(HELD_ROUNDS, Math.ceil((2 * windowMs) / ROUND_MS)) };
  const parts = [
    inTurns(eager, capacity - kept, turns),
    inTurns(modest, kept, turns),
    inTurns(idle, kept - Math.min(kept, modest.length), turns),
  ];
  return {
    sending: parts.flatMap(({ sending }) => sending),
    senders: parts.reduce((sum, { senders }) => sum + senders, 0),
  };
}

/** @param turns how many there are in all, and for how many rounds a place is held. */
function inTurns(
  some: readonly number[],
  count: number,
  turns: { readonly of: number; readonly round: number; readonly held: number },
): ActiveSenders {
  if (some.length <= count) return { sending: some, senders: some.length };
  // Counted among all: who comes to want something, or no more, moves nobody else's turn.
  const first = Math.floor((turns.round * count) / turns.held) % turns.of;
  const sending = [...some.filter((i) => i >= first), ...some.filter((i) => i < first)].slice(0, count);
  return { sending, senders: Math.min(some.length, 2 * count) };
}
