import { type RouteName, routes } from "../../api/routes.ts";
import { checks } from "../../messages/checks.ts";
import { type Decision, decisions } from "../../messages/decision.ts";
import { type Lane, lanes } from "../../messages/lane.ts";
import { failureCodes, type Verdict } from "../../messages/verdict.ts";
import type { Observer } from "../../worker/observer.ts";
import { refusalCause, refusalCauses } from "../../worker/rate-limit/gate/refusals/refusal-cause.ts";
import { closures, metricDefinitions } from "./metric-definitions.ts";
import type { MetricSet } from "./metric-set.ts";
import { statusLabel } from "./status-label.ts";

/** Values that are read when metrics are scraped. */
export interface Gauges {
  /** Events in flight, and the age of the oldest one, seconds. */
  readonly inWork: (lane: Lane) => { readonly events: number; readonly oldestSeconds: number };
  /** The longest time for which a partition with events in flight has had no commit progress, seconds. */
  readonly stalledPartitionSeconds: (lane: Lane) => number;
  /** Unread records in the log. */
  readonly lag: (lane: Lane) => number;
  /** The most consecutive fetches of a partition that returned bytes and made no progress. */
  readonly fetchesWithoutProgress: (lane: Lane) => number;
  /** Event topics that do not exist, and are left out until they do. */
  readonly missingTopics: (lane: Lane) => number;
  /** Events that wait for the time of their retry ticket. */
  readonly tickets: () => number;
  /** The reason why no request is sent to the service. */
  readonly closed: () => (typeof closures)[number] | undefined;
  readonly isPoolingOff: () => boolean;
  /** Requests a second that the quota allows, configured or learned; 0 means no limit. */
  readonly pace: () => number;
  /** This process's own part of the quota, requests a second. */
  readonly quotaShare: () => number;
  /** Processes that share the quota; 0 when the quota is not shared. */
  readonly quotaMembers: () => number;
}

/** A worker's metrics. Labels come from closed sets only: a series lives as long as the process. */
export class WorkerMetrics implements Observer {
  readonly #set: MetricSet;
  readonly #findings: ReadonlySet<string>;
  readonly #events: Record<Lane, number> = { realtime: 0, backfill: 0 };
  readonly #verdicts: Record<Lane, Record<Decision, number>> = { realtime: none(), backfill: none() };
  readonly #reasons;
  readonly #settle;
  readonly #tickets;
  readonly #requests;
  readonly #refusals;
  readonly #answers;
  readonly #polls;
  readonly #items;
  readonly #linger;
  readonly #canaries;
  readonly #confirming;
  readonly #believed;
  readonly #reused;
  readonly #recreated;
  readonly #truncated;

  /** @param findings names of findings that reasons may have. Any other name counts as "other". */
  constructor(set: MetricSet, findings: Iterable<string>) {
    this.#set = set;
    this.#findings = new Set([...findings, ...failureCodes]);
    set.total(metricDefinitions.events, (tell) => {
      for (const lane of lanes) tell(this.#events[lane], { lane });
    });
    set.total(metricDefinitions.verdicts, (tell) => {
      for (const lane of lanes) {
        for (const decision of decisions) tell(this.#verdicts[lane][decision], { lane, decision });
      }
    });
    this.#reasons = set.counter(metricDefinitions.reasons);
    this.#settle = set.histogram(metricDefinitions.settle);
    this.#tickets = set.counter(metricDefinitions.tickets);
    this.#requests = set.counter(metricDefinitions.requests);
    this.#refusals = set.counter(metricDefinitions.refusals);
    this.#answers = set.histogram(metricDefinitions.answers);
    this.#polls = set.level(metricDefinitions.polls);
    this.#items = set.histogram(metricDefinitions.items);
    this.#linger = set.histogram(metricDefinitions.linger);
    this.#canaries = set.counter(metricDefinitions.canaries);
    this.#confirming = set.counter(metricDefinitions.confirmations);
    this.#believed = set.counter(metricDefinitions.believed);
    this.#reused = set.counter(metricDefinitions.reused);
    this.#recreated = set.counter(metricDefinitions.recreated);
    this.#truncated = set.counter(metricDefinitions.truncated);
    // The series must start at 0: an alert on a rate needs the series before the first event.
    for (const lane of lanes) this.#tickets.inc({ lane }, 0);
    for (const outcome of metricDefinitions.canaries.labels.outcome) this.#canaries.inc({ outcome }, 0);
    for (const by of metricDefinitions.believed.labels.by) this.#believed.inc({ by }, 0);
    for (const check of checks) this.#reused.inc({ check }, 0);
    for (const group of metricDefinitions.recreated.labels.group) this.#recreated.inc({ group }, 0);
    for (const group of metricDefinitions.truncated.labels.group) this.#truncated.inc({ group }, 0);
    for (const cause of refusalCauses) this.#refusals.inc({ cause }, 0);
    for (const operation of Object.keys(routes)) {
      for (const status of ["200", "429", "5xx", "none"]) this.#requests.inc({ operation, status }, 0);
    }
  }

  collect(gauges: Gauges): void {
    const byLane = (look: (lane: Lane) => number) => (set: (value: number, labels: { lane: Lane }) => void) => {
      for (const lane of lanes) set(look(lane), { lane });
    };
    this.#set.gauge(
      metricDefinitions.inWork,
      byLane((lane) => gauges.inWork(lane).events),
    );
    this.#set.gauge(
      metricDefinitions.oldest,
      byLane((lane) => gauges.inWork(lane).oldestSeconds),
    );
    this.#set.gauge(metricDefinitions.stalledPartition, byLane(gauges.stalledPartitionSeconds));
    this.#set.gauge(metricDefinitions.lag, byLane(gauges.lag));
    this.#set.gauge(metricDefinitions.fetchesWithoutProgress, byLane(gauges.fetchesWithoutProgress));
    this.#set.gauge(metricDefinitions.missingTopics, byLane(gauges.missingTopics));
    this.#set.gauge(metricDefinitions.ticketsWaiting, (set) => set(gauges.tickets()));
    this.#set.gauge(metricDefinitions.closed, (set) => {
      for (const cause of closures) set(gauges.closed() === cause ? 1 : 0, { cause });
    });
    this.#set.gauge(metricDefinitions.poolingOff, (set) => set(gauges.isPoolingOff() ? 1 : 0));
    this.#set.gauge(metricDefinitions.pace, (set) => set(gauges.pace()));
    this.#set.gauge(metricDefinitions.quotaShare, (set) => set(gauges.quotaShare()));
    this.#set.gauge(metricDefinitions.quotaMembers, (set) => set(gauges.quotaMembers()));
  }

  event(lane: Lane): void {
    this.#events[lane]++;
  }

  verdict({ decision, reasons }: Verdict, lane: Lane, afterMs: number): void {
    this.#verdicts[lane][decision]++;
    this.#settle.observe({ lane }, Math.max(0, afterMs) / 1000);
    for (const { finding, severity } of reasons) {
      if (severity !== "INFO") this.#reasons.inc({ finding: this.#findings.has(finding) ? finding : "other" });
    }
  }

  ticket(lane: Lane): void {
    this.#tickets.inc({ lane });
  }

  /** @param status of HTTP; 0 means no answer. */
  request(operation: RouteName, status: number, ms: number): void {
    this.#requests.inc({ operation, status: statusLabel(status) });
    this.#answers.observe({ operation }, ms / 1000);
  }

  /** Counts a request that was refused for load. @param status of HTTP. */
  loadRefused(status: number): void {
    this.#refusals.inc({ cause: refusalCause(status) });
  }

  batch(kind: "pooled" | "alone", items: number, waitedMs: number): void {
    this.#items.observe({ kind }, items);
    this.#linger.observe({ kind }, Math.max(0, waitedMs) / 1000);
  }

  canaries(outcome: "sang" | "silent" | "lost" | "refused"): void {
    this.#canaries.inc({ outcome });
  }

  confirming(): void {
    this.#confirming.inc();
  }

  believed(by: (typeof metricDefinitions.believed.labels.by)[number]): void {
    this.#believed.inc({ by });
  }

  reused(check: (typeof checks)[number]): void {
    this.#reused.inc({ check });
  }

  /** Counts a partition that is read again from its first record: its topic was recreated, or its log cut. */
  recreated(group: (typeof metricDefinitions.recreated.labels.group)[number]): void {
    this.#recreated.inc({ group });
  }

  /** Counts a partition with a new leader that lacks read records. */
  truncated(group: (typeof metricDefinitions.truncated.labels.group)[number]): void {
    this.#truncated.inc({ group });
  }

  polls(change: 1 | -1): void {
    this.#polls.inc(change);
  }
}

function none(): Record<Decision, number> {
  return { ALLOW: 0, WARN: 0, UNKNOWN: 0, BLOCK: 0 };
}
