/** What a value on the stack may depend on; `marks` of an expression is the union over its parts. */
export const mark = {
  caller: 1,
  calldata: 2,
  storage: 4,
  time: 8,
  value: 16,
  call: 32,
  address: 64,
} as const;

/**
 * A value as the program computes it: a constant, an input, or an operation on such. Equal expressions of one pool are
 * the same object, so `===` compares them.
 */
export interface Expr {
  readonly id: number;
  /** An opcode's name, or: CONST, ARG (word of the call's arguments), FIELD (bits of a storage word), RET, JOIN, ANY. */
  readonly op: string;
  readonly args: readonly Expr[];
  /** The number of a CONST; of others what tells two of one operation apart (argument number, shift and width). */
  readonly value: bigint;
  readonly marks: number;
}

/** Where expressions of one contract are made. */
export interface Pool {
  constant(value: bigint): Expr;
  /** The expression as it is, nothing simplified: `simplify.ts` does that. */
  make(op: string, args?: readonly Expr[], value?: bigint): Expr;
  /** Whether the expression was made before. */
  has(op: string, args: readonly Expr[]): boolean;
  /** Whether the number was met before. */
  hasConstant(value: bigint): boolean;
  /** How many expressions were made, which bounds the memory of an analysis. */
  size(): number;
}

/** Bits of a word. */
const WORD = 256n;

const ownMarks: Readonly<Record<string, number>> = {
  CALLER: mark.caller,
  ORIGIN: mark.caller,
  ARG: mark.calldata,
  CALLDATA: mark.calldata,
  SLOAD: mark.storage,
  TIMESTAMP: mark.time,
  NUMBER: mark.time,
  CALLVALUE: mark.value,
  ADDRESS: mark.address,
  CALL: mark.call,
  STATICCALL: mark.call,
  DELEGATECALL: mark.call,
  RET: mark.call,
};

export function createPool(): Pool {
  const known = new Map<string, Expr>();
  const constants = new Map<bigint, Expr>();
  let count = 0;
  return {
    constant(value) {
      const word = BigInt.asUintN(Number(WORD), value);
      let found = constants.get(word);
      if (found === undefined) {
        found = { id: count++, op: "CONST", args: [], value: word, marks: 0 };
        constants.set(word, found);
      }
      return found;
    },
    make(op, args = [], value = 0n) {
      let key = value === 0n ? op : `${op}#${value}`;
      let marks = ownMarks[op] ?? 0;
      for (const arg of args) {
        key += `,${arg.id}`;
        marks |= arg.marks;
      }
      let found = known.get(key);
      if (found === undefined) {
        found = { id: count++, op, args, value, marks };
        known.set(key, found);
      }
      return found;
    },
    has: (op, args) => known.has(args.reduce((key, arg) => `${key},${arg.id}`, op)),
    hasConstant: (value) => constants.has(value),
    size: () => count,
  };
}

export const isConst = (expr: Expr): boolean => expr.op === "CONST";

/** The position and width in bits that a FIELD carries, as `position * 512 + width`. */
export const fieldTag = (shift: number, width: number): bigint => BigInt(shift * 512 + width);
export const fieldShift = (field: Expr): number => Math.floor(Number(field.value) / 512);
export const fieldWidth = (field: Expr): number => Number(field.value) % 512;

/** Every expression inside `expr`, itself first, each once. What `skip` holds is not entered. */
export function* parts(expr: Expr, skip: ReadonlySet<string> = none, seen = new Set<Expr>()): Generator<Expr> {
  if (seen.has(expr)) return;
  seen.add(expr);
  yield expr;
  if (skip.has(expr.op)) return;
  for (const arg of expr.args) yield* parts(arg, skip, seen);
}

const none: ReadonlySet<string> = new Set();
