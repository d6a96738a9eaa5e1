import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { MetricDefinition } from "./metric-definitions.ts";

type RowOf<T extends MetricDefinition["type"]> = MetricDefinition & { readonly type: T };
type LabelOf<R extends MetricDefinition> = Extract<keyof R["labels"], string>;

/** The metrics of one process, made from the rows of the table. */
export class MetricSet {
  readonly registry = new Registry();

  /** Adds Node's own metrics of the process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<R extends RowOf<"counter">>(row: R): Counter<LabelOf<R>> {
    return new Counter(this.#options(row));
  }

  /**
   * A counter with a value that is kept elsewhere and read when metrics are scraped. A lookup of a series by its labels
   * costs a considerable part of a decision.
   */
  total<R extends RowOf<"counter">>(
    row: R,
    look: (set: (value: number, labels: Record<LabelOf<R>, string>) => void) => void,
  ): void {
    const counter: Counter<LabelOf<R>> = new Counter({
      ...this.#options(row),
      collect: () => {
        counter.reset();
        look((value, labels) => counter.inc(labels, value));
      },
    });
  }

  /** A gauge that its owner sets. */
  level<R extends RowOf<"gauge">>(row: R): Gauge<LabelOf<R>> {
    return new Gauge(this.#options(row));
  }

  histogram<R extends RowOf<"histogram">>(row: R): Histogram<LabelOf<R>> {
    return new Histogram({ ...this.#options(row), buckets: [...(row.buckets ?? [])] });
  }

  /** A gauge with a value that is read when metrics are scraped. */
  gauge<R extends RowOf<"gauge">>(
    row: R,
    look: (set: (value: number, labels?: Partial<Record<LabelOf<R>, string>>) => void) => void,
  ): void {
    const gauge: Gauge<LabelOf<R>> = new Gauge({
      ...this.#options(row),
      collect: () => look((value, labels = {}) => gauge.set(labels, value)),
    });
  }

  #options<R extends MetricDefinition>({ name, help, labels }: R) {
    return { name, help, labelNames: namesOf<R>(labels), registers: [this.registry] };
  }
}

function namesOf<R extends MetricDefinition>(labels: R["labels"]): LabelOf<R>[] {
  return Object.keys(labels) as LabelOf<R>[];
}
