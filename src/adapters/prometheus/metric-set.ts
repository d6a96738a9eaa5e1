import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { MetricRow } from "./metrics-table.ts";

type RowOf<T extends MetricRow["type"]> = MetricRow & { readonly type: T };
type LabelOf<R extends MetricRow> = Extract<keyof R["labels"], string>;

/** One process's metrics, made of the rows of the table. */
export class MetricSet {
  readonly registry = new Registry();

  /** Node's own metrics of the process, too. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<R extends RowOf<"counter">>(row: R): Counter<LabelOf<R>> {
    return new Counter(this.#options(row));
  }

  /**
   * A counter that is kept elsewhere, and looked up whenever somebody asks: to find a series by its labels costs as much as
   * a good part of a decision.
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

  /** One that goes up and down by itself. */
  level<R extends RowOf<"gauge">>(row: R): Gauge<LabelOf<R>> {
    return new Gauge(this.#options(row));
  }

  histogram<R extends RowOf<"histogram">>(row: R): Histogram<LabelOf<R>> {
    return new Histogram({ ...this.#options(row), buckets: [...(row.buckets ?? [])] });
  }

  /** One that is looked up whenever somebody asks. */
  gauge<R extends RowOf<"gauge">>(
    row: R,
    look: (set: (value: number, labels?: Partial<Record<LabelOf<R>, string>>) => void) => void,
  ): void {
    const gauge: Gauge<LabelOf<R>> = new Gauge({
      ...this.#options(row),
      collect: () => look((value, labels = {}) => gauge.set(labels, value)),
    });
  }

  #options<R extends MetricRow>({ name, help, labels }: R) {
    return { name, help, labelNames: namesOf<R>(labels), registers: [this.registry] };
  }
}

function namesOf<R extends MetricRow>(labels: R["labels"]): LabelOf<R>[] {
  return Object.keys(labels) as LabelOf<R>[];
}
