import type { ListInUse } from "../../labels/address-book.ts";
import { listAgeMs } from "../../labels/list-set.ts";
import { metricDefinitions } from "./metric-definitions.ts";
import type { MetricSet } from "./metric-set.ts";

export interface ListGauges {
  readonly lists: () => readonly ListInUse[];
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly maxAgeMs: number;
  readonly isBehind: () => boolean;
}

/** Shows the entries, the date and the age of each list in use. */
export function showLists(set: MetricSet, { lists, now, maxAgeMs, isBehind }: ListGauges): void {
  set.gauge(metricDefinitions.listEntries, (each) => {
    for (const { name, entries } of lists()) each(entries, { list: name });
  });
  set.gauge(metricDefinitions.listDate, (each) => {
    for (const { name, date } of lists()) each(Date.parse(date) / 1_000, { list: name });
  });
  set.gauge(metricDefinitions.listAge, (each) => {
    for (const { name, date } of lists()) each(listAgeMs({ date }, now()) / 1_000, { list: name });
  });
  set.gauge(metricDefinitions.listMaxAge, (each) => each(maxAgeMs / 1_000));
  showRefusal(set, isBehind);
}

/**
 * Shows whether a newer version of a file was refused. A service has this metric for its label files, and no other list
 * metric.
 */
export function showRefusal(set: MetricSet, isBehind: () => boolean): void {
  set.gauge(metricDefinitions.listNotReloaded, (each) => each(isBehind() ? 1 : 0));
}
