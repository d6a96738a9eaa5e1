import type { Scenario } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { itemKey } from "./truth.ts";
import type { VirtualTime } from "./virtual-clock.ts";

/** Probes of questions are up to a minute apart, and three other questions may be probed first. */
const ASKED_MS = 300_000;
/** Five attempts of each question, and as many again that cost nothing while the breaker was open. */
const REQUESTS = 10;

/**
 * Checks a partial outage (partly-down.ts). Questions to other operations are asked in time, and the failing operation
 * gets no more requests than its attempts allow. Only the first process is checked, because later ones have knowledge
 * from earlier runs.
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

  /** A process gives the service up. The service is not down while it answers a question that a probe may use. */
  gaveUp(): void {
    if (this.#scenario.downRoute === "tokenSecurity") this.#fault("a service that answers is given up");
  }
}
