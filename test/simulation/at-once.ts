import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { LoggedRequest } from "./service-log.ts";

/** What calibrations ask about. */
const calibrated: ReadonlySet<string> = new Set(canaryPairs.map(({ target }) => target));

/**
 * Who asks what is being asked gets the same answer: no process has the same bytes on the way twice at once. Not of
 * transactions: each is its event's own, and an event that is overdue may ask again beside its first request. Nor of what a
 * calibration asks about, which an event may be about as well.
 */
export class AtOnce {
  #onTheWay = new Map<string, LoggedRequest>();

  /** A process begins. */
  begin(): void {
    this.#onTheWay = new Map();
  }

  /** @returns what asks the same at the moment. */
  sent(request: LoggedRequest): LoggedRequest | undefined {
    if (request.transactions.length > 0 || request.asked.some(({ address }) => calibrated.has(address)))
      return undefined;
    const same = this.#onTheWay.get(request.bytes);
    this.#onTheWay.set(request.bytes, request);
    return same;
  }

  ended(request: LoggedRequest): void {
    if (this.#onTheWay.get(request.bytes) === request) this.#onTheWay.delete(request.bytes);
  }
}
