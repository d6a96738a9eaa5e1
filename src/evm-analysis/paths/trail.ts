import type { Expr } from "../machine/expr.ts";
import type { Branch, PathTrace } from "./path.ts";

/** How often a path was at a branch before, and which way it took. */
interface Rounds {
  jumped: number;
  fell: number;
}

/**
 * The decisions of the current path, indexed. Every branch looks them up, and paths have hundreds of decisions. A
 * switch to another path undoes the decisions that the paths do not share. Source: Eén and Sörensson, "An extensible
 * SAT-solver" (2003), which undoes assignments by a trail.
 */
export interface Trail {
  /** Switches to the path with this trace. */
  follow(trace: PathTrace | undefined): void;
  /** The result of a condition that the path has decided already. */
  decided(tested: Expr): boolean | undefined;
  /** How often the path was at the branch with this context. */
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
        // The deeper trace cannot be an ancestor of the other one.
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
