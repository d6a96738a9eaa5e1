import type { Scenario } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { itemKey } from "./truth.ts";
import type { VirtualTime } from "./virtual-clock.ts";

/** Probes of questions come up to a minute apart, and three may have theirs first. */
const ASKED_MS = 300_000;
/** Five attempts of each, and as many again that cost nothing while the breaker was open. */
const REQUESTS = 10;

/**
 * Where one operation is down (partly-down.ts), what asks another is asked in time, and of that one no more is asked than
 * attempts are worth. Of the first process: later ones know some of it.
 */
export class OthersAnswered {
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #fault: (what: string) => void;
  readonly #asked = new Set<string>();
  #processes = 0;
  #inVain = 0;

  constructor(scenario: Scenario, time: VirtualTime, fault: (what: string) => void) {
    this.#scenario = scenario;
    this.#time = time;
    this.#fault = fault;
  }

  /** A process begins. */
  begin(): void {
    this.#processes++;
  }

  read(line: number): void {
    const { downRoute, expected } = this.#scenario;
    if (downRoute === undefined || this.#processes > 1) return;
    const each = expected[line - 1];
    const other = downRoute === "poisoning" ? each?.token : each?.target;
    if (other === undefined) return;
    this.#time.after(ASKED_MS, () => {
      if (!this.#asked.has(itemKey(other))) this.#fault(`what else line ${line} asks was not asked in ${ASKED_MS} ms`);
    });
  }

  sent({ route, keys }: LoggedRequest): void {
    const { downRoute, records } = this.#scenario;
    if (downRoute === undefined || this.#processes > 1) return;
    if (!route.startsWith(downRoute)) for (const key of keys) this.#asked.add(key);
    else if (downRoute === "tokenSecurity" && ++this.#inVain > REQUESTS * records.length)
      this.#fault(`${route} is asked for the ${this.#inVain}th time`);
  }

  /** A process gives the service up. While it answers anything that may be asked for the purpose, it is not down. */
  gaveUp(): void {
    if (this.#scenario.downRoute === "tokenSecurity") this.#fault("a service that answers is given up");
  }
}
