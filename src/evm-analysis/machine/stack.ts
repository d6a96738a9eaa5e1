import type { Expr } from "./expr.ts";

/** Takes the top words of the stack, the topmost first. Undefined when the stack has fewer words. */
export function take(stack: Expr[], count: number): readonly Expr[] | undefined {
  const left = stack.length - count;
  if (left < 0) return undefined;
  const args = stack.slice(left).reverse();
  stack.length = left;
  return args;
}
