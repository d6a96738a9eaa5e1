import type { State } from "../paths/state.ts";
import { calls } from "./call-operations.ts";
import { opcode } from "./code.ts";
import { type Expr, type ExprPool, isConst } from "./expr.ts";
import { calldatacopy, codecopy, giveBack, hash, inputWord, mcopy, mload, mstore } from "./memory-operations.ts";
import { compute, consume, drop, type MachineOperation, one, two } from "./operation.ts";
import { binary, isZero } from "./simplify.ts";
import { sload, sstore, tload, tstore } from "./storage-operations.ts";

const symbol = (name: string) => compute(0, (pool) => pool.make(name));
const asked = (name: string) => one((pool, word) => pool.make(name, [word]));

/** The selector is known, so a dispatcher goes straight to its function. */
function shifted(pool: ExprPool, by: Expr, word: Expr, state: State): Expr {
  if (word.op === "SELECTOR" && isConst(by) && by.value === 224n)
    return pool.constant(BigInt(state.entry.selector ?? 0));
  return binary(pool, "SHR", by, word);
}

function divided(pool: ExprPool, word: Expr, by: Expr, state: State): Expr {
  if (word.op === "SELECTOR" && isConst(by) && by.value === 1n << 224n) {
    return pool.constant(BigInt(state.entry.selector ?? 0));
  }
  return binary(pool, "DIV", word, by);
}

const selfdestruct = consume(1, (state, [to]) => {
  state.result = to;
  return "selfdestruct";
});

const known = (value: (state: State) => bigint) => compute(0, (pool, _args, state) => pool.constant(value(state)));

const arithmetic = ["ADD", "MUL", "SUB", "DIV", "SDIV", "MOD", "SMOD"];
const comparison = ["LT", "GT", "SLT", "SGT", "EQ"];

function table(): readonly (MachineOperation | undefined)[] {
  const entries: (MachineOperation | undefined)[] = Array.from({ length: 256 });
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
  (depth: number): MachineOperation =>
  ({ stack }) => {
    const word = stack[stack.length - depth];
    if (word === undefined) return "fail";
    stack.push(word);
    return "next";
  };

const swap =
  (depth: number): MachineOperation =>
  ({ stack }) => {
    const top = stack[stack.length - 1];
    const other = stack[stack.length - 1 - depth];
    if (top === undefined || other === undefined) return "fail";
    stack[stack.length - 1] = other;
    stack[stack.length - 1 - depth] = top;
    return "next";
  };

const single: Readonly<Record<number, MachineOperation>> = {
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

/** Instructions by number. An absent instruction ends the path like INVALID. */
export const operations = table();
