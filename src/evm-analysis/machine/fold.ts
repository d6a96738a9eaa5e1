const WORD = 256;
const signed = (value: bigint) => BigInt.asIntN(WORD, value);
const bool = (truth: boolean) => (truth ? 1n : 0n);

/** `base ** power` modulo 2^256. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = BigInt.asUintN(WORD, result * square);
    square = BigInt.asUintN(WORD, square * square);
  }
  return result;
}

/** Fills the bits above byte `index` with the sign of that byte. */
function extend(index: bigint, value: bigint): bigint {
  return index > 30n ? value : BigInt.asUintN(WORD, BigInt.asIntN(Number(index) * 8 + 8, value));
}

/**
 * Operations on two known words; the first operand is the top of the stack. The pool truncates results to 256 bits when
 * it makes the constant. Source: Ethereum yellow paper, appendix H.
 */
const folds: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  ADD: (a, b) => a + b,
  MUL: (a, b) => a * b,
  SUB: (a, b) => a - b,
  DIV: (a, b) => (b === 0n ? 0n : a / b),
  SDIV: (a, b) => (b === 0n ? 0n : signed(a) / signed(b)),
  MOD: (a, b) => (b === 0n ? 0n : a % b),
  SMOD: (a, b) => (b === 0n ? 0n : signed(a) % signed(b)),
  EXP: power,
  SIGNEXTEND: extend,
  LT: (a, b) => bool(a < b),
  GT: (a, b) => bool(a > b),
  SLT: (a, b) => bool(signed(a) < signed(b)),
  SGT: (a, b) => bool(signed(a) > signed(b)),
  EQ: (a, b) => bool(a === b),
  AND: (a, b) => a & b,
  OR: (a, b) => a | b,
  XOR: (a, b) => a ^ b,
  BYTE: (a, b) => (a > 31n ? 0n : (b >> (8n * (31n - a))) & 0xffn),
  SHL: (a, b) => (a > 255n ? 0n : b << a),
  SHR: (a, b) => (a > 255n ? 0n : b >> a),
  SAR: (a, b) => signed(b) >> (a > 255n ? 255n : a),
};

/** The value of `op` on two known words. Undefined when `op` is no such operation. */
export function fold(op: string, a: bigint, b: bigint): bigint | undefined {
  return folds[op]?.(a, b);
}
