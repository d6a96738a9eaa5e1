import type { StoredObject } from "../../archive/object.ts";
import { type ArchiveObserver, type ArchiveStep, archiveSteps } from "../../archive/writer/archive-observer.ts";
import type { MetricSet } from "./metric-set.ts";
import { type ArchiveLocation, archiveLocations, metricsTable } from "./metrics-table.ts";

/** What is looked up when somebody asks for the metrics. */
export interface ArchiveGauges {
  /** Age of the oldest verdict that is not archived, or of the last word of the brokers about it, seconds; or 0. */
  readonly oldestSeconds: () => number;
  /** Verdicts that are written and not read yet. */
  readonly lag: () => number;
  /** Bytes of lines that wait. */
  readonly waitingBytes: () => number;
  readonly halted: () => number;
  /** Whether it has ended, and waits to begin anew. */
  readonly isDown: () => boolean;
}

/** Where this process's verdicts are archived: an archive that is missing has no metrics of its own to tell of it. */
export function setArchiveLocation(set: MetricSet, place: ArchiveLocation): void {
  const gauge = set.level(metricsTable.archivePlace);
  for (const each of archiveLocations) gauge.set({ place: each }, each === place ? 1 : 0);
}

/** An archive's metrics, in a process of its own or in a worker. */
export class ArchiveMetrics implements ArchiveObserver {
  readonly #set: MetricSet;
  readonly #objects;
  readonly #verdicts;
  readonly #bytes;
  readonly #lost;
  readonly #failures;

  constructor(set: MetricSet) {
    this.#set = set;
    this.#objects = set.counter(metricsTable.archivedObjects);
    this.#verdicts = set.counter(metricsTable.archivedVerdicts);
    this.#bytes = set.counter(metricsTable.archivedBytes);
    this.#lost = set.counter(metricsTable.archiveLost);
    this.#failures = set.counter(metricsTable.archiveFailures);
    // What never happened yet must read 0: an alert on a rate needs the series.
    this.#lost.inc(0);
    for (const step of archiveSteps) this.#failures.inc({ step }, 0);
  }

  collect(gauges: ArchiveGauges): void {
    this.#set.gauge(metricsTable.archiveOldest, (set) => set(gauges.oldestSeconds()));
    this.#set.gauge(metricsTable.archiveLag, (set) => set(gauges.lag()));
    this.#set.gauge(metricsTable.archiveWaiting, (set) => set(gauges.waitingBytes()));
    this.#set.gauge(metricsTable.archiveHalted, (set) => set(gauges.halted()));
    this.#set.gauge(metricsTable.archiveDown, (set) => set(gauges.isDown() ? 1 : 0));
  }

  stored({ metadata: { count } }: StoredObject, bytes: number): void {
    this.#objects.inc();
    this.#verdicts.inc(count);
    this.#bytes.inc(bytes);
  }

  lost(offsets: number): void {
    this.#lost.inc(offsets);
  }

  failed(step: ArchiveStep): void {
    this.#failures.inc({ step });
  }
}
