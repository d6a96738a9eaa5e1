import type { Gate } from "../../rate-limit/gate/gate.ts";

/** A batch was refused with 401 or 403, as for a bad key. */
export interface Doubt {
  /** Number of keys that had been loaded by then. */
  readonly keys: number;
  /** Time of the refusal, milliseconds of the clock's ticks. */
  readonly at: number;
  /** Consecutive refusals without an answer to another request. */
  readonly refusals: number;
  /** Whether the key is known to be good. Then one of the entries is refused, and it is searched for. */
  readonly isOver: boolean;
}

interface Member {
  doubt?: Doubt;
}

/**
 * By this refusal every other probe of the circuit breaker was a health probe, and none was answered. Chosen: these
 * probes take about three minutes, and a key is replaced in less.
 */
const LONG = 8;

/**
 * Tells a request that is refused for itself, for example by a firewall, from a refused key. The service answers both
 * with 401 or 403. A search after the first refusal would last as long as the key is refused. A request is refused for
 * itself when two conditions hold: it is refused again, and the same key got a later answer. The answered request must
 * have left after the first refusal. An earlier request proves nothing.
 */
export class UnauthorizedCause {
  readonly #gate: Pick<Gate, "keys" | "keyGoodAt">;

  constructor(gate: Pick<Gate, "keys" | "keyGoodAt">) {
    this.#gate = gate;
  }

  /**
   * Judges entries that were refused together at `now`.
   *
   * @returns
   * - `own`: the entries are refused for themselves.
   * - `doubtful`: the entries may be sent again as they were.
   * - `divided`: the entries are sent in halves, so that entries beside a refused entry do not wait for ever. While a
   *   key is refused, `divided` is rare: at the eighth refusal, the sixteenth, the thirty-second.
   */
  judge(members: readonly Member[], now: number): "own" | "doubtful" | "divided" {
    const { keys, keyGoodAt } = this.#gate;
    let [refusals, isOver] = [0, false];
    for (const { doubt } of members) {
      if (doubt?.keys !== keys) continue;
      refusals = Math.max(refusals, doubt.refusals);
      isOver ||= doubt.isOver || keyGoodAt > doubt.at;
    }
    refusals++;
    const doubt = { keys, at: now, refusals, isOver };
    for (const member of members) member.doubt = doubt;
    if (isOver) return "own";
    return refusals >= LONG && Number.isInteger(Math.log2(refusals)) ? "divided" : "doubtful";
  }
}
