import { type Expr, type ExprPool, isConst } from "./expr.ts";

/** A word that was written at a constant distance from some base. */
interface Cell {
  readonly offset: number;
  readonly word: Expr;
  /** Later writes have larger numbers. */
  readonly order: number;
}

/** The cells that begin in one piece of memory of a word's length; replaced as a whole, so that paths can share them. */
type Piece = readonly Cell[];

/** Memory of one path. Copied when the path forks. */
export interface Memory {
  /** Pieces from address 0 on: nearly all that programs write lies there. */
  readonly low: (Piece | undefined)[];
  /** Pieces further up and at a distance from what is not known, by both. */
  far: Map<number, Piece>;
  /** Whether another path has the same `far`, which then is copied before it is written. */
  shared: boolean;
  order: number;
}

export const emptyMemory = (): Memory => ({ low: [], far: new Map(), shared: false, order: 0 });

export function copyMemory(memory: Memory): Memory {
  memory.shared = true;
  return { low: memory.low.slice(), far: memory.far, shared: true, order: memory.order };
}

/** Addresses beyond this are out of gas on any chain. */
const MAX_ADDRESS = 1n << 32n;
const WORD = 32;
/** Pieces that are kept by number. */
const LOW = 1_024;
/** More than there are pieces on both sides of a base. */
const PIECES = 2 ** 28;

/**
 * Bytes of memory that cost more gas than any block has: the square of their number of words, divided by 512, which is nine
 * million million. Some chains count a thousand times as much as Ethereum does.
 */
const MOST = 1n << 31n;

/**
 * Whether code that touches `size` bytes from `address` on runs out of gas for certain. Where nothing is touched nothing is
 * paid, however far away.
 */
export function isOutOfGas(address: Expr, size: Expr): boolean {
  if (!isConst(size) || size.value === 0n) return false;
  return (isConst(address) && address.value >= MOST) || size.value >= MOST;
}

interface Place {
  readonly base: Expr | undefined;
  readonly offset: number;
}

function place(address: Expr): Place {
  if (address.place >= 0) return { base: undefined, offset: address.place };
  if (isConst(address)) return { base: undefined, offset: Number(address.value % MAX_ADDRESS) };
  const [base, offset] = address.args;
  if (address.op === "ADD" && base && offset && isConst(offset)) {
    return { base, offset: Number(BigInt.asIntN(256, offset.value) % MAX_ADDRESS) };
  }
  return { base: address, offset: 0 };
}

const farKey = (base: Expr | undefined, piece: number): number =>
  (base === undefined ? 0 : base.id + 1) * PIECES + piece + PIECES / 2;

const isLow = (base: Expr | undefined, piece: number) => base === undefined && piece < LOW;

const pieceAt = ({ low, far }: Memory, base: Expr | undefined, piece: number): Piece | undefined =>
  isLow(base, piece) ? low[piece] : far.get(farKey(base, piece));

export function store(memory: Memory, address: Expr, word: Expr): void {
  const { base, offset } = place(address);
  const piece = Math.floor(offset / WORD);
  const before = pieceAt(memory, base, piece);
  const cell = { offset, word, order: memory.order++ };
  const cells = before === undefined ? [cell] : [...before.filter((each) => each.offset !== offset), cell];
  if (isLow(base, piece)) {
    while (memory.low.length < piece) memory.low.push(undefined);
    memory.low[piece] = cells;
    return;
  }
  if (memory.shared) {
    memory.far = new Map(memory.far);
    memory.shared = false;
  }
  memory.far.set(farKey(base, piece), cells);
}

/**
 * The word at `address`. Where later writes covered its beginning, or it was put together from pieces, a JOIN of those
 * pieces in the order of their places; where nothing was written, zero at a known address and MLOAD of it elsewhere.
 */
export function load(pool: ExprPool, memory: Memory, address: Expr): Expr {
  const { base, offset } = place(address);
  const own = Math.floor(offset / WORD);
  const exact = pieceAt(memory, base, own)?.find((cell) => cell.offset === offset);
  const overlapping: Cell[] = [];
  // Words that follow an argument list's selector cover its end, which is not read.
  const last = exact === undefined ? own + 1 : own;
  for (let piece = own - 1; piece <= last; piece++) {
    for (const cell of pieceAt(memory, base, piece) ?? []) {
      const distance = cell.offset - offset;
      if (distance === 0 || distance <= -WORD || distance >= WORD) continue;
      if (exact === undefined || (cell.order > exact.order && distance < 0)) overlapping.push(cell);
    }
  }
  if (exact !== undefined && overlapping.length === 0) return exact.word;
  if (exact !== undefined) overlapping.push(exact);
  if (overlapping.length > 0) {
    overlapping.sort((a, b) => a.offset - b.offset);
    return pool.make(
      "JOIN",
      overlapping.map((cell) => cell.word),
      BigInt(offset - (overlapping[0]?.offset ?? 0) + WORD),
    );
  }
  return base === undefined ? pool.constant(0n) : pool.make("MLOAD", [address]);
}

/** The words from `address` on that cover `size` bytes. */
export function loadMany(pool: ExprPool, memory: Memory, address: Expr, size: number, add: Add): readonly Expr[] {
  const words: Expr[] = [];
  for (let at = 0; at < size; at += WORD) words.push(load(pool, memory, add(address, at)));
  return words;
}

/** An address and a distance from it. */
export type Add = (address: Expr, distance: number) => Expr;
