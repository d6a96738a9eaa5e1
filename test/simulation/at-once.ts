import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { LoggedRequest } from "./service-log.ts";

/** The targets of calibrations. */
const calibrated: ReadonlySet<string> = new Set(canaryPairs.map(({ target }) => target));

/**
 * Checks that equal questions in flight share one request: no process has the same bytes in flight twice. Requests
 * about transactions are exempt. Each belongs to its event, and an overdue event may send a second request beside its
 * first. Targets of a calibration are exempt as well, because an event may be about the same target.
 */
export class AtOnce {
  #onTheWay = new Map<string, LoggedRequest>();

  /** A process begins. */
  begin(): void {
    this.#onTheWay = new Map();
  }

  /** @returns the request with the same bytes that is in flight, if there is one. */
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
