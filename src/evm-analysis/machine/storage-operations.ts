import { after } from "../paths/path.ts";
import { mix, type State, spread } from "../paths/state.ts";
import type { Expr, ExprPool } from "./expr.ts";
import { consume, one } from "./operation.ts";

/** A word of transient storage, as a key of its own. Source: ERC-1153. */
const transient = (pool: ExprPool, key: Expr) => pool.make("TRANSIENT", [key]);
const read = (pool: ExprPool, key: Expr, state: State) => state.storage.get(key.id) ?? pool.make("SLOAD", [key]);
export const sload = one(read);
/** The word is zero where the path found it so. Then sums with it overflow on no path. */
export const tload = one((pool, key, state) => {
  const word = read(pool, transient(pool, key), state);
  return wasZero(word, state) ? pool.constant(0n) : word;
});

function wasZero(word: Expr, { trace }: State): boolean {
  for (let at = trace; at !== undefined; at = at.before) {
    if (at.step.kind === "branch" && at.step.tested === word) return !at.step.truth;
  }
  return false;
}

export const sstore = consume(2, (state, [key, value]) => (key && value ? keep(state, key, value) : "fail"));
export const tstore = consume(2, (state, [key, value]) =>
  key && value ? keep(state, transient(state.program.pool, key), value) : "fail",
);

function keep(state: State, key: Expr, value: Expr): "next" {
  if (state.sharesStorage) state.storage = new Map(state.storage);
  state.sharesStorage = false;
  state.storage.set(key.id, value);
  state.trace = after(state.trace, { kind: "write", pc: state.pc, key, value });
  // A write of the unchanged value distinguishes a transfer that moves nothing from one that does.
  const same = value.op === "SLOAD" && value.args[0] === key;
  state.digest = mix(state.digest, spread(key.id, state.entry.exact ? value.id + 3 : same ? 2 : 3));
  return "next";
}
