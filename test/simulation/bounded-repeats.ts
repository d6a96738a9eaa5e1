import type { Scenario } from "./scenario.ts";
import type { Ending, LoggedRequest } from "./service-log.ts";

/** The most attempts of a question. */
const ATTEMPTS = 5;
/** Retries in the budget of a new process, and the number of answers that pay for one more. */
const AFFORDED = 100;
const ANSWERS = 5;
/** 503s of one question that may count as load refusals, which cost nothing. */
const FREE_REFUSALS = 3;

/**
 * Checks the retries in a brown-out (brown-out.ts): each question gets at most five attempts, and the answers bound all
 * retries together. Beyond that bound, one retry may be sent whenever nothing is in flight.
 * The check covers the backfill, which waits for any time, until the breaker opens. Later failures cost nothing. A 503
 * among answers may cost nothing.
 */
export class BoundedRepeats {
  readonly #scenario: Scenario;
  readonly #realtime: ReadonlySet<string>;
  #times = new Map<string, number>();
  /** The number of 503s per question. */
  #refusals = new Map<string, number>();
  #onTheWay = new Set<LoggedRequest>();
  #repeats = 0;
  #answers = 0;
  #quiet = 0;
  #isHeld = false;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const realtime = scenario.records.flatMap(({ event }, i) =>
      event.ok && event.value.lane === "realtime" ? [scenario.expected[i]?.target?.address ?? ""] : [],
    );
    this.#realtime = new Set(realtime);
  }

  /** A process begins. */
  begin(): void {
    this.#times = new Map();
    this.#refusals = new Map();
    this.#onTheWay = new Set();
    this.#repeats = 0;
    this.#answers = 0;
    this.#quiet = 0;
    this.#isHeld = this.#scenario.isBrownOut;
  }

  /** The breaker opens. */
  open(): void {
    this.#isHeld = false;
  }

  /** @returns the faults of a request that is one too many. */
  sent(request: LoggedRequest): readonly string[] {
    if (!this.#isHeld) return [];
    if (this.#onTheWay.size === 0) this.#quiet++;
    this.#onTheWay.add(request);
    // The questions of a calibration belong to no event.
    if (request.route !== "classifyQuery" || request.asked.some(({ address }) => this.#realtime.has(address)))
      return [];
    const times = (this.#times.get(request.bytes) ?? 0) + 1;
    this.#times.set(request.bytes, times);
    if (times > 1) this.#repeats++;
    const most = AFFORDED + this.#quiet + Math.floor(this.#answers / ANSWERS);
    return [
      ...(times > ATTEMPTS + (this.#refusals.get(request.bytes) ?? 0) ? [`asks for the ${times}th time`] : []),
      ...(this.#repeats > most ? [`is repetition ${this.#repeats}, and ${most} are paid for`] : []),
    ];
  }

  ended(request: LoggedRequest, { status, isHeard = false }: Ending): void {
    this.#onTheWay.delete(request);
    const refusals = this.#refusals.get(request.bytes) ?? 0;
    if (status === 503 && refusals < FREE_REFUSALS) {
      this.#refusals.set(request.bytes, refusals + 1);
      this.#repeats--;
    }
    if (isHeard) this.#answers++;
  }
}
