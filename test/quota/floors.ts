import type { Figures } from "./trial.ts";

/** Goals of a run, as shares of the rate of evenly spaced requests. `lateRefused` is the largest share of 429s. */
const FLOORS = { early: 0.9, late: 0.97, settled: 0.9, lateRefused: 0.01 } as const;

/**
 * Lower bounds of every run: for 429s without a wait, and for 429s that each cost a whole second. The worst kind is a
 * bucket of 5 at 200 per second, because its requests arrive out of order.
 */
const LEAST = { untold: { early: 0.84, late: 0.85 }, told: { early: 0.6, late: 0.73 } } as const;

export function isTooLow({ tells, early, late }: Figures): boolean {
  const least = tells ? LEAST.told : LEAST.untold;
  return early < least.early || late < least.late;
}

/** The worst of many runs, the mean, and the number of runs that miss the goal. */
export interface Reached {
  readonly goal: Goal;
  readonly runs: number;
  readonly worst: number;
  readonly mean: number;
  readonly missed: number;
}

type Goal = keyof typeof FLOORS;
export const GOALS: readonly Goal[] = ["early", "late", "settled", "lateRefused"];

/** Collects the results of runs for one goal. */
export class Tally {
  readonly #goal: Goal;
  #runs = 0;
  #sum = 0;
  #missed = 0;
  #worst = Number.NaN;

  constructor(goal: Goal) {
    this.#goal = goal;
  }

  /** A run with an unchanged quota has no figure for "settled". */
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
