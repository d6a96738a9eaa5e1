import { type RouteName, routes } from "../../api/routes.ts";
import type { ServedObserver } from "../../service/http/served-observer.ts";
import { metricDefinitions } from "./metric-definitions.ts";
import type { MetricSet } from "./metric-set.ts";
import { statusLabel } from "./status-label.ts";

/** The metrics of a service. */
export class ServiceMetrics implements ServedObserver {
  readonly #requests;
  readonly #seconds;

  constructor(set: MetricSet) {
    this.#requests = set.counter(metricDefinitions.served);
    this.#seconds = set.histogram(metricDefinitions.servedSeconds);
    // The series must start at 0: an alert on a rate needs the series before the first event.
    for (const operation of Object.keys(routes))
      for (const status of ["200", "429", "5xx"]) this.#requests.inc({ operation, status }, 0);
  }

  answered(operation: RouteName, status: number, seconds: number): void {
    this.#requests.inc({ operation, status: statusLabel(status) });
    this.#seconds.observe({ operation }, seconds);
  }
}
