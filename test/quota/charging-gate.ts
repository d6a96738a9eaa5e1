import type { AppError } from "../../src/kernel/errors.ts";
import type { Outcome } from "../../src/worker/answers/outcome.ts";
import { Gate } from "../../src/worker/rate-limit/gate/gate.ts";
import type { Waiter } from "../../src/worker/rate-limit/queue/waiter.ts";

/**
 * A gate that records which failures cost which events an attempt. A trace does not tell, because it counts all
 * requests.
 */
export class ChargingGate extends Gate {
  readonly #charged = new Map<AppError["code"], Set<object>>();

  /** Number of events that lost an attempt to a failure of this kind. */
  charged(code: AppError["code"]): number {
    return this.#charged.get(code)?.size ?? 0;
  }

  /** A charged event waits here before it asks again. Waiters that come later join `of`. */
  override afforded(error: AppError, of: Parameters<Gate["afforded"]>[1]): Promise<void> {
    for (const turn of of) this.#charge(error, turn);
    return super.afforded(error, of);
  }

  /** An event ended. Its failure cost it the last attempt. */
  ended(turn: Waiter, outcome: Outcome<unknown>): void {
    if (!outcome.ok) this.#charge(outcome.error, turn);
  }

  #charge({ code }: AppError, turn: object): void {
    const charged = this.#charged.get(code) ?? new Set();
    this.#charged.set(code, charged.add(turn));
  }
}
