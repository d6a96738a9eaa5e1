import { createPool, type Expr, type ExprPool, kind, mark } from "../machine/expr.ts";
import { copyMemory, emptyMemory, type Memory } from "../machine/memory.ts";
import { createResults, type Results } from "../machine/results.ts";
import type { Node, PathTrace, Retests } from "./path.ts";

/** The contract that is explored. */
export interface Program {
  readonly pool: ExprPool;
  readonly code: Uint8Array;
  readonly targets: ReadonlySet<number>;
  /** What the instructions that push a number carry, by their offset, as far as they were met. */
  readonly numbers: (Expr | undefined)[];
  /** What its operations on two words came to. */
  readonly results: Results;
}

/** A contract about to be explored. */
export const programOf = (code: Uint8Array, targets: ReadonlySet<number>): Program => ({
  pool: createPool(),
  code,
  targets,
  numbers: Array.from<Expr | undefined>({ length: code.length }),
  results: createResults(),
});

/** How a program is called. */
export interface Entry {
  /** First four bytes of the input. Undefined: there is no input. */
  readonly selector: number | undefined;
  /** Bytes of input. */
  readonly inputSize: number;
  /** Whether paths that checked the caller in different ways are followed apart, although they meet again. */
  readonly callerMatters: boolean;
  /** Whether paths that computed different values are followed apart; otherwise only those that hold other constants. */
  readonly exact: boolean;
  /** Whether what a path puts into memory counts, too: all that a view may answer. */
  readonly answers: boolean;
  /** Tests that are made more than once: paths that decided them differently are followed apart until they are no more. */
  readonly repeated: Retests;
  /** An ending that wrote nothing and called nobody is a failure. */
  readonly mustAct: boolean;
  /** Behind the code stand arguments of a constructor, which are not known, nor how many. */
  readonly argumentsFollow: boolean;
}

/** A path under way. Changed in place until it forks. */
export interface State {
  readonly program: Program;
  readonly entry: Entry;
  pc: number;
  readonly stack: Expr[];
  readonly memory: Memory;
  /** Storage words that this path wrote, by the id of their key. */
  storage: Map<number, Expr>;
  /** Whether another path has the same `storage`, which then is copied before it is written. */
  sharesStorage: boolean;
  node: Node;
  trace: PathTrace | undefined;
  /** Tells apart what paths did: writes, and checks of the caller. */
  digest: number;
  /** What decisions that may be asked for again added to the digest. */
  kept: readonly { readonly test: number; readonly adds: number }[];
  /** Tells apart the constants that they left in memory. */
  memoryDigest: number;
  /** Where memory that is handed out begins, once the program has said so. */
  heap: bigint | undefined;
  /** Size of what the last call returned. */
  returned: Expr;
  result: Expr | undefined;
  copied: { readonly from: number; readonly size: number } | undefined;
  /** Last copy of code into memory, until it is returned. */
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

/** A path that goes on as another does, up to where they part. */
export function copyState(state: State): State {
  state.sharesStorage = true;
  return { ...state, stack: state.stack.slice(), memory: copyMemory(state.memory) };
}

/** Two numbers as one of 32 bits, as the finalizer of MurmurHash3 spreads them. */
export function spread(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** Adds something done to a digest, in no order: paths that did the same in another order are alike. */
export const mix = (digest: number, done: number): number => (digest + done) >>> 0;

/** What taking a branch adds to the digest. */
export function digestOf(state: State, tested: Expr, truth: boolean): number {
  const counts = countsAlways(state, tested) || state.entry.repeated.places.has(tested.id);
  return counts ? spread(tested.id, truth ? 1 : 2) : 0;
}

/** Whether paths that decided a test differently stay apart to their ends. */
export const countsAlways = ({ entry }: State, tested: Expr): boolean =>
  entry.callerMatters && (tested.marks & mark.caller) !== 0;

/** What tells a place reached from the same place reached otherwise: 62 bits in two numbers, of which the lower is small. */
export interface ValueDigest {
  high: number;
  low: number;
}

/** Constants on the stack and in memory, and the digest; told in `to`, which is asked for at every place that is reached. */
export function valueDigest(state: State, to: ValueDigest): void {
  const { stack, entry } = state;
  const { exact } = entry;
  // In a transfer the receiver, or the amount, may have been replaced by another.
  const told = entry.mustAct ? kind.constant | kind.given : kind.constant;
  // Tests that wait on the stack to be branched on differ from path to path, although constants do not.
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
  // Both depend on all of it: of loops that write, thousands of rounds differ in nothing but the digest, which has 32 bits.
  to.high = spread(high, low) | 0;
  to.low = spread(low, high) >> 2;
}
