import { type Expr, type ExprPool, isConst } from "./expr.ts";

/** A word that was written at a constant distance from a base. */
interface Cell {
  readonly offset: number;
  readonly word: Expr;
  /** Later writes have larger numbers. */
  readonly order: number;
}

/**
 * The cells that begin in one word-sized piece of memory. A piece is replaced as a whole, so that paths can share it.
 */
type Piece = readonly Cell[];

/** Memory of one path. Copied when the path forks. */
export interface Memory {
  /** Pieces from address 0. Programs write nearly everything there. */
  readonly low: (Piece | undefined)[];
  /**
   * Pieces at higher addresses, and pieces at a distance from an unknown base. One number stands for base and piece.
   */
  far: Map<number, Piece>;
  /** Whether another path shares `far`. A shared map is copied before a write. */
  shared: boolean;
  order: number;
}

export const emptyMemory = (): Memory => ({ low: [], far: new Map(), shared: false, order: 0 });

export function copyMemory(memory: Memory): Memory {
  memory.shared = true;
  return { low: memory.low.slice(), far: memory.far, shared: true, order: memory.order };
}

/** Larger addresses run out of gas on every chain. */
const MAX_ADDRESS = 1n << 32n;
const WORD = 32;
/** The number of pieces in the array. */
const LOW = 1_024;
/** More than the number of pieces on both sides of a base. */
const PIECES = 2 ** 28;

/**
 * Bytes of memory that cost more gas than any block has. The cost is the square of the number of words, divided by 512,
 * which is nine million million. On some chains, gas numbers are a thousand times as large as on Ethereum.
 */
const MOST = 1n << 31n;

/**
 * Whether an access of `size` bytes from `address` certainly runs out of gas. An access of zero bytes costs nothing at
 * any address.
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
 * The word at `address`. It is a JOIN of pieces in order when later writes covered its beginning, or when several
 * writes compose it. A word that was never written is zero at a known address, and an MLOAD elsewhere.
 */
export function load(pool: ExprPool, memory: Memory, address: Expr): Expr {
  const { base, offset } = place(address);
  const own = Math.floor(offset / WORD);
  const exact = pieceAt(memory, base, own)?.find((cell) => cell.offset === offset);
  const overlapping: Cell[] = [];
  // Words that follow the selector of an argument list cover its end, which is not read.
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

/** The words from `address` that cover `size` bytes. */
export function loadMany(pool: ExprPool, memory: Memory, address: Expr, size: number, add: Add): readonly Expr[] {
  const words: Expr[] = [];
  for (let at = 0; at < size; at += WORD) words.push(load(pool, memory, add(address, at)));
  return words;
}

/** Adds a distance to an address. */
export type Add = (address: Expr, distance: number) => Expr;
