import { type groups, metricDefinitions } from "./metric-definitions.ts";
import type { MetricSet } from "./metric-set.ts";
import type { CommitOutcome } from "./timed-consumer.ts";

type Group = (typeof groups)[number];

/** Results of commits, by consumer group. A process has the groups of which it is a member. */
export class CommitMetrics {
  readonly #commits;
  readonly #seconds;

  constructor(set: MetricSet, of: readonly Group[]) {
    this.#commits = set.counter(metricDefinitions.commits);
    this.#seconds = set.histogram(metricDefinitions.commitSeconds);
    for (const group of of) {
      for (const outcome of metricDefinitions.commits.labels.outcome) this.#commits.inc({ group, outcome }, 0);
    }
  }

  /** @param ms duration of the commit; only a successful commit is measured. */
  commit(group: Group, outcome: CommitOutcome, ms: number): void {
    this.#commits.inc({ group, outcome });
    if (outcome === "taken") this.#seconds.observe({ group }, ms / 1000);
  }
}
