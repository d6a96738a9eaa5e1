import { hashOf } from "../../chains/evm-storage.ts";
import { calls } from "./call-operations.ts";
import { numberAt, opcode } from "./code.ts";
import { type Expr, isConst, type Pool } from "./expr.ts";
import { isOutOfGas, load, loadMany, store } from "./memory.ts";
import { after } from "./path.ts";
import { binary, isZero } from "./simplify.ts";
import { take } from "./stack.ts";
import { mix, type State, spread } from "./state.ts";

/** What follows an instruction: the next one, a jump to the top of the stack, a branch on the two tops, or an end. */
export type Outcome = "next" | "jump" | "branch" | "fail" | "stop" | "return" | "selfdestruct";
export type Operation = (state: State, op: number) => Outcome;

/** Instruction that takes `count` words and gives one. */
function compute(
  count: number,
  value: (pool: Pool, args: readonly Expr[], state: State) => Expr | undefined,
): Operation {
  return (state) => {
    const args = take(state.stack, count);
    const result = args && value(state.program.pool, args, state);
    if (result === undefined) return "fail";
    state.stack.push(result);
    return "next";
  };
}

/** Instruction that takes `count` words and gives none. */
export function consume(count: number, act: (state: State, args: readonly Expr[]) => Outcome): Operation {
  return (state) => {
    const args = take(state.stack, count);
    return args ? act(state, args) : "fail";
  };
}

/** Most of what programs do. */
const two =
  (name: string): Operation =>
  ({ stack, program }) => {
    const a = stack.pop();
    const b = stack.pop();
    if (a === undefined || b === undefined) return "fail";
    stack.push(binary(program.pool, name, a, b));
    return "next";
  };
const symbol = (name: string) => compute(0, (pool) => pool.make(name));
/** An instruction that takes a word and gives one. */
const one =
  (value: (pool: Pool, word: Expr, state: State) => Expr): Operation =>
  (state) => {
    const word = state.stack.pop();
    if (word === undefined) return "fail";
    state.stack.push(value(state.program.pool, word, state));
    return "next";
  };
const asked = (name: string) => one((pool, word) => pool.make(name, [word]));
const drop =
  (count: number): Operation =>
  ({ stack }) => {
    if (stack.length < count) return "fail";
    stack.length -= count;
    return "next";
  };

const plus = (pool: Pool) => (address: Expr, distance: number) =>
  binary(pool, "ADD", address, pool.constant(BigInt(distance)));

/** A word of the input. The selector is followed by arguments of 32 bytes. */
function inputWord(pool: Pool, at: Expr, state: State): Expr {
  if (!isConst(at)) return pool.make("CALLDATA", [at]);
  if (at.value >= BigInt(state.entry.inputSize)) return pool.constant(0n);
  if (at.value === 0n) return pool.make("SELECTOR");
  return (at.value - 4n) % 32n === 0n ? pool.make("ARG", [], (at.value - 4n) / 32n) : pool.make("CALLDATA", [at]);
}

/** The selector is known, so that dispatchers go straight to its function. */
function shifted(pool: Pool, by: Expr, word: Expr, state: State): Expr {
  if (word.op === "SELECTOR" && isConst(by) && by.value === 224n)
    return pool.constant(BigInt(state.entry.selector ?? 0));
  return binary(pool, "SHR", by, word);
}

function divided(pool: Pool, word: Expr, by: Expr, state: State): Expr {
  if (word.op === "SELECTOR" && isConst(by) && by.value === 1n << 224n) {
    return pool.constant(BigInt(state.entry.selector ?? 0));
  }
  return binary(pool, "DIV", word, by);
}

/** Hash of a piece of memory, as an expression over the words in it. Sizes that are not known hash to a new symbol. */
function hash(pool: Pool, at: Expr, size: Expr, state: State): Expr | undefined {
  if (isOutOfGas(at, size)) return undefined;
  if (!isConst(size) || size.value > 1024n) return pool.make("KECCAK", [at, size], 1n);
  const words = loadMany(pool, state.memory, at, Number(size.value), plus(pool));
  // Texts that name a slot, hashed when the code runs. Whole words may be an entry's key and slot, and keep their parts.
  if (size.value % 32n !== 0n && words.every(isConst)) {
    const known = words.map(({ value }) => value);
    return pool.constant(hashOf(known, Number(size.value)));
  }
  return pool.make("KECCAK", words);
}

const mload = compute(1, (pool, [at], state) =>
  at === undefined || isOutOfGas(at, at) ? undefined : load(pool, state.memory, at),
);

/** Where solc's own variables in memory begin; what lies before is scratch. */
const FIRST_VARIABLE = 0x80n;
/** Where solc keeps the address of the first free byte; what it holds first is where variables end. */
const FREE_POINTER = 0x40n;

function write(state: State, at: Expr, word: Expr): void {
  store(state.memory, at, word);
  if (!isConst(at) || !(isConst(word) || state.entry.answers)) return;
  if (state.heap === undefined && at.value === FREE_POINTER) state.heap = word.value;
  // Texts of errors and lists lie where there was room; they tell paths apart that differ in nothing else.
  const end = state.entry.exact || state.heap === undefined || state.heap < FIRST_VARIABLE ? undefined : state.heap;
  if (at.value >= FIRST_VARIABLE && (end === undefined || at.value < end)) {
    state.memoryDigest = mix(state.memoryDigest, spread(Number(at.value & 0xffffffn), word.id));
  }
}

const mstore: Operation = (state) => {
  const at = state.stack.pop();
  const word = state.stack.pop();
  if (at === undefined || word === undefined || isOutOfGas(at, at)) return "fail";
  write(state, at, word);
  return "next";
};

/** A word of storage that lasts for the transaction, as a place of its own. Source: ERC-1153. */
const transient = (pool: Pool, key: Expr) => pool.make("TRANSIENT", [key]);
const read = (pool: Pool, key: Expr, state: State) => state.storage.get(key.id) ?? pool.make("SLOAD", [key]);
const sload = one(read);
/** Zero where the path found it so: sums with it overflow on no path then. */
const tload = one((pool, key, state) => {
  const word = read(pool, transient(pool, key), state);
  return wasZero(word, state) ? pool.constant(0n) : word;
});

function wasZero(word: Expr, { trace }: State): boolean {
  for (let at = trace; at !== undefined; at = at.before) {
    if (at.step.kind === "branch" && at.step.tested === word) return !at.step.truth;
  }
  return false;
}

const sstore = consume(2, (state, [key, value]) => (key && value ? keep(state, key, value) : "fail"));
const tstore = consume(2, (state, [key, value]) =>
  key && value ? keep(state, transient(state.program.pool, key), value) : "fail",
);

function keep(state: State, key: Expr, value: Expr): "next" {
  if (state.sharesStorage) state.storage = new Map(state.storage);
  state.sharesStorage = false;
  state.storage.set(key.id, value);
  state.trace = after(state.trace, { kind: "write", pc: state.pc, key, value });
  // What is written as it was tells a transfer that moves nothing from one that does.
  const same = value.op === "SLOAD" && value.args[0] === key;
  state.digest = mix(state.digest, spread(key.id, state.entry.exact ? value.id + 3 : same ? 2 : 3));
  return "next";
}

/** Copies of the input word by word, at most 32 of them. */
const calldatacopy = consume(3, (state, [to, from, size]) => {
  const { pool } = state.program;
  if (!to || !from || !size || isOutOfGas(to, size)) return "fail";
  if (isConst(size) && isConst(from) && isConst(to) && size.value <= 4n && from.value === 0n && to.value === 28n) {
    // How Vyper's first versions read the selector: into the low end of the word at 0.
    store(state.memory, pool.constant(0n), pool.constant(BigInt(state.entry.selector ?? 0)));
    return "next";
  }
  const words = isConst(size) ? Math.min(32, Math.ceil(Number(size.value % (1n << 32n)) / 32)) : 1;
  for (let at = 0; at < words; at++) {
    const source = binary(pool, "ADD", from, pool.constant(BigInt(at * 32)));
    write(state, plus(pool)(to, at * 32), inputWord(pool, source, state));
  }
  return "next";
});

/** Copies within memory, word by word, at most 32 of them. */
const mcopy = consume(3, (state, [to, from, size]) => {
  const { pool } = state.program;
  if (!to || !from || !size || isOutOfGas(to, size) || isOutOfGas(from, size)) return "fail";
  if (!isConst(size)) return "next";
  const words = Math.min(32, Math.ceil(Number(size.value % (1n << 32n)) / 32));
  const moved = loadMany(pool, state.memory, from, words * 32, plus(pool));
  moved.forEach((word, at) => {
    write(state, plus(pool)(to, at * 32), word);
  });
  return "next";
});

/** Copies of the code are constants. A size below a word fills the low end of one, which is how jump tables are read. */
const codecopy = consume(3, (state, [to, from, size]) => {
  const { pool, code } = state.program;
  if (!to || !from || !size || isOutOfGas(to, size)) return "fail";
  if (!isConst(from)) return "next";
  const start = Number(from.value % (1n << 32n));
  if (state.entry.argumentsFollow && start >= code.length) return copyArguments(state, to);
  if (!isConst(size)) return "next";
  const bytes = Number(size.value % (1n << 32n));
  state.codeInMemory = { at: to, from: start, size: bytes };
  if (bytes < 32) store(state.memory, plus(pool)(to, bytes - 32), pool.constant(numberAt(code, start, bytes)));
  else {
    for (let at = 0; at < Math.min(bytes, 1024); at += 32) {
      store(state.memory, plus(pool)(to, at), pool.constant(numberAt(code, start + at, 32)));
    }
  }
  return "next";
});

/** More than any constructor takes that was seen; what is beyond counts as zero. */
const MAX_ARGUMENTS = 32;

function copyArguments(state: State, to: Expr): "next" {
  const { pool } = state.program;
  for (let at = 0; at < MAX_ARGUMENTS; at++)
    store(state.memory, plus(pool)(to, at * 32), pool.make("ARG", [], BigInt(at)));
  return "next";
}

const giveBack = consume(2, (state, [at, size]) => {
  const { codeInMemory } = state;
  if (at && size && isOutOfGas(at, size)) return "fail";
  if (at && size && isConst(at) && isConst(size) && size.value > 0n) {
    state.result = load(state.program.pool, state.memory, at);
  } else if (at && size) state.result = load(state.program.pool, state.memory, at);
  const whole = at && codeInMemory !== undefined && codeInMemory.at === at && codeInMemory.size > 0;
  if (whole && size && isConst(size) && size.value > 0n && codeInMemory.from > 0) {
    state.copied = { from: codeInMemory.from, size: Math.min(codeInMemory.size, Number(size.value)) };
  }
  return "return";
});

const selfdestruct = consume(1, (state, [to]) => {
  state.result = to;
  return "selfdestruct";
});

const known = (value: (state: State) => bigint) => compute(0, (pool, _args, state) => pool.constant(value(state)));

const arithmetic = ["ADD", "MUL", "SUB", "DIV", "SDIV", "MOD", "SMOD"];
const comparison = ["LT", "GT", "SLT", "SGT", "EQ"];

function table(): readonly (Operation | undefined)[] {
  const entries: (Operation | undefined)[] = Array.from({ length: 256 });
  arithmetic.forEach((name, at) => {
    entries[at + 0x01] = two(name);
  });
  comparison.forEach((name, at) => {
    entries[at + 0x10] = two(name);
  });
  Object.assign(entries, single, calls);
  for (let size = 1; size <= 16; size++) {
    entries[0x7f + size] = duplicate(size);
    entries[0x8f + size] = swap(size);
  }
  for (let topics = 0; topics <= 4; topics++) entries[0xa0 + topics] = drop(topics + 2);
  return entries;
}

const duplicate =
  (depth: number): Operation =>
  ({ stack }) => {
    const word = stack[stack.length - depth];
    if (word === undefined) return "fail";
    stack.push(word);
    return "next";
  };

const swap =
  (depth: number): Operation =>
  ({ stack }) => {
    const top = stack[stack.length - 1];
    const other = stack[stack.length - 1 - depth];
    if (top === undefined || other === undefined) return "fail";
    stack[stack.length - 1] = other;
    stack[stack.length - 1 - depth] = top;
    return "next";
  };

const single: Readonly<Record<number, Operation>> = {
  [opcode.stop]: () => "stop",
  4: compute(2, (pool, [a, b], state) => (a && b ? divided(pool, a, b, state) : undefined)),
  8: compute(3, (pool, args) => pool.make("ADDMOD", args)),
  9: compute(3, (pool, args) => pool.make("MULMOD", args)),
  10: two("EXP"),
  11: two("SIGNEXTEND"),
  21: one(isZero),
  22: two("AND"),
  23: two("OR"),
  24: two("XOR"),
  25: one((pool, a) => (isConst(a) ? pool.constant(~a.value) : pool.make("NOT", [a]))),
  26: two("BYTE"),
  27: two("SHL"),
  28: compute(2, (pool, [a, b], state) => (a && b ? shifted(pool, a, b, state) : undefined)),
  29: two("SAR"),
  32: compute(2, (pool, [at, size], state) => (at && size ? hash(pool, at, size, state) : undefined)),
  48: symbol("ADDRESS"),
  49: asked("BALANCE"),
  50: symbol("ORIGIN"),
  51: symbol("CALLER"),
  52: symbol("CALLVALUE"),
  53: one(inputWord),
  54: known((state) => BigInt(state.entry.inputSize)),
  55: calldatacopy,
  56: compute(0, (pool, _args, { program, entry }) =>
    entry.argumentsFollow ? pool.make("CODESIZE") : pool.constant(BigInt(program.code.length)),
  ),
  [opcode.codecopy]: codecopy,
  58: symbol("GASPRICE"),
  59: asked("EXTCODESIZE"),
  60: drop(4),
  61: compute(0, (_pool, _args, state) => state.returned),
  62: drop(3),
  63: asked("EXTCODEHASH"),
  64: asked("BLOCKHASH"),
  65: symbol("COINBASE"),
  66: symbol("TIMESTAMP"),
  67: symbol("NUMBER"),
  68: symbol("PREVRANDAO"),
  69: symbol("GASLIMIT"),
  70: symbol("CHAINID"),
  71: symbol("SELFBALANCE"),
  72: symbol("BASEFEE"),
  73: asked("BLOBHASH"),
  74: symbol("BLOBBASEFEE"),
  80: drop(1),
  81: mload,
  82: mstore,
  83: mstore,
  84: sload,
  85: sstore,
  86: () => "jump",
  87: () => "branch",
  88: known((state) => BigInt(state.pc)),
  89: known(() => 0n),
  90: symbol("GAS"),
  92: tload,
  93: tstore,
  94: mcopy,
  [opcode.return]: giveBack,
  [opcode.selfdestruct]: selfdestruct,
};

/** Instructions by their number; one that is absent ends the path as INVALID does. */
export const operations = table();
