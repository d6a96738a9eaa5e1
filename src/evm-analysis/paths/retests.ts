import { elementsAt } from "../../chains/evm/evm-storage.ts";
import { opcode } from "../machine/code.ts";
import { type Expr, isConst } from "../machine/expr.ts";
import type { Exploration, Retests } from "./path.ts";
import { graphOf, leadingToEach } from "./reach.ts";
import type { Program } from "./state.ts";

/** As many tests as one number has bits to mark nodes with. */
const BITS = 31;

/** Of each test that was made again: the places from which some way leads to where it is. */
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
  // Every place that was entered has a node.
  const reached = truncated ? [] : nodes.filter(({ pc }) => code[pc] === opcode.jumpdest).map(({ pc }) => pc);
  return { places, reached: new Set(reached) };
}

/** A loop: `Uint8Array.from` takes twenty times as long. */
function bitOf(near: Int32Array, bit: number): Uint8Array {
  const bits = new Uint8Array(near.length);
  for (let at = 0; at < near.length; at++) bits[at] = ((near[at] ?? 0) >>> bit) & 1;
  return bits;
}

/** Whether a test is of the length of an array, whose elements lie at the hash of its slot: every loop over it asks anew. */
function isLength({ op, args }: Expr, { pool }: Program): boolean {
  const [slot] = args;
  if (op !== "SLOAD" || !slot) return false;
  return pool.has("KECCAK", args) || (isConst(slot) && pool.hasConstant(elementsAt(slot.value)));
}
