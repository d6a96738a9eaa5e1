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

/** Kinds of expressions, one at most of each. */
export const kind = { constant: 1, given: 2, test: 4 } as const;

const tests: ReadonlySet<string> = new Set(["EQ", "ISZERO", "LT", "SLT", "FIELD"]);
const sums: ReadonlySet<string> = new Set(["ADD", "SUB", "MUL", "DIV", "MOD", "NOT"]);

/** A test of sums asks whether arithmetic overflows, on every path anew. */
export const isSum = (args: readonly { readonly op: string }[]): boolean => args.some((arg) => sums.has(arg.op));

/** Tests are of flags, lists, addresses or plain numbers. */
function kindOf(op: string, args: readonly Expr[]): number {
  if (op === "ARG") return kind.given;
  return tests.has(op) && !isSum(args) ? kind.test : 0;
}

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
  /** What is told of it when paths are told apart, as `kind` names it. */
  readonly kind: number;
  /** The number of a CONST that may be a place in code; -1 of larger ones and of all else. */
  readonly place: number;
}

/** Where expressions of one contract are made. */
export interface ExprPool {
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

/** The expressions of one operation. Most have two operands or fewer and no value: texts as keys would cost more than all else. */
interface Table {
  readonly few: Map<number, Expr>;
  /** By their value, when that is not zero. */
  readonly tagged: Map<bigint, Map<number, Expr>>;
  /** More than two operands, as one text. */
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

/** The position and width in bits that a FIELD carries, as `position * 512 + width`. */
export const fieldTag = (shift: number, width: number): bigint => BigInt(shift * 512 + width);
export const fieldShift = (field: Expr): number => Math.floor(Number(field.value) / 512);
export const fieldWidth = (field: Expr): number => Number(field.value) % 512;

/** Every expression inside `expr`, itself first, each once. What `skip` holds is not entered. */
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
