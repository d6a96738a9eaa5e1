import type { Expr } from "./expr.ts";

/** The top words of the stack, the topmost first; undefined when there are not so many. */
export function take(stack: Expr[], count: number): readonly Expr[] | undefined {
  const left = stack.length - count;
  if (left < 0) return undefined;
  const args = stack.slice(left).reverse();
  stack.length = left;
  return args;
}
