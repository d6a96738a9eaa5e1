import type { Scenario } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { itemKey } from "./truth.ts";
import type { VirtualTime } from "./virtual-clock.ts";

/** Whoever stands in realtime waits so long for each calibration, milliseconds, and a slot that comes at once. */
const CALIBRATION_MS = 1_000;
const SLOT_MS = 100;

/**
 * In a crowd everybody in realtime is asked about within a second, however calibrations fare: one more for each that has
 * come to nothing. It is held to that where nothing but a calibration keeps him waiting: slots are plentiful, and nothing
 * was refused for the quota, nor did the service seem down.
 */
export class PromptRealtime {
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #fault: (what: string) => void;
  /** Of one process. */
  #asked = new Set<string>();
  #failures = 0;
  #isHeld = false;

  constructor(scenario: Scenario, time: VirtualTime, fault: (what: string) => void) {
    this.#scenario = scenario;
    this.#time = time;
    this.#fault = fault;
  }

  /** A process begins. */
  begin(): void {
    const { isCrowd, limit, isLimitKnown, concurrency, records } = this.#scenario;
    this.#asked = new Set();
    this.#failures = 0;
    this.#isHeld = isCrowd && limit === undefined && isLimitKnown && concurrency > records.length;
  }

  /** From now on other things than calibrations may keep him waiting; or the process is at its end. */
  end(): void {
    this.#isHeld = false;
  }

  read(line: number): void {
    const { expected, records } = this.#scenario;
    const [target, event] = [expected[line - 1]?.target, records[line - 1]?.event];
    if (!this.#isHeld || target === undefined || event?.ok !== true || event.value.lane !== "realtime") return;
    const asked = this.#asked;
    const readAt = this.#time.ticks;
    const look = () => {
      // Of a process that is gone nobody waits any more.
      if (!this.#isHeld || asked !== this.#asked || asked.has(itemKey(target))) return;
      const until = readAt + (1 + this.#failures) * CALIBRATION_MS + SLOT_MS;
      if (this.#time.ticks < until) this.#time.after(until - this.#time.ticks, look);
      else this.#fault(`line ${line} is kept waiting by calibrations since ${readAt.toFixed(0)} ms`);
    };
    look();
  }

  sent({ keys }: LoggedRequest): void {
    for (const key of keys) this.#asked.add(key);
  }

  ended({ answer }: LoggedRequest, status: number): void {
    if (status === 429) this.end();
    else if (answer?.isTrue !== true) this.#failures++;
  }
}
