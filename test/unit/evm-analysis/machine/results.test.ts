import { expect, test } from "vitest";
import { createPool, type Expr } from "../../../../src/evm-analysis/machine/expr.ts";
import { createResults } from "../../../../src/evm-analysis/machine/results.ts";

test("a result is found by the operation and both words in order, for any number of results", () => {
  const pool = createPool();
  const words: Expr[] = Array.from({ length: 60 }, (_, i) => pool.constant(BigInt(i)));
  const results = createResults();
  const each = (look: (op: number, a: Expr, b: Expr, result: Expr) => void) => {
    for (const a of words)
      for (const b of words)
        for (const op of [1, 2]) look(op, a, b, pool.constant(a.value * 1_000n + b.value * 10n + BigInt(op)));
  };

  each((op, a, b) => expect(results.get(op, a, b)).toBeUndefined());
  each((op, a, b, result) => results.add(op, a, b, result));
  each((op, a, b, result) => expect(results.get(op, a, b)).toBe(result));
});
