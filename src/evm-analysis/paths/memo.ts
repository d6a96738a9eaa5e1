import type { Expr } from "../machine/expr.ts";

/** Remembers what a function says of each expression, on which alone it depends: paths share most of theirs. */
export function remembered<T>(of: (expr: Expr) => T): (expr: Expr) => T {
  const known = new WeakMap<Expr, { readonly said: T }>();
  return (expr) => {
    const found = known.get(expr);
    if (found !== undefined) return found.said;
    const said = of(expr);
    known.set(expr, { said });
    return said;
  };
}
