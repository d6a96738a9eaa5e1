import { isConst, parts } from "../machine/expr.ts";
import type { Branch, Fork } from "../paths/path.ts";
import type { FunctionFork } from "../paths/view.ts";
import { isArithmetic, isPolicy, type Scene, type Test } from "./policy.ts";
import { rolesOf } from "./roles.ts";
import { type Ways, waysOf } from "./ways.ts";

/** A test that stops a transfer, and the earlier tests that decide whether it is made. */
export interface Stop {
  readonly last: Test;
  readonly before: readonly Decider[];
}

/** An earlier test. `only` is set when no other outcome of it leads to the last test. */
export interface Decider extends Test {
  readonly only: boolean;
}

/** The result of a branch that always fails, if there is one. */
function failsWhen({ fork: { whenTrue, whenFalse }, useful }: FunctionFork): boolean | undefined {
  if (useful(whenTrue) === useful(whenFalse)) return undefined;
  return !useful(whenTrue);
}

/** Every branch by which a rule, rather than arithmetic, can end a transfer or an approval. */
export function stopsOf(scene: Scene): readonly Stop[] {
  const stops: Stop[] = [];
  const known = new Map<string, Ways>();
  for (const each of scene.view.forks) {
    const { selector, fork, nodes, useful } = each;
    const truth = failsWhen(each);
    const roles = rolesOf[selector];
    if (truth === undefined || !roles) continue;
    const last = { selector, tested: fork.tested, truth, offset: fork.pc };
    if (!isPolicy(scene, last, roles) || isLesser(fork, truth)) continue;
    const ways = known.get(selector) ?? waysOf(nodes, useful);
    known.set(selector, ways);
    const before = decidersOf(fork, ways).flatMap(({ tested, truth: taken, pc, other }): readonly Decider[] => {
      if (isArithmetic(tested, roles)) return [];
      return [{ selector, tested, truth: taken, offset: pc, only: !ways.reaches(other, fork.pc) }];
    });
    stops.push({ last, before });
  }
  return stops;
}

/** Whether a sum that is at least `b` comes from a value known to exceed `b`: the lesser of a fee and its bound. */
function isLesser({ tested, trace }: Fork, truth: boolean): boolean {
  const [a, b] = tested.args;
  if (tested.op !== "LT" || !truth || !a || !b || isConst(b)) return false;
  for (let at = trace; at !== undefined; at = at.before) {
    const { step } = at;
    if (step.kind !== "branch" || step.tested.op !== "LT" || !step.truth) continue;
    const [small, large] = step.tested.args;
    if (small === b && large !== undefined && parts(large).includes(a)) return true;
  }
  return false;
}

/**
 * The branches on which a test depends. One way of such a branch can end well without the test. The other way cannot,
 * except through a branch that depends on this one in turn. When both ways or neither avoid the test, another branch
 * decides.
 * Source: Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization" (1987).
 */
function decidersOf({ pc, trace }: Fork, { avoiding }: Ways): readonly Branch[] {
  const targets = new Set([pc]);
  const ways = [avoiding(pc)];
  const found: Branch[] = [];
  for (let at = trace; at !== undefined; at = at.before) {
    const { step } = at;
    if (step.kind !== "branch") continue;
    const { other, taken } = step;
    if (!ways.some((avoids) => avoids[other.id] === 1 && avoids[taken.id] === 0)) continue;
    found.push(step);
    if (targets.has(step.pc)) continue;
    targets.add(step.pc);
    ways.push(avoiding(step.pc));
  }
  return found.reverse();
}
