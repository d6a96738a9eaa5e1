import { after, type ContractCall } from "../paths/path.ts";
import type { State } from "../paths/state.ts";
import { type Expr, isConst } from "./expr.ts";
import { load, loadMany, store } from "./memory.ts";
import type { MachineOperation } from "./operation.ts";
import { binary } from "./simplify.ts";
import { take } from "./stack.ts";

/** The most words of a call's input that are kept. */
const MAX_INPUT = 256;

/** The first four bytes of a word. They stand alone in the word or over earlier contents. */
function selectorIn(word: Expr): number | undefined {
  const [head] = word.args;
  if (isConst(word)) return Number(word.value >> 224n);
  const laid = word.op === "OR" && head !== undefined && isConst(head) && (head.value & LOW) === 0n;
  return laid ? Number(head.value >> 224n) : undefined;
}

/** All bits of a word but those of a selector. */
const LOW = (1n << 224n) - 1n;

/** The selector and the following words of the input at `at`. */
function inputOf(state: State, at: Expr, size: Expr): Pick<ContractCall, "selector" | "input"> {
  const { pool } = state.program;
  const add = (address: Expr, distance: number) => binary(pool, "ADD", address, pool.constant(BigInt(distance)));
  const bytes = isConst(size) ? Number(size.value > BigInt(MAX_INPUT) ? MAX_INPUT : size.value) : 4 + 32 * 4;
  const first = load(pool, state.memory, at);
  const known = bytes >= 4 ? selectorIn(first) : undefined;
  if (bytes % 32 === 0 && known === undefined) {
    return { selector: undefined, input: loadMany(pool, state.memory, at, bytes, add) };
  }
  return { selector: known, input: loadMany(pool, state.memory, add(at, 4), Math.max(0, bytes - 4), add) };
}

function callOf(name: ContractCall["op"], withValue: boolean): MachineOperation {
  const count = withValue ? 7 : 6;
  return (state) => {
    const args = take(state.stack, count);
    if (args === undefined) return "fail";
    const to = args[1];
    const value = withValue ? args[2] : undefined;
    const [at, size, out, outSize] = args.slice(withValue ? 3 : 2);
    if (!to || !at || !size || !out || !outSize) return "fail";
    const { pool } = state.program;
    const { selector, input } = inputOf(state, at, size);
    const result = pool.make(name, [to, ...(value ? [value] : []), ...input], BigInt(state.pc));
    const words = isConst(outSize) ? Math.min(8, Math.ceil(Number(outSize.value % 4096n) / 32)) : 1;
    for (let word = 0; word < words; word++) {
      const place = binary(pool, "ADD", out, pool.constant(BigInt(word * 32)));
      store(state.memory, place, pool.make("RET", [result], BigInt(word)));
    }
    const step = { kind: "call", pc: state.pc, op: name, to, value, selector, input, result } as const;
    state.trace = after(state.trace, step);
    // The returned data is assumed to have the requested length, or one word, so that size checks pass.
    state.returned = isConst(outSize) && outSize.value > 0n ? outSize : pool.constant(32n);
    state.stack.push(result);
    return "next";
  };
}

/** Creates a new contract with an unknown address. */
const create =
  (count: number): MachineOperation =>
  (state) => {
    if (state.stack.length < count) return "fail";
    state.stack.splice(state.stack.length - count, count);
    state.stack.push(state.program.pool.make("CREATE", [], BigInt(state.pc)));
    return "next";
  };

export const calls: Readonly<Record<number, MachineOperation>> = {
  240: create(3),
  241: callOf("CALL", true),
  242: callOf("CALLCODE", true),
  244: callOf("DELEGATECALL", false),
  245: create(4),
  250: callOf("STATICCALL", false),
};
