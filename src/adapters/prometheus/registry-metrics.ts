import { type RegistryOutcome, registryOutcomes } from "../schema-registry/registry-outcome.ts";
import { metricDefinitions } from "./metric-definitions.ts";
import type { MetricSet } from "./metric-set.ts";

/** The state of the schema registry, as its cache has it. */
interface RegistryState {
  readonly failure: unknown;
  readonly waiting: number;
}

/** Counts the requests to a schema registry. A worker without one shows zeros. */
export class RegistryMetrics {
  readonly #requests;
  readonly #set: MetricSet;

  constructor(set: MetricSet) {
    this.#set = set;
    this.#requests = set.counter(metricDefinitions.schemaRequests);
    for (const outcome of registryOutcomes) this.#requests.inc({ outcome }, 0);
  }

  request(outcome: RegistryOutcome): void {
    this.#requests.inc({ outcome });
  }

  collect(state: RegistryState | undefined): void {
    this.#set.gauge(metricDefinitions.schemaRegistryDown, (tell) => tell(state?.failure === undefined ? 0 : 1));
    this.#set.gauge(metricDefinitions.schemasWaiting, (tell) => tell(state?.waiting ?? 0));
  }
}
