import { type Decision, decisions } from "../../../messages/decision.ts";

export type DecisionCounts = Readonly<Record<Decision, number>>;

/** One name and its events, by decision. */
export interface CountRow {
  readonly name: string;
  readonly events: number;
  readonly byDecision: DecisionCounts;
}

/** Names that are counted each. Chosen: more than a person reads. An input may have a tenant a row. */
const MOST_NAMES = 1_000;

/** Counts of events by a name and by decision, in bounded memory. Names beyond the bound are counted together. */
export class CountTable {
  readonly #rows = new Map<string, Record<Decision, number>>();
  readonly #most: number;

  constructor(most = MOST_NAMES) {
    this.#most = most;
  }

  add(name: string, decision: Decision): void {
    let counts = this.#rows.get(name);
    if (counts === undefined) {
      const own = this.#rows.size < this.#most ? name : OTHERS;
      counts = this.#rows.get(own) ?? noCounts();
      this.#rows.set(own, counts);
    }
    counts[decision]++;
  }

  /** The names, most events first. */
  rows(): readonly CountRow[] {
    return [...this.#rows]
      .map(([name, byDecision]) => ({ name, events: sumOf(byDecision), byDecision }))
      .sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1));
  }
}

/** The name of all names beyond the bound. */
export const OTHERS = "(all others)";

export function noCounts(): Record<Decision, number> {
  return { ALLOW: 0, WARN: 0, UNKNOWN: 0, BLOCK: 0 };
}

export function sumOf(counts: DecisionCounts): number {
  return decisions.reduce((sum, decision) => sum + counts[decision], 0);
}
