import { elementsAt } from "../../chains/evm-storage.ts";
import { type Expr, isConst } from "./expr.ts";
import type { Node, Retests } from "./path.ts";
import { graphOf, leadingTo } from "./reach.ts";
import type { Program } from "./state.ts";

/** What an exploration tells of tests that were made again. */
interface Explored {
  readonly nodes: readonly Node[];
  readonly program: Program;
  /** Where tests were made again after they had been decided. */
  readonly repeated: ReadonlyMap<Expr, readonly Node[]>;
  /** How often each place was entered. */
  readonly visits: ReadonlyMap<number, number>;
  readonly truncated: boolean;
}

/** Of each test that was made again: the places from which some way leads to where it is. */
export function retestsOf({ nodes, repeated, visits, truncated, program }: Explored): Retests {
  const places = new Map<number, Uint8Array>();
  const graph = graphOf(nodes);
  const offsets = Int32Array.from(nodes, ({ pc }) => pc);
  for (const [test, again] of repeated) {
    if (isLength(test, program)) continue;
    const before = leadingTo(graph, again);
    const near = new Uint8Array(program.code.length + 1);
    for (let id = 0; id < before.length; id++) if (before[id] === 1) near[offsets[id] ?? 0] = 1;
    places.set(test.id, near);
  }
  return { places, reached: truncated ? new Set() : new Set(visits.keys()) };
}

/** Whether a test is of the length of an array, whose elements lie at the hash of its slot: every loop over it asks anew. */
function isLength({ op, args }: Expr, { pool }: Program): boolean {
  const [slot] = args;
  if (op !== "SLOAD" || !slot) return false;
  return pool.has("KECCAK", args) || (isConst(slot) && pool.hasConstant(elementsAt(slot.value)));
}
