import type { Scenario } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { itemKey } from "./truth.ts";
import type { VirtualTime } from "./virtual-clock.ts";

/** A realtime event waits this long for each calibration, milliseconds, and for a permit that comes at once. */
const CALIBRATION_MS = 1_000;
const SLOT_MS = 100;

/**
 * Checks in a crowd that every realtime event is asked about within a second, however calibrations end. Each
 * unsuccessful calibration adds one second. The check runs only where nothing but a calibration can delay the event:
 * permits are plentiful, the quota refused nothing, and the service did not seem down.
 */
export class PromptRealtime {
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #fault: (what: string) => void;
  /** The asked targets of one process. */
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

  /** From now on other causes may delay an event, or the process is at its end. */
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
      // No event waits for a process that is gone.
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
