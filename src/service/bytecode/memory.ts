import { type Expr, isConst, type Pool } from "./expr.ts";

/** A word that was written at a constant distance from `base` (undefined: from address 0). */
interface Cell {
  readonly base: Expr | undefined;
  readonly offset: number;
  readonly word: Expr;
  /** Later writes have larger numbers. */
  readonly order: number;
}

/** Memory of one path. Copied when the path forks. */
export interface Memory {
  readonly cells: Map<string, Cell>;
  order: number;
}

export const emptyMemory = (): Memory => ({ cells: new Map(), order: 0 });
export const copyMemory = (memory: Memory): Memory => ({ cells: new Map(memory.cells), order: memory.order });

/** Addresses beyond this are out of gas on any chain. */
const MAX_ADDRESS = 1n << 32n;

interface Place {
  readonly base: Expr | undefined;
  readonly offset: number;
}

function place(address: Expr): Place {
  if (isConst(address)) return { base: undefined, offset: Number(address.value % MAX_ADDRESS) };
  const [base, offset] = address.args;
  if (address.op === "ADD" && base && offset && isConst(offset)) {
    return { base, offset: Number(BigInt.asIntN(256, offset.value) % MAX_ADDRESS) };
  }
  return { base: address, offset: 0 };
}

const nameOf = ({ base, offset }: Place) => `${base?.id ?? ""}:${offset}`;

export function store(memory: Memory, address: Expr, word: Expr): void {
  const { base, offset } = place(address);
  memory.cells.set(nameOf({ base, offset }), { base, offset, word, order: memory.order++ });
}

/**
 * The word at `address`. Where later writes covered its beginning, or it was put together from pieces, a JOIN of those
 * pieces in the order of their places; where nothing was written, zero at a known address and MLOAD of it elsewhere.
 */
export function load(pool: Pool, memory: Memory, address: Expr): Expr {
  const at = place(address);
  const exact = memory.cells.get(nameOf(at));
  const pieces: Cell[] = [];
  for (const cell of memory.cells.values()) {
    const distance = cell.offset - at.offset;
    if (cell.base !== at.base || distance === 0 || distance <= -32 || distance >= 32) continue;
    // Words that follow an argument list's selector cover its end, which is not read.
    if (exact === undefined || (cell.order > exact.order && distance < 0)) pieces.push(cell);
  }
  if (exact !== undefined && pieces.length === 0) return exact.word;
  if (exact !== undefined) pieces.push(exact);
  if (pieces.length > 0) {
    pieces.sort((a, b) => a.offset - b.offset);
    return pool.make(
      "JOIN",
      pieces.map((piece) => piece.word),
      BigInt(at.offset - (pieces[0]?.offset ?? 0) + 32),
    );
  }
  return at.base === undefined ? pool.constant(0n) : pool.make("MLOAD", [address]);
}

/** The words from `address` on that cover `size` bytes. */
export function loadMany(pool: Pool, memory: Memory, address: Expr, size: number, add: Add): readonly Expr[] {
  const words: Expr[] = [];
  for (let at = 0; at < size; at += 32) words.push(load(pool, memory, add(address, at)));
  return words;
}

/** An address and a distance from it. */
export type Add = (address: Expr, distance: number) => Expr;
