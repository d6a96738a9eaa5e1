/** Sources that a value on the stack may depend on. The `marks` of an expression are the union over its parts. */
export const mark = {
  caller: 1,
  calldata: 2,
  storage: 4,
  time: 8,
  value: 16,
  call: 32,
  address: 64,
} as const;

/** Kinds of expressions. An expression has at most one kind. */
export const kind = { constant: 1, given: 2, test: 4 } as const;

const tests: ReadonlySet<string> = new Set(["EQ", "ISZERO", "LT", "SLT", "FIELD"]);
const sums: ReadonlySet<string> = new Set(["ADD", "SUB", "MUL", "DIV", "MOD", "NOT"]);

/** A test of sums checks for overflow, and every path repeats it. */
export const isSum = (args: readonly { readonly op: string }[]): boolean => args.some((arg) => sums.has(arg.op));

/** Tests concern flags, lists, addresses or plain numbers. */
function kindOf(op: string, args: readonly Expr[]): number {
  if (op === "ARG") return kind.given;
  return tests.has(op) && !isSum(args) ? kind.test : 0;
}

/**
 * A value as the program computes it: a constant, an input, or an operation on such values. Equal expressions of one
 * pool are one object, so `===` compares them.
 */
export interface Expr {
  readonly id: number;
  /** An opcode's name, or: CONST, ARG (word of the call's arguments), FIELD (bits of a storage word), RET, JOIN, ANY. */
  readonly op: string;
  readonly args: readonly Expr[];
  /**
   * The number of a CONST. For other operations it distinguishes two of one kind: argument number, or shift and width.
   */
  readonly value: bigint;
  readonly marks: number;
  /** The kind of the expression, as `kind` names it. It decides whether the value distinguishes paths. */
  readonly kind: number;
  /** The number of a CONST that may be a place in the code. -1 for larger constants and for other expressions. */
  readonly place: number;
}

/** Creates the expressions of one contract. */
export interface ExprPool {
  constant(value: bigint): Expr;
  /** Makes the expression without simplification. `simplify.ts` simplifies. */
  make(op: string, args?: readonly Expr[], value?: bigint): Expr;
  /** Whether the expression was made before. */
  has(op: string, args: readonly Expr[]): boolean;
  /** Whether the constant was made before. */
  hasConstant(value: bigint): boolean;
  /** The number of expressions made. It bounds the memory of an analysis. */
  size(): number;
}

/** The width of a word in bits. */
const WORD = 256;
/** No code is that long. */
const MAX_PLACE = 1n << 24n;
const none: readonly Expr[] = [];

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

export function createPool(): ExprPool {
  const tables = new Map<string, Table>();
  const constants = new Map<bigint, Expr>();
  let count = 0;
  const tableOf = (op: string): Table => {
    const found = tables.get(op) ?? { few: new Map(), tagged: new Map(), many: new Map() };
    tables.set(op, found);
    return found;
  };
  const create = (op: string, args: readonly Expr[], value: bigint): Expr => {
    let marks = ownMarks[op] ?? 0;
    for (const arg of args) marks |= arg.marks;
    return { id: count++, op, args, value, marks, kind: kindOf(op, args), place: -1 };
  };
  return {
    constant(value) {
      const known = constants.get(value);
      if (known !== undefined) return known;
      const word = BigInt.asUintN(WORD, value);
      let found = constants.get(word);
      if (found === undefined) {
        found = {
          id: count++,
          op: "CONST",
          args: none,
          value: word,
          marks: 0,
          kind: kind.constant,
          place: word < MAX_PLACE ? Number(word) : -1,
        };
        constants.set(word, found);
      }
      return found;
    },
    make(op, args = none, value = 0n) {
      const table = tableOf(op);
      if (args.length > 2) return remember(table.many, manyKey(args, value), () => create(op, args, value));
      const same = value === 0n ? table.few : remember(table.tagged, value, () => new Map<number, Expr>());
      const key = fewKey(args);
      let found = same.get(key);
      if (found === undefined) {
        found = create(op, args, value);
        same.set(key, found);
      }
      return found;
    },
    has(op, args) {
      const table = tableOf(op);
      return args.length > 2 ? table.many.has(manyKey(args, 0n)) : table.few.has(fewKey(args));
    },
    hasConstant: (value) => constants.has(value),
    size: () => count,
  };
}

/**
 * The expressions of one operation. Most have at most two operands and no value. Text keys would cost more than all
 * other work.
 */
interface Table {
  readonly few: Map<number, Expr>;
  /** Expressions with a value other than zero, by that value. */
  readonly tagged: Map<bigint, Map<number, Expr>>;
  /** Expressions with more than two operands, by a text of the operands. */
  readonly many: Map<string, Expr>;
}

/** More than the expressions of any contract. */
const MAX_ID = 2 ** 26;

const fewKey = ([a, b]: readonly Expr[]): number =>
  a === undefined ? -1 : b === undefined ? a.id : (a.id + 1) * MAX_ID + b.id;
const manyKey = (args: readonly Expr[], value: bigint): string =>
  args.reduce((key, arg) => `${key},${arg.id}`, String(value));

function remember<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  let found = known.get(key);
  if (found === undefined) {
    found = make();
    known.set(key, found);
  }
  return found;
}

export const isConst = (expr: Expr): boolean => expr.op === "CONST";

/** The tag of a FIELD with its position and width in bits: `position * 512 + width`. */
export const fieldTag = (shift: number, width: number): bigint => BigInt(shift * 512 + width);
export const fieldShift = (field: Expr): number => Math.floor(Number(field.value) / 512);
export const fieldWidth = (field: Expr): number => Number(field.value) % 512;

/** Every expression inside `expr`, itself first, each once. The operands of operations in `skip` are not visited. */
export function parts(expr: Expr, skip: ReadonlySet<string> = nothing, seen = new Set<Expr>()): readonly Expr[] {
  const found: Expr[] = [];
  const waiting = [expr];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    found.push(part);
    if (skip.has(part.op)) continue;
    for (let at = part.args.length - 1; at >= 0; at--) {
      const arg = part.args[at];
      if (arg !== undefined) waiting.push(arg);
    }
  }
  return found;
}

const nothing: ReadonlySet<string> = new Set();
