import type { Gate } from "../../rate-limit/gate/gate.ts";

/** A request with others was refused as a key is refused. */
export interface Doubt {
  /** Keys that were taken up until then. */
  readonly keys: number;
  /** When it was refused, milliseconds of the clock's ticks. */
  readonly at: number;
  /** How often in a row, while nobody else was answered. */
  readonly refusals: number;
  /** Whether the key was known to be good: it is searched for whoever is refused. */
  readonly isOver: boolean;
}

interface Member {
  doubt?: Doubt;
}

/**
 * By then the gate has knocked time and again, at every other probe, and had no answer. Chosen: they take about three minutes, and a key
 * is replaced in less.
 */
const LONG = 8;

/**
 * Tells a request that is refused, as by a firewall before the service, from a key that is. Both are answered 401 or 403,
 * and the first refusal tells nothing: taken for the request's own it would be searched through for as long as the key is
 * refused. It is its own when it is refused once more, and a request was answered by the very same key that left after the
 * first refusal. An answer that comes late to what left before proves nothing: the key may have been refused since.
 */
export class KeyOrRequest {
  readonly #gate: Pick<Gate, "keys" | "keyGoodAt">;

  constructor(gate: Pick<Gate, "keys" | "keyGoodAt">) {
    this.#gate = gate;
  }

  /**
   * These were refused together, at `now`. @returns `own`: for themselves; `doubtful`: they may be asked again as they were;
   * `divided`: in halves, since nothing else is answered, and who waits with what is refused for itself must not wait for
   * ever. While a key is refused that is seldom: at the eighth refusal, the sixteenth, the thirty-second.
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
