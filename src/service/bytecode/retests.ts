import { elementsAt } from "../../chains/evm-storage.ts";
import { type Expr, isConst } from "./expr.ts";
import type { Node, Retests } from "./path.ts";
import type { Program } from "./state.ts";

/** What an exploration tells of tests that were made again. */
interface Explored {
  readonly program: Program;
  /** Where tests were made again after they had been decided. */
  readonly repeated: ReadonlyMap<Expr, readonly Node[]>;
  /** How often each place was entered. */
  readonly visits: ReadonlyMap<number, number>;
  readonly truncated: boolean;
}

/** Of each test that was made again: the places from which some way leads to where it is. */
export function retestsOf({ repeated, visits, truncated, program }: Explored): Retests {
  const places = new Map<number, ReadonlySet<number>>();
  for (const [test, nodes] of repeated) {
    if (isLength(test, program)) continue;
    const before = new Set<Node>();
    const waiting = [...nodes];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (before.has(node)) continue;
      before.add(node);
      waiting.push(...node.parents);
    }
    places.set(test.id, new Set([...before].map(({ pc }) => pc)));
  }
  return { places, reached: truncated ? new Set() : new Set(visits.keys()) };
}

/** Whether a test is of the length of an array, whose elements lie at the hash of its slot: every loop over it asks anew. */
function isLength({ op, args }: Expr, { pool }: Program): boolean {
  const [slot] = args;
  if (op !== "SLOAD" || !slot) return false;
  return pool.has("KECCAK", args) || (isConst(slot) && pool.hasConstant(elementsAt(slot.value)));
}
