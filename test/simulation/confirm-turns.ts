import { CONFIRM_SHARE } from "../../src/worker/batching/replies/confirm-share.ts";
import type { Scenario } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { itemKey } from "./truth.ts";

/**
 * While other requests wait, confirmations may not exceed their share of the requests. The check runs among imitators
 * (imitators.ts), where nothing goes wrong. There, a repeated question is a confirmation. A line read since the first
 * batch request waits for a batch.
 */
export class ConfirmTurns {
  readonly #scenario: Scenario;
  /** Lines that were read but are in no request yet, with the time of reading. */
  #waiting = new Map<string, number>();
  #asked = new Set<string>();
  #isPooling = false;
  #confirmed = 0;
  #others = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** A process begins. */
  begin(): void {
    this.#waiting = new Map();
    this.#asked = new Set();
    this.#isPooling = false;
    this.#confirmed = 0;
    this.#others = 0;
  }

  read(line: number, now: number): void {
    const target = this.#scenario.expected[line - 1]?.target;
    if (target !== undefined && this.#isPooling && !this.#asked.has(itemKey(target)))
      this.#waiting.set(itemKey(target), now);
  }

  /** @returns the fault when confirmations exceed their share. */
  sent({ route, keys, canaries }: LoggedRequest, now: number): string | undefined {
    if (!this.#scenario.confirmsInTurn || !route.startsWith("poisoning")) return undefined;
    const isConfirmation = canaries.size === 0 && !this.#asked.isDisjointFrom(keys);
    for (const key of keys) {
      this.#asked.add(key);
      this.#waiting.delete(key);
    }
    if (canaries.size > 0) this.#isPooling = true;
    if (!isConfirmation) {
      this.#others++;
      return undefined;
    }
    if (![...this.#waiting.values()].some((since) => since < now)) return undefined;
    const most = (this.#others * CONFIRM_SHARE) / (1 - CONFIRM_SHARE);
    return ++this.#confirmed > most ? `is confirmation ${this.#confirmed} beside ${this.#others} others` : undefined;
  }
}
