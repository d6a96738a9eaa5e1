import { elementsAt } from "../../chains/evm/evm-storage.ts";
import { opcode } from "../machine/code.ts";
import { type Expr, isConst } from "../machine/expr.ts";
import type { Exploration, Retests } from "./path.ts";
import { graphOf, leadingToEach } from "./reach.ts";
import type { Program } from "./state.ts";

/** The number of tests per pass: one per bit of a number. */
const BITS = 31;

/** For each repeated test, the places from which a path leads to a repetition. */
export function retestsOf(program: Program, { nodes, repeated, truncated }: Exploration): Retests {
  const { code } = program;
  const places = new Map<number, Uint8Array>();
  const graph = graphOf(nodes);
  const tests = [...repeated].filter(([test]) => !isLength(test, program));
  for (let from = 0; from < tests.length; from += BITS) {
    const some = tests.slice(from, from + BITS);
    const near = new Int32Array(code.length + 1);
    const bits = leadingToEach(
      graph,
      some.map(([, again]) => again),
    );
    for (const { id, pc } of nodes) near[pc] = (near[pc] ?? 0) | (bits[id] ?? 0);
    for (const [at, [test]] of some.entries()) places.set(test.id, bitOf(near, at));
  }
  // Every entered place has a node.
  const reached = truncated ? [] : nodes.filter(({ pc }) => code[pc] === opcode.jumpdest).map(({ pc }) => pc);
  return { places, reached: new Set(reached) };
}

/** A loop, because `Uint8Array.from` takes twenty times as long. */
function bitOf(near: Int32Array, bit: number): Uint8Array {
  const bits = new Uint8Array(near.length);
  for (let at = 0; at < near.length; at++) bits[at] = ((near[at] ?? 0) >>> bit) & 1;
  return bits;
}

/**
 * Whether a test concerns the length of an array, which has its elements at the hash of its slot. Every loop over the
 * array repeats the test.
 */
function isLength({ op, args }: Expr, { pool }: Program): boolean {
  const [slot] = args;
  if (op !== "SLOAD" || !slot) return false;
  return pool.has("KECCAK", args) || (isConst(slot) && pool.hasConstant(elementsAt(slot.value)));
}
