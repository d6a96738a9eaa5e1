import type { AppError } from "../../src/kernel/errors.ts";
import type { Outcome } from "../../src/worker/answers/outcome.ts";
import { Gate } from "../../src/worker/rate-limit/gate/gate.ts";
import type { Waiter } from "../../src/worker/rate-limit/queue/waiter.ts";

/** A gate that knows whom a failure of which kind cost an attempt: a trace counts requests, whosever fault they were. */
export class ChargingGate extends Gate {
  readonly #charged = new Map<AppError["code"], Set<object>>();

  /** Events that have an attempt less for a failure of this kind. */
  charged(code: AppError["code"]): number {
    return this.#charged.get(code)?.size ?? 0;
  }

  /** Whoever is charged waits here before it asks again. Who comes later joins `of`. */
  override afforded(error: AppError, of: Parameters<Gate["afforded"]>[1]): Promise<void> {
    for (const turn of of) this.#charge(error, turn);
    return super.afforded(error, of);
  }

  /** An event came to an end: what it failed with was its last attempt. */
  ended(turn: Waiter, outcome: Outcome<unknown>): void {
    if (!outcome.ok) this.#charge(outcome.error, turn);
  }

  #charge({ code }: AppError, turn: object): void {
    const charged = this.#charged.get(code) ?? new Set();
    this.#charged.set(code, charged.add(turn));
  }
}
