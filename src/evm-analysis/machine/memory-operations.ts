import { hashOf } from "../../chains/evm/evm-storage.ts";
import { mix, type State, spread } from "../paths/state.ts";
import { numberAt } from "./code.ts";
import { type Expr, type ExprPool, isConst } from "./expr.ts";
import { isOutOfGas, load, loadMany, store } from "./memory.ts";
import { compute, consume, type MachineOperation } from "./operation.ts";
import { binary } from "./simplify.ts";

const plus = (pool: ExprPool) => (address: Expr, distance: number) =>
  binary(pool, "ADD", address, pool.constant(BigInt(distance)));

/** A word of the input. Arguments of 32 bytes follow the selector. */
export function inputWord(pool: ExprPool, at: Expr, state: State): Expr {
  if (!isConst(at)) return pool.make("CALLDATA", [at]);
  if (at.value >= BigInt(state.entry.inputSize)) return pool.constant(0n);
  if (at.value === 0n) return pool.make("SELECTOR");
  return (at.value - 4n) % 32n === 0n ? pool.make("ARG", [], (at.value - 4n) / 32n) : pool.make("CALLDATA", [at]);
}

/** The hash of a memory range, as an expression over its words. A range of unknown size hashes to a new symbol. */
export function hash(pool: ExprPool, at: Expr, size: Expr, state: State): Expr | undefined {
  if (isOutOfGas(at, size)) return undefined;
  if (!isConst(size) || size.value > 1024n) return pool.make("KECCAK", [at, size], 1n);
  const words = loadMany(pool, state.memory, at, Number(size.value), plus(pool));
  // A text that names a slot is hashed at run time. Whole words may be the key and slot of an entry, so they stay
  // separate.
  if (size.value % 32n !== 0n && words.every(isConst)) {
    const known = words.map(({ value }) => value);
    return pool.constant(hashOf(known, Number(size.value)));
  }
  return pool.make("KECCAK", words);
}

export const mload = compute(1, (pool, [at], state) =>
  at === undefined || isOutOfGas(at, at) ? undefined : load(pool, state.memory, at),
);

/** The address from which solc keeps variables in memory. Memory below it is scratch space. */
const FIRST_VARIABLE = 0x80n;
/**
 * The address where solc keeps the pointer to free memory. The first value of the pointer marks the end of the
 * variables.
 */
const FREE_POINTER = 0x40n;

function write(state: State, at: Expr, word: Expr): void {
  store(state.memory, at, word);
  if (!isConst(at) || !(isConst(word) || state.entry.answers)) return;
  if (state.heap === undefined && at.value === FREE_POINTER) state.heap = word.value;
  // Error texts and lists lie at arbitrary addresses. They would distinguish paths that are otherwise equal.
  const end = state.entry.exact || state.heap === undefined || state.heap < FIRST_VARIABLE ? undefined : state.heap;
  if (at.value >= FIRST_VARIABLE && (end === undefined || at.value < end)) {
    state.memoryDigest = mix(state.memoryDigest, spread(Number(at.value & 0xffffffn), word.id));
  }
}

export const mstore: MachineOperation = (state) => {
  const at = state.stack.pop();
  const word = state.stack.pop();
  if (at === undefined || word === undefined || isOutOfGas(at, at)) return "fail";
  write(state, at, word);
  return "next";
};

/** Copies the input word by word, at most 32 words. */
export const calldatacopy = consume(3, (state, [to, from, size]) => {
  const { pool } = state.program;
  if (!to || !from || !size || isOutOfGas(to, size)) return "fail";
  if (isConst(size) && isConst(from) && isConst(to) && size.value <= 4n && from.value === 0n && to.value === 28n) {
    // The first versions of Vyper read the selector like this: into the low end of the word at 0.
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

/** Copies within memory, word by word, at most 32 words. */
export const mcopy = consume(3, (state, [to, from, size]) => {
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

/**
 * Copies of the code are constants. A size below a word fills the low end of a word. Jump tables are read in this way.
 */
export const codecopy = consume(3, (state, [to, from, size]) => {
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

/** More words than any observed constructor takes. Words beyond count as zero. */
const MAX_ARGUMENTS = 32;

function copyArguments(state: State, to: Expr): "next" {
  const { pool } = state.program;
  for (let at = 0; at < MAX_ARGUMENTS; at++)
    store(state.memory, plus(pool)(to, at * 32), pool.make("ARG", [], BigInt(at)));
  return "next";
}

export const giveBack = consume(2, (state, [at, size]) => {
  const { codeInMemory } = state;
  if (at && size && isOutOfGas(at, size)) return "fail";
  if (at && size) state.result = load(state.program.pool, state.memory, at);
  const whole = at && codeInMemory !== undefined && codeInMemory.at === at && codeInMemory.size > 0;
  if (whole && size && isConst(size) && size.value > 0n && codeInMemory.from > 0) {
    state.copied = { from: codeInMemory.from, size: Math.min(codeInMemory.size, Number(size.value)) };
  }
  return "return";
});
