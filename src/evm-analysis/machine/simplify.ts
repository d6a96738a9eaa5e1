import { type Expr, type ExprPool, fieldShift, fieldTag, fieldWidth, isConst } from "./expr.ts";
import { fold } from "./fold.ts";

const ALL = (1n << 256n) - 1n;

const exponents = Array.from({ length: 257 }, (_none, at) => at);
const masks = new Map(exponents.slice(1).map((width) => [(1n << BigInt(width)) - 1n, width]));
const powers = new Map(exponents.map((exponent) => [1n << BigInt(exponent), exponent]));

/** n for 2^n - 1 (a mask of the n lowest bits). Undefined for other numbers. */
export const lowMask = (value: bigint): number | undefined => masks.get(value);

/** n for 2^n. Undefined for other numbers. */
export const powerOfTwo = (value: bigint): number | undefined => powers.get(value);

/** Bits `shift` to `shift + width` of a storage word, or of a field. */
function field(pool: ExprPool, word: Expr, shift: number, width: number): Expr {
  const [inner] = word.args;
  if (word.op === "FIELD" && inner !== undefined) {
    const left = Math.max(0, fieldWidth(word) - shift);
    return field(pool, inner, fieldShift(word) + shift, Math.min(width, left));
  }
  if (shift === 0 && width >= 256) return word;
  return pool.make("FIELD", [word], fieldTag(shift, width));
}

const isPieced = ({ op }: Expr) => op === "OR" || op === "AND";
const isStored = (expr: Expr) => expr.op === "SLOAD" || expr.op === "FIELD";

/** Operations with a result of one bit. */
const flags: ReadonlySet<string> = new Set(["ISZERO", "EQ", "LT", "SLT"]);

/**
 * Bits of a word that was composed of pieces, for example when one packed variable is written. Undefined when more than
 * one piece may contribute.
 */
function bitsOf(pool: ExprPool, word: Expr, shift: number, width: number): Expr | undefined {
  const range = ((1n << BigInt(width)) - 1n) << BigInt(shift);
  const [a, b] = word.args;
  if (isConst(word)) return pool.constant((word.value & range) >> BigInt(shift));
  if (isStored(word)) return field(pool, word, shift, width);
  if (word.op === "OR" && a && b) {
    const [left, right] = [bitsOf(pool, a, shift, width), bitsOf(pool, b, shift, width)];
    if (left && isConst(left) && left.value === 0n) return right;
    return right && isConst(right) && right.value === 0n ? left : undefined;
  }
  if (word.op === "AND" && a && b && isConst(a)) {
    const common = a.value & range;
    if (common === 0n) return pool.constant(0n);
    return common === range ? bitsOf(pool, b, shift, width) : undefined;
  }
  if (word.op === "SHL" && a && b && isConst(a)) {
    const by = Number(a.value > 256n ? 256n : a.value);
    if (shift === by) return b;
    if (shift + width <= by || (flags.has(b.op) && shift > by)) return pool.constant(0n);
  }
  if (flags.has(word.op)) return shift === 0 ? word : pool.constant(0n);
  return undefined;
}

/**
 * Simplifies an operation on two words; the first operand is the top of the stack. The result is not exact. Masks that
 * cut a value to its type are dropped, so that an address is one expression everywhere. Calls with dirty bits do not
 * matter here. Fields of packed storage words stay separate.
 */
export function binary(pool: ExprPool, op: string, a: Expr, b: Expr): Expr {
  if (isConst(a) && isConst(b)) {
    const known = fold(op, a.value, b.value);
    if (known !== undefined) return pool.constant(known);
  }
  return rules[op]?.(pool, a, b) ?? pool.make(op, [a, b]);
}

type Rule = (pool: ExprPool, a: Expr, b: Expr) => Expr | undefined;

const add: Rule = (pool, a, b) => {
  if (isConst(a)) return binary(pool, "ADD", b, a);
  if (!isConst(b)) return undefined;
  if (b.value === 0n) return a;
  const [left, right] = a.args;
  if (a.op === "ADD" && left && right && isConst(right)) {
    return binary(pool, "ADD", left, pool.constant(right.value + b.value));
  }
  return undefined;
};

/** Splits an expression into a base and an added constant. */
function withOffset(expr: Expr): readonly [Expr, bigint] {
  const [left, right] = expr.args;
  if (expr.op === "ADD" && left && right && isConst(right)) return [left, right.value];
  return [expr, 0n];
}

const subtract: Rule = (pool, a, b) => {
  const [left, plus] = withOffset(a);
  const [right, minus] = withOffset(b);
  if (left === right) return pool.constant(plus - minus);
  if (isConst(b) && b.value === 0n) return a;
  if (isConst(b) && a.op === "ADD" && plus !== 0n) return binary(pool, "ADD", left, pool.constant(plus - b.value));
  return undefined;
};

const multiply: Rule = (pool, a, b) => {
  if (isConst(a)) return binary(pool, "MUL", b, a);
  if (!isConst(b)) return undefined;
  if (b.value === 0n) return b;
  const bits = powerOfTwo(b.value);
  if (bits === 0) return a;
  // Only shifts by whole bytes place a field in a word. A doubled amount stays a product.
  return bits !== undefined && bits % 8 === 0 ? binary(pool, "SHL", pool.constant(BigInt(bits)), a) : undefined;
};

const divide: Rule = (pool, a, b) => {
  if (!isConst(b)) return undefined;
  const bits = powerOfTwo(b.value);
  if (bits === 0) return a;
  const [left, right] = a.args;
  // A hundred hundredths are the whole. An overflow would have failed.
  if (a.op === "MUL" && left && right === b && b.value !== 0n) return left;
  return bits !== undefined && bits % 8 === 0 ? binary(pool, "SHR", pool.constant(BigInt(bits)), a) : undefined;
};

const shiftRight: Rule = (pool, a, b) => {
  if (!isConst(a)) return undefined;
  const bits = Number(a.value > 256n ? 256n : a.value);
  if (bits === 0) return b;
  const [by, inner] = b.args;
  if (b.op === "SHL" && by === a && inner) return isStored(inner) ? field(pool, inner, 0, 256 - bits) : inner;
  if (b.op === "AND" && inner && by && isConst(by) && isStored(inner)) {
    const width = lowMask(by.value >> a.value);
    if (width !== undefined) return field(pool, inner, bits, width);
  }
  return isStored(b) || isPieced(b) ? bitsOf(pool, b, bits, 256 - bits) : undefined;
};

const shiftLeft: Rule = (pool, a, b) => {
  if (!isConst(a)) return undefined;
  if (a.value === 0n) return b;
  const [by, inner] = b.args;
  if (b.op === "SHR" && by === a && inner && !isStored(inner)) return inner;
  return isConst(b) && b.value === 0n ? pool.constant(0n) : undefined;
};

/** Simplifies AND; the constant comes first. */
const and: Rule = (pool, a, b) => {
  if (a === b) return a;
  if (isConst(b)) return binary(pool, "AND", b, a);
  if (!isConst(a)) return undefined;
  if (a.value === 0n) return a;
  if (a.value === ALL) return b;
  const width = lowMask(a.value);
  if (width !== undefined && width >= 8) {
    const [by, pieces] = b.args;
    if (b.op === "SHR" && by && isConst(by) && pieces && isPieced(pieces)) {
      const known = bitsOf(pool, pieces, Number(by.value), Math.min(width, 256 - Number(by.value)));
      if (known) return known;
    }
    if (isPieced(b)) return bitsOf(pool, b, 0, width);
    return isStored(b) ? field(pool, b, 0, width) : b;
  }
  // A mask in the middle of a word. The optimizer leaves it in comparisons of packed flags.
  if (isStored(b) || isPieced(b)) {
    const low = a.value & -a.value;
    const shift = powerOfTwo(low) ?? 0;
    const middle = lowMask(a.value >> BigInt(shift));
    if (middle !== undefined && shift > 0 && shift + middle < 256) {
      const known = bitsOf(pool, b, shift, middle);
      if (known) return binary(pool, "SHL", pool.constant(BigInt(shift)), known);
    }
  }
  const [inner, rest] = b.args;
  if (b.op === "AND" && inner && rest && isConst(inner)) {
    return binary(pool, "AND", pool.constant(inner.value & a.value), rest);
  }
  return undefined;
};

const or: Rule = (pool, a, b) => {
  if (a === b) return a;
  if (isConst(b)) return binary(pool, "OR", b, a);
  if (isConst(a) && a.value === 0n) return b;
  return undefined;
};

const equal: Rule = (pool, a, b) => {
  if (a === b) return pool.constant(1n);
  if (isConst(b)) return binary(pool, "EQ", b, a);
  if (isConst(a) && a.value === 0n) return isZero(pool, b);
  return a.id > b.id && !isConst(a) ? pool.make("EQ", [b, a]) : undefined;
};

/** A constant is subtracted by adding its complement. */
const isLessened = ({ op, args: [, by] }: Expr): boolean =>
  op === "ADD" && by !== undefined && isConst(by) && by.value > ALL / 2n;

const less: Rule = (pool, a, b) => {
  if (a === b) return pool.constant(0n);
  if (isConst(b) && b.value === 0n) return b;
  if (isConst(b) && b.value === 1n) return isZero(pool, a);
  if (isConst(a) && a.value === 0n) return isZero(pool, isZero(pool, b));
  // x < x - y tests whether the difference wrapped around, that is, whether x < y.
  const [from, taken] = b.args;
  if (b.op === "SUB" && from === a && taken) return binary(pool, "LT", a, taken);
  if (isLessened(b) && from === a && taken) return binary(pool, "LT", a, pool.constant(-taken.value));
  return undefined;
};

const rules: Readonly<Record<string, Rule>> = {
  ADD: add,
  SUB: subtract,
  MUL: multiply,
  DIV: divide,
  SHR: shiftRight,
  SHL: shiftLeft,
  AND: and,
  OR: or,
  EQ: equal,
  LT: less,
  GT: (pool, a, b) => binary(pool, "LT", b, a),
  SGT: (pool, a, b) => binary(pool, "SLT", b, a),
  XOR: (pool, a, b) => (a === b ? pool.constant(0n) : undefined),
  SIGNEXTEND: (_pool, _a, b) => b,
  BYTE: (pool, a, b) =>
    isConst(a) && a.value < 32n && isStored(b) ? field(pool, b, 248 - Number(a.value) * 8, 8) : undefined,
};

/** Simplifies ISZERO to 1 or 0. Two in a row return the word, because only its being zero or not matters. */
export function isZero(pool: ExprPool, a: Expr): Expr {
  if (isConst(a)) return pool.constant(a.value === 0n ? 1n : 0n);
  const [left, right] = a.args;
  if (a.op === "ISZERO" && left) return left;
  if ((a.op === "XOR" || a.op === "SUB") && left && right) return binary(pool, "EQ", left, right);
  if (isLessened(a) && left) return binary(pool, "EQ", left, pool.constant(-(right?.value ?? 0n)));
  if (a.op === "SHL" && right) return isZero(pool, right);
  return pool.make("ISZERO", [a]);
}

/**
 * Removes negations from a condition. Returns the tested value, and the result of the test when the condition is
 * `truth`.
 */
export function condition(pool: ExprPool, tested: Expr, truth: boolean): readonly [Expr, boolean] {
  const [left, right] = tested.args;
  if (tested.op === "ISZERO" && left) return condition(pool, left, !truth);
  if ((tested.op === "SUB" || tested.op === "XOR") && left && right) {
    return condition(pool, binary(pool, "EQ", left, right), !truth);
  }
  if (isLessened(tested) && left && right) {
    return condition(pool, binary(pool, "EQ", left, pool.constant(-right.value)), !truth);
  }
  if (tested.op === "SHL" && right) return condition(pool, right, truth);
  return [tested, truth];
}
