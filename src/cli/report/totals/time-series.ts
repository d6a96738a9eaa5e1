import type { Decision } from "../../../messages/decision.ts";
import { type DecisionCounts, noCounts } from "./count-table.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Widths of a time span, each a multiple of the one before. The last one holds every date in few spans. */
const WIDTHS = [
  ...[SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY],
  ...[7 * DAY, 28 * DAY, 364 * DAY, 36_400 * DAY],
];
/** Most spans of a picture. Chosen: each is still a few pixels wide. */
const MOST_SPANS = 80;

export interface TimeSpan {
  readonly fromMs: number;
  readonly byDecision: DecisionCounts;
}

/** Decisions by time, in bounded memory: the spans grow wider as the verdicts cover more time. */
export class TimeSeries {
  #level = 0;
  #spans = new Map<number, Record<Decision, number>>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(atMs: number, decision: Decision): void {
    if (!Number.isFinite(atMs)) return;
    this.#first = Math.min(this.#first, atMs);
    this.#last = Math.max(this.#last, atMs);
    while (this.#level < WIDTHS.length - 1 && this.#count() > MOST_SPANS) this.#widen();
    this.#span(Math.floor(atMs / this.widthMs))[decision]++;
  }

  /** Width of each span, milliseconds. */
  get widthMs(): number {
    return WIDTHS[this.#level] ?? DAY;
  }

  /** All spans from the first to the last one, including those without a verdict. */
  spans(): readonly TimeSpan[] {
    if (this.#spans.size === 0) return [];
    const from = Math.floor(this.#first / this.widthMs);
    return Array.from({ length: this.#count() }, (_, i) => ({
      fromMs: (from + i) * this.widthMs,
      byDecision: this.#spans.get(from + i) ?? noCounts(),
    }));
  }

  #count(): number {
    return Math.floor(this.#last / this.widthMs) - Math.floor(this.#first / this.widthMs) + 1;
  }

  #widen(): void {
    const narrow = this.widthMs;
    const old = this.#spans;
    this.#level++;
    this.#spans = new Map();
    for (const [index, counts] of old) {
      const span = this.#span(Math.floor((index * narrow) / this.widthMs));
      for (const [decision, count] of Object.entries(counts)) span[decision as Decision] += count;
    }
  }

  #span(index: number): Record<Decision, number> {
    const span = this.#spans.get(index) ?? noCounts();
    this.#spans.set(index, span);
    return span;
  }
}
