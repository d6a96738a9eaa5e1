import { createPool, type Expr, type ExprPool, kind, mark } from "../machine/expr.ts";
import { copyMemory, emptyMemory, type Memory } from "../machine/memory.ts";
import { createResults, type Results } from "../machine/results.ts";
import type { Node, PathTrace, Retests } from "./path.ts";

/** The contract that is explored. */
export interface Program {
  readonly pool: ExprPool;
  readonly code: Uint8Array;
  readonly targets: ReadonlySet<number>;
  /** The numbers that PUSH instructions carry, by offset, as far as they were met. */
  readonly numbers: (Expr | undefined)[];
  /** The results of operations on two words. */
  readonly results: Results;
}

/** A contract that is ready for exploration. */
export const programOf = (code: Uint8Array, targets: ReadonlySet<number>): Program => ({
  pool: createPool(),
  code,
  targets,
  numbers: Array.from<Expr | undefined>({ length: code.length }),
  results: createResults(),
});

/** The call that an exploration starts with. */
export interface Entry {
  /** First four bytes of the input. Undefined means no input. */
  readonly selector: number | undefined;
  /** Bytes of input. */
  readonly inputSize: number;
  /** Whether paths with different checks of the caller stay separate although they meet again. */
  readonly callerMatters: boolean;
  /** Whether paths with different computed values stay separate. Otherwise only different constants separate them. */
  readonly exact: boolean;
  /** Whether the contents of memory count too. All possible answers of a view depend on them. */
  readonly answers: boolean;
  /** Repeated tests. Paths with different decisions stay separate as long as the test can be repeated. */
  readonly repeated: Retests;
  /** Whether an ending without a write and without a call is a failure. */
  readonly mustAct: boolean;
  /** Whether an unknown number of unknown constructor arguments follows the code. */
  readonly argumentsFollow: boolean;
}

/** The state of a running path. It is changed in place until the path forks. */
export interface State {
  readonly program: Program;
  readonly entry: Entry;
  pc: number;
  readonly stack: Expr[];
  readonly memory: Memory;
  /** Storage words that the path wrote, by the id of their key. */
  storage: Map<number, Expr>;
  /** Whether another path shares `storage`. A shared map is copied before a write. */
  sharesStorage: boolean;
  node: Node;
  trace: PathTrace | undefined;
  /** Distinguishes paths by their writes and their checks of the caller. */
  digest: number;
  /** Contributions to the digest by decisions that may be repeated. */
  kept: readonly { readonly test: number; readonly adds: number }[];
  /** Distinguishes paths by the constants in memory. */
  memoryDigest: number;
  /** The start of allocated memory, once the program has set it. */
  heap: bigint | undefined;
  /** Size of the data that the last call returned. */
  returned: Expr;
  result: Expr | undefined;
  copied: { readonly from: number; readonly size: number } | undefined;
  /** The last copy of code into memory, until it is returned. */
  codeInMemory: { readonly at: Expr; readonly from: number; readonly size: number } | undefined;
}

export function startState(program: Program, entry: Entry, node: Node): State {
  return {
    program,
    entry,
    pc: 0,
    stack: [],
    memory: emptyMemory(),
    storage: new Map(),
    sharesStorage: false,
    node,
    trace: undefined,
    digest: 0,
    kept: [],
    memoryDigest: 0,
    heap: undefined,
    returned: program.pool.constant(0n),
    result: undefined,
    copied: undefined,
    codeInMemory: undefined,
  };
}

/** Copies the state for a path that forks. */
export function copyState(state: State): State {
  state.sharesStorage = true;
  return { ...state, stack: state.stack.slice(), memory: copyMemory(state.memory) };
}

/** Combines two numbers to one of 32 bits with the finalizer of MurmurHash3. */
export function spread(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** Adds an action to a digest. The order does not matter: paths with equal actions in another order are alike. */
export const mix = (digest: number, done: number): number => (digest + done) >>> 0;

/** The contribution of a branch to the digest. */
export function digestOf(state: State, tested: Expr, truth: boolean): number {
  const counts = countsAlways(state, tested) || state.entry.repeated.places.has(tested.id);
  return counts ? spread(tested.id, truth ? 1 : 2) : 0;
}

/** Whether paths with different decisions of a test stay separate to their ends. */
export const countsAlways = ({ entry }: State, tested: Expr): boolean =>
  entry.callerMatters && (tested.marks & mark.caller) !== 0;

/** Distinguishes the states in which one place is reached: 62 bits in two numbers, the lower one a small integer. */
export interface ValueDigest {
  high: number;
  low: number;
}

/**
 * Writes the digest of the stack's and memory's constants and of the path to `to`. A shared object saves an allocation
 * at every place.
 */
export function valueDigest(state: State, to: ValueDigest): void {
  const { stack, entry } = state;
  const { exact } = entry;
  // In a transfer, the receiver or the amount may have been replaced.
  const told = entry.mustAct ? kind.constant | kind.given : kind.constant;
  // Tests that wait on the stack for a branch differ between paths although constants do not.
  const toldOnTop = told | kind.test;
  const waiting = stack.length - 4;
  let high = spread(state.pc, stack.length);
  let low = spread(state.digest, state.memoryDigest);
  for (let at = 0; at < stack.length; at++) {
    const value = stack[at];
    if (value === undefined || !(exact || (value.kind & (at < waiting ? told : toldOnTop)) !== 0)) continue;
    high = spread(high ^ at, value.id);
    low = (low + Math.imul(high, 31)) >>> 0;
  }
  // Both halves depend on all input. The 32 bits of the digest alone distinguish thousands of rounds of a loop that
  // writes.
  to.high = spread(high, low) | 0;
  to.low = spread(low, high) >> 2;
}
