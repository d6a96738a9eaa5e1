import type { StoredObject } from "../../archive/object.ts";
import { type ArchiveObserver, type ArchiveStep, archiveSteps } from "../../archive/writer/archive-observer.ts";
import { type ArchiveLocation, archiveLocations, metricDefinitions } from "./metric-definitions.ts";
import type { MetricSet } from "./metric-set.ts";

/** Values that are read when metrics are scraped. */
export interface ArchiveGauges {
  /**
   * Seconds: the age of the oldest verdict that is not archived, or of the last report of the brokers about it; or 0.
   */
  readonly oldestSeconds: () => number;
  /** Unread verdicts in the log. */
  readonly lag: () => number;
  /** Bytes of the lines that wait. */
  readonly waitingBytes: () => number;
  readonly halted: () => number;
  /** Whether the archive has ended, and waits for its restart. */
  readonly isDown: () => boolean;
}

/**
 * The location of the archive for this process's verdicts. A missing archive has no metrics of its own to report that.
 */
export function setArchiveLocation(set: MetricSet, place: ArchiveLocation): void {
  const gauge = set.level(metricDefinitions.archivePlace);
  for (const each of archiveLocations) gauge.set({ place: each }, each === place ? 1 : 0);
}

/** An archive's metrics, in a separate process or in a worker. */
export class ArchiveMetrics implements ArchiveObserver {
  readonly #set: MetricSet;
  readonly #objects;
  readonly #verdicts;
  readonly #bytes;
  readonly #lost;
  readonly #failures;

  constructor(set: MetricSet) {
    this.#set = set;
    this.#objects = set.counter(metricDefinitions.archivedObjects);
    this.#verdicts = set.counter(metricDefinitions.archivedVerdicts);
    this.#bytes = set.counter(metricDefinitions.archivedBytes);
    this.#lost = set.counter(metricDefinitions.archiveLost);
    this.#failures = set.counter(metricDefinitions.archiveFailures);
    // The series must start at 0: an alert on a rate needs the series before the first event.
    this.#lost.inc(0);
    for (const step of archiveSteps) this.#failures.inc({ step }, 0);
  }

  collect(gauges: ArchiveGauges): void {
    this.#set.gauge(metricDefinitions.archiveOldest, (set) => set(gauges.oldestSeconds()));
    this.#set.gauge(metricDefinitions.archiveLag, (set) => set(gauges.lag()));
    this.#set.gauge(metricDefinitions.archiveWaiting, (set) => set(gauges.waitingBytes()));
    this.#set.gauge(metricDefinitions.archiveHalted, (set) => set(gauges.halted()));
    this.#set.gauge(metricDefinitions.archiveDown, (set) => set(gauges.isDown() ? 1 : 0));
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
