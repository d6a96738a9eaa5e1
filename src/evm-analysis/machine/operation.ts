import type { State } from "../paths/state.ts";
import type { Expr, ExprPool } from "./expr.ts";
import { binary } from "./simplify.ts";
import { take } from "./stack.ts";

/**
 * The step after an instruction: the next instruction, a jump to the top of the stack, a branch, or an end. A branch
 * uses the two top words.
 */
export type OperationOutcome = "next" | "jump" | "branch" | "fail" | "stop" | "return" | "selfdestruct";
export type MachineOperation = (state: State, op: number) => OperationOutcome;

/** An instruction that takes `count` words and pushes one. */
export function compute(
  count: number,
  value: (pool: ExprPool, args: readonly Expr[], state: State) => Expr | undefined,
): MachineOperation {
  return (state) => {
    const args = take(state.stack, count);
    const result = args && value(state.program.pool, args, state);
    if (result === undefined) return "fail";
    state.stack.push(result);
    return "next";
  };
}

/** An instruction that takes `count` words and pushes none. */
export function consume(
  count: number,
  act: (state: State, args: readonly Expr[]) => OperationOutcome,
): MachineOperation {
  return (state) => {
    const args = take(state.stack, count);
    return args ? act(state, args) : "fail";
  };
}

/** An instruction that takes two words and pushes one, the most common kind. */
export const two =
  (name: string): MachineOperation =>
  ({ stack, program: { pool, results } }, op) => {
    const a = stack.pop();
    const b = stack.pop();
    if (a === undefined || b === undefined) return "fail";
    let result = results.get(op, a, b);
    if (result === undefined) {
      result = binary(pool, name, a, b);
      results.add(op, a, b, result);
    }
    stack.push(result);
    return "next";
  };

/** An instruction that takes a word and pushes one. */
export const one =
  (value: (pool: ExprPool, word: Expr, state: State) => Expr): MachineOperation =>
  (state) => {
    const word = state.stack.pop();
    if (word === undefined) return "fail";
    state.stack.push(value(state.program.pool, word, state));
    return "next";
  };

/** An instruction that takes `count` words and has no effect that the analysis follows. */
export const drop =
  (count: number): MachineOperation =>
  ({ stack }) => {
    if (stack.length < count) return "fail";
    stack.length -= count;
    return "next";
  };
