import type { Expr } from "../machine/expr.ts";

/** Caches a function that depends on one expression only. Paths share most of their expressions. */
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
