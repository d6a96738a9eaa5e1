import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type RouteName, routes } from "../../contract/routes.ts";
import { checks } from "../../events/checks.ts";
import { decisions } from "../../events/decision.ts";
import { type Lane, lanes } from "../../events/lane.ts";
import { failureCodes, type Verdict } from "../../events/verdict.ts";
import type { Observer } from "../../worker/observer.ts";

/** What is looked up when somebody asks for the metrics. */
export interface Gauges {
  /** Events in work, and the age of the oldest of them, seconds. */
  readonly inWork: (lane: Lane) => { readonly events: number; readonly oldestSeconds: number };
  /** Records that are written and not read yet. */
  readonly lag: (lane: Lane) => number;
  /** Events that wait for their ticket's time. */
  readonly tickets: () => number;
  /** Why nothing is sent to the service. */
  readonly closed: () => (typeof closures)[number] | undefined;
  readonly isPoolingOff: () => boolean;
  /** Requests a second that the quota allows; 0: as many as are answered. */
  readonly pace: () => number;
}

const closures = ["unauthorized", "failing", "rate limited"] as const;
const ANSWER_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SETTLE_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];
const BATCH_ITEMS = [1, 2, 10, 50, 100, 250, 500, 750, 1_000];
const WAIT_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
/** Statuses that mean something of their own to whoever watches. */
const statuses: readonly number[] = [200, 400, 401, 403, 413, 422, 429];

/** A worker's metrics. Labels come from closed sets only: a series lives as long as the process. */
export class WorkerMetrics implements Observer {
  readonly registry = new Registry();
  readonly #findings: ReadonlySet<string>;
  readonly #events = this.#counter("weir_events_total", "Events that were taken in", ["lane"]);
  readonly #verdicts = this.#counter("weir_verdicts_total", "Verdicts that were written", ["lane", "decision"]);
  readonly #reasons = this.#counter("weir_reasons_total", "Reasons in verdicts, but for notes", ["finding"]);
  readonly #settle = this.#histogram(
    "weir_settle_seconds",
    "From a record's time to its verdict",
    ["lane"],
    SETTLE_SECONDS,
  );
  readonly #tickets = this.#counter("weir_tickets_total", "Events that were put off", ["lane"]);
  readonly #requests = this.#counter("weir_service_requests_total", "Requests to the service", ["operation", "status"]);
  readonly #answers = this.#histogram(
    "weir_service_seconds",
    "How long the service took",
    ["operation"],
    ANSWER_SECONDS,
  );
  readonly #items = this.#histogram("weir_batch_items", "Items of a request about poisoning", ["kind"], BATCH_ITEMS);
  readonly #linger = this.#histogram(
    "weir_batch_wait_seconds",
    "How long its first question waited",
    ["kind"],
    WAIT_SECONDS,
  );
  readonly #canaries = this.#counter("weir_canaries_total", "Pooled requests by what their canaries did", ["outcome"]);
  readonly #confirming = this.#counter(
    "weir_confirmations_total",
    "Questions asked again since they were flagged in company",
    [],
  );
  readonly #reused = this.#counter("weir_reused_answers_total", "Questions answered by what is remembered", ["check"]);

  /** @param findings names that reasons may have; any other counts as "other". */
  constructor(findings: Iterable<string>) {
    this.#findings = new Set([...findings, ...failureCodes]);
    // What never happened yet must read 0: an alert on a rate needs the series.
    for (const lane of lanes) {
      this.#events.inc({ lane }, 0);
      this.#tickets.inc({ lane }, 0);
      for (const decision of decisions) this.#verdicts.inc({ lane, decision }, 0);
    }
    for (const outcome of ["sang", "silent", "lost"]) this.#canaries.inc({ outcome }, 0);
    for (const check of checks) this.#reused.inc({ check }, 0);
    for (const operation of Object.keys(routes)) {
      for (const status of ["200", "429", "5xx", "none"]) this.#requests.inc({ operation, status }, 0);
    }
  }

  /** Node's own metrics of the process, too. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  collect(gauges: Gauges): void {
    this.#gauge("weir_events_in_work", "Events that have no verdict yet", ["lane"], (set) => {
      for (const lane of lanes) set({ lane }, gauges.inWork(lane).events);
    });
    this.#gauge("weir_oldest_unscreened_seconds", "Age of the oldest event in work", ["lane"], (set) => {
      for (const lane of lanes) set({ lane }, gauges.inWork(lane).oldestSeconds);
    });
    this.#gauge("weir_lag_records", "Records that are written and not read yet", ["lane"], (set) => {
      for (const lane of lanes) set({ lane }, gauges.lag(lane));
    });
    this.#gauge("weir_tickets_waiting", "Events that wait for their ticket's time", [], (set) =>
      set({}, gauges.tickets()),
    );
    this.#gauge("weir_service_closed", "1 while nothing is sent to the service, by cause", ["cause"], (set) => {
      for (const cause of closures) set({ cause }, gauges.closed() === cause ? 1 : 0);
    });
    this.#gauge("weir_pooling_off", "1 once a canary has switched pooling off", [], (set) =>
      set({}, gauges.isPoolingOff() ? 1 : 0),
    );
    this.#gauge("weir_pace_requests_per_second", "What the quota allows; 0: no quota", [], (set) =>
      set({}, gauges.pace()),
    );
  }

  event(lane: Lane): void {
    this.#events.inc({ lane });
  }

  verdict({ decision, reasons }: Verdict, lane: Lane, afterMs: number): void {
    this.#verdicts.inc({ lane, decision });
    this.#settle.observe({ lane }, Math.max(0, afterMs) / 1000);
    for (const { finding, severity } of reasons) {
      if (severity !== "INFO") this.#reasons.inc({ finding: this.#findings.has(finding) ? finding : "other" });
    }
  }

  ticket(lane: Lane): void {
    this.#tickets.inc({ lane });
  }

  /** @param status of HTTP; 0: there was no answer. */
  request(operation: RouteName, status: number, ms: number): void {
    this.#requests.inc({ operation, status: statusLabel(status) });
    this.#answers.observe({ operation }, ms / 1000);
  }

  batch(kind: "pooled" | "alone", items: number, waitedMs: number): void {
    this.#items.observe({ kind }, items);
    this.#linger.observe({ kind }, Math.max(0, waitedMs) / 1000);
  }

  canaries(outcome: "sang" | "silent" | "lost"): void {
    this.#canaries.inc({ outcome });
  }

  confirming(): void {
    this.#confirming.inc();
  }

  reused(check: (typeof checks)[number]): void {
    this.#reused.inc({ check });
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<L extends string>(name: string, help: string, labelNames: L[], buckets: number[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  #gauge<L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    collect: (set: (labels: Partial<Record<L, string>>, value: number) => void) => void,
  ): void {
    const gauge: Gauge<L> = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: () => collect((labels, value) => gauge.set(labels, value)),
    });
  }
}

function statusLabel(status: number): string {
  if (status === 0) return "none";
  if (statuses.includes(status)) return String(status);
  return status >= 500 ? "5xx" : "other";
}
