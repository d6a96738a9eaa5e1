import type { CheckEntry } from "../../../messages/verdict.ts";

/** Upper bounds of the sizes of requests that are counted apart. */
const BOUNDS = [1, 5, 10, 25, 50, 100, Number.POSITIVE_INFINITY];
const MOST_OPEN = 5_000;

export interface FillRow {
  readonly check: string;
  /** Check entries that a request answered, and entries that the cache answered. */
  readonly entries: number;
  readonly cached: number;
  readonly requests: number;
}

export interface FillSize {
  readonly name: string;
  readonly requests: number;
}

/**
 * The number of events that share a request, from the verdicts alone. Entries of one check with one time of request
 * count as one request, since a batch stamps its entries alike. Two requests of one millisecond count as one.
 */
export class RequestFill {
  readonly #open = new Map<string, number>();
  readonly #sizes = new Array<number>(BOUNDS.length).fill(0);
  readonly #checks = new Map<string, { entries: number; cached: number; requests: number }>();

  add({
    check,
    cached,
    requested_at,
    outcome,
  }: Pick<CheckEntry, "check" | "cached" | "requested_at" | "outcome">): void {
    if (requested_at === undefined || outcome !== "ok") return;
    const counts = this.#checks.get(check) ?? { entries: 0, cached: 0, requests: 0 };
    this.#checks.set(check, counts);
    if (cached) {
      counts.cached++;
      return;
    }
    counts.entries++;
    const key = `${check} ${requested_at}`;
    const size = this.#open.get(key) ?? 0;
    this.#open.set(key, size + 1);
    if (size === 0) counts.requests++;
    if (this.#open.size > MOST_OPEN) this.#closeOldest();
  }

  /** Requests by check. */
  rows(): readonly FillRow[] {
    return [...this.#checks].map(([check, counts]) => ({ check, ...counts }));
  }

  /** Requests by the number of events in them. No further entry may be added. */
  sizes(): readonly FillSize[] {
    while (this.#open.size > 0) this.#closeOldest();
    return this.#sizes.map((requests, i) => ({ name: sizeName(i), requests }));
  }

  /** The verdicts of one request are near each other in the log. */
  #closeOldest(): void {
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    const [key, size] = oldest;
    this.#open.delete(key);
    const index = BOUNDS.findIndex((bound) => size <= bound);
    this.#sizes[index] = (this.#sizes[index] ?? 0) + 1;
  }
}

function sizeName(index: number): string {
  const least = (BOUNDS[index - 1] ?? 0) + 1;
  const most = BOUNDS[index] ?? least;
  if (least === most) return String(most);
  return Number.isFinite(most) ? `${least} to ${most}` : `more than ${least - 1}`;
}
