import type { Quota } from "./quota.ts";

/** Share of the quota that is reserved for processes with little or no demand. At least one request is reserved. */
const RESERVE = 0.1;
/** A demand below this part of a request per window counts as little. `WAITS` per second is the upper limit. */
const LITTLE = 0.5;
/**
 * Lowest demand, in requests per second, that a process with waiting requests states (`DemandMeter`). No reserve delays
 * it.
 */
const WAITS = 1;
/** How many rounds a process keeps its turn where turns are scarce, and the shortest round in milliseconds. */
const HELD_ROUNDS = 3;
const ROUND_MS = 2_000;

export interface ActiveSendersOptions {
  readonly quota: Quota;
  /** The average number of statements per process, with fractions. It counts the rounds. */
  readonly round: number;
}

export interface ActiveSenders {
  /** Indices of the processes that may send. */
  readonly sending: readonly number[];
  /** Largest number of senders within one window, including turns that pass on during the window. */
  readonly senders: number;
}

/**
 * Selects the processes that may send now, from their demands in requests per second. Processes with little or no
 * demand share a reserve, and what the others leave. A turn for each such process would take the quota of a large fleet
 * from the few that work. Processes with some demand come before idle ones. Where turns are scarce, they rotate one
 * process at a time. A turn is unused for a second when it passes on. Only one turn of many is unused at a time.
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

/** @param turns the number of all processes, the current round, and the rounds for which a turn is held. */
function inTurns(
  some: readonly number[],
  count: number,
  turns: { readonly of: number; readonly round: number; readonly held: number },
): ActiveSenders {
  if (some.length <= count) return { sending: some, senders: some.length };
  // Turns are counted over all processes. A process that starts or stops needing requests moves no other process's
  // turn.
  const first = Math.floor((turns.round * count) / turns.held) % turns.of;
  const sending = [...some.filter((i) => i >= first), ...some.filter((i) => i < first)].slice(0, count);
  return { sending, senders: Math.min(some.length, 2 * count) };
}
