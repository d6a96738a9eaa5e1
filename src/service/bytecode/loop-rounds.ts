import { isConst } from "./expr.ts";
import { type State, spread } from "./state.ts";

/** Rounds of a loop whose condition is not known. */
export const MAX_ROUNDS = 2;

/** Place, depth of the stack and return addresses on it. */
export function callContext({ pc, stack, program }: State): number {
  let hash = spread(pc, stack.length);
  for (const value of stack) {
    if (isConst(value) && value.value < MAX_PLACE && program.targets.has(Number(value.value))) {
      hash = spread(hash, Number(value.value));
    }
  }
  return hash;
}

const MAX_PLACE = 1n << 24n;

/** How often the path was at this branch before, and which way it went. */
export function roundsBefore(
  trace: State["trace"],
  context: number,
): { readonly jumped: number; readonly fell: number } {
  let jumped = 0;
  let fell = 0;
  for (let at = trace; at !== undefined; at = at.before) {
    if (at.step.kind !== "branch" || at.step.context !== context) continue;
    if (at.step.jumped) jumped++;
    else fell++;
  }
  return { jumped, fell };
}
