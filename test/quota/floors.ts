import type { Figures } from "./trial.ts";

/** What runs are to reach of what evenly spaced requests may come to; and of 429s the most that may be drawn. */
const FLOORS = { early: 0.9, late: 0.97, settled: 0.9, lateRefused: 0.01 } as const;

/**
 * No run reaches less: where 429s do not say how long to wait, and where they do, and each costs a whole second. The least
 * is a bucket of 5 at 200 a second, whose requests arrive in another order than they left.
 */
const LEAST = { untold: { early: 0.84, late: 0.85 }, told: { early: 0.6, late: 0.73 } } as const;

export function isTooLow({ tells, early, late }: Figures): boolean {
  const least = tells ? LEAST.told : LEAST.untold;
  return early < least.early || late < least.late;
}

/** The worst of many runs, their mean, and how many of them miss the floor. */
export interface Reached {
  readonly goal: Goal;
  readonly runs: number;
  readonly worst: number;
  readonly mean: number;
  readonly missed: number;
}

type Goal = keyof typeof FLOORS;
export const GOALS: readonly Goal[] = ["early", "late", "settled", "lateRefused"];

/** Collects what runs reach of one goal. */
export class Tally {
  readonly #goal: Goal;
  #runs = 0;
  #sum = 0;
  #missed = 0;
  #worst = Number.NaN;

  constructor(goal: Goal) {
    this.#goal = goal;
  }

  /** A run whose quota never changed has no figure for "settled". */
  add(figures: Figures): void {
    const figure = figures[this.#goal];
    if (Number.isNaN(figure)) return;
    this.#runs++;
    this.#sum += figure;
    if (this.#isWorse(figure, FLOORS[this.#goal])) this.#missed++;
    if (!this.#isWorse(this.#worst, figure)) this.#worst = figure;
  }

  get reached(): Reached {
    return {
      goal: this.#goal,
      runs: this.#runs,
      worst: this.#worst,
      mean: this.#sum / this.#runs,
      missed: this.#missed,
    };
  }

  #isWorse(figure: number, other: number): boolean {
    return this.#goal === "lateRefused" ? figure > other : figure < other;
  }
}
