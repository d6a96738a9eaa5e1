import { type State, spread } from "./state.ts";

/** The most rounds of a loop with an unknown condition. */
export const MAX_ROUNDS = 2;

/** The context of a place: depth of the stack and return addresses on it. */
export function callContext({ pc, stack, program }: State): number {
  let hash = spread(pc, stack.length);
  for (const value of stack) {
    if (value.place >= 0 && program.targets.has(value.place)) hash = spread(hash, value.place);
  }
  return hash;
}
