import type { Expr } from "../machine/expr.ts";
import type { Branch, PathTrace } from "./path.ts";

/** How often a path was at a branch before, and which way it went. */
interface Rounds {
  jumped: number;
  fell: number;
}

/**
 * What the path that is followed has decided, kept at hand: paths are asked for it at every branch, and have hundreds
 * behind them. Going on with another path takes back what they do not share.
 * Source: Eén and Sörensson, "An extensible SAT-solver" (2003), who undo assignments by a trail.
 */
export interface Trail {
  /** Goes over to the path behind `trace`. */
  follow(trace: PathTrace | undefined): void;
  /** Truth of a condition that the path has decided already. */
  decided(tested: Expr): boolean | undefined;
  /** How often it was at the branch of this context. */
  rounds(context: number): Readonly<Rounds>;
}

const NONE: Readonly<Rounds> = { jumped: 0, fell: 0 };

export function createTrail(): Trail {
  const truths = new Map<Expr, boolean>();
  const rounds = new Map<number, Rounds>();
  let last: PathTrace | undefined;

  function add({ tested, truth, context, jumped }: Branch): void {
    truths.set(tested, truth);
    const known = rounds.get(context);
    if (known === undefined) rounds.set(context, { jumped: jumped ? 1 : 0, fell: jumped ? 0 : 1 });
    else if (jumped) known.jumped++;
    else known.fell++;
  }

  function takeBack({ tested, context, jumped }: Branch): void {
    truths.delete(tested);
    const known = rounds.get(context);
    if (known === undefined) return;
    if (jumped) known.jumped--;
    else known.fell--;
  }

  return {
    follow(trace) {
      const ahead: Branch[] = [];
      let to = trace;
      while (to !== last) {
        // The one that has more behind it cannot be behind the other.
        if (to !== undefined && (last === undefined || to.depth > last.depth)) {
          if (to.step.kind === "branch") ahead.push(to.step);
          to = to.before;
        } else if (last !== undefined) {
          if (last.step.kind === "branch") takeBack(last.step);
          last = last.before;
        }
      }
      for (let at = ahead.length - 1; at >= 0; at--) {
        const step = ahead[at];
        if (step !== undefined) add(step);
      }
      last = trace;
    },
    decided: (tested) => truths.get(tested),
    rounds: (context) => rounds.get(context) ?? NONE,
  };
}
