import { instructions, jumpTargets, MAX_CODE_BYTES, opcode, toHex } from "./machine/code.ts";
import type { ExprPool } from "./machine/expr.ts";
import { type Bounds, explore } from "./paths/explore.ts";
import { type Exploration, noRetests, type PathEnding } from "./paths/path.ts";
import { retestsOf } from "./paths/retests.ts";
import { type Entry, programOf } from "./paths/state.ts";

/** A function as a decompiler sees it. */
export interface FunctionSignature {
  /** Eight hex digits. */
  readonly selector: string;
  /** Canonical argument types, separated by commas. Undefined when unknown. */
  readonly arguments: string | undefined;
}

/** Finds the functions of runtime code. An adapter provides it. It may throw on bytes that are no contract. */
export type ReadSignatures = (codeHex: string) => readonly FunctionSignature[];

/** A function with the result of its exploration. */
export interface ExploredFunction extends FunctionSignature {
  readonly exploration: Exploration;
}

/** The functions of a contract, each explored. */
export interface Contract {
  readonly code: Uint8Array;
  readonly pool: ExprPool;
  readonly functions: ReadonlyMap<string, ExploredFunction>;
  /** Functions that exist but have no successful path. */
  readonly failing: ReadonlySet<string>;
  /** The paths of a call with an unknown selector, and of a call without input. */
  readonly fallback: readonly Exploration[];
  /** Offsets of instructions that matter at any place in the code. */
  readonly offsets: { readonly selfdestruct: readonly number[]; readonly delegatecall: readonly number[] };
  /** Whether a function could not be followed to all its ends. */
  readonly truncated: boolean;
}

/** Selectors that the analysis needs. They are explored even when the dispatcher hides them from the decompiler. */
export const selectors = {
  transfer: "a9059cbb",
  transferFrom: "23b872dd",
  balanceOf: "70a08231",
  totalSupply: "18160ddd",
  allowance: "dd62ed3e",
  approve: "095ea7b3",
  increaseAllowance: "39509351",
  owner: "8da5cb5b",
  getOwner: "893d20e8",
  renounceOwnership: "715018a6",
  name: "06fdde03",
  symbol: "95d89b41",
  decimals: "313ce567",
} as const;

/** Bounds for the functions that move tokens, which matter most. */
const wide: Bounds = { steps: 400_000, endings: 1_000, visits: 4_000 };
const narrow: Bounds = { steps: 30_000, endings: 200, visits: 400 };
/** Bounds for a second look at the other functions, within the steps that are left after the first look. */
const secondLook: Bounds = { steps: 300_000, endings: 1_000, visits: 4_000 };
/** Steps and expressions for a whole contract. An expression takes about 200 bytes. */
const ALL_STEPS = 1_500_000;
const ALL_EXPRESSIONS = 600_000;
const MAX_FUNCTIONS = 300;
const LARGE_INPUT = 4 + 32 * 32;

/** Functions for which every answer is needed. */
const views: ReadonlySet<number> = new Set(
  [selectors.balanceOf, selectors.totalSupply, selectors.allowance, selectors.owner, selectors.getOwner].map(
    (selector) => Number.parseInt(selector, 16),
  ),
);

const isDynamic = (types = "") => /\[|\(|bytes(?!\d)|string/.test(types);

/** Bytes of input for a function with these arguments. A dynamic type gets a generous size. */
function inputSize(types: string | undefined): number {
  if (types === undefined || isDynamic(types)) return LARGE_INPUT;
  return 4 + 32 * (types === "" ? 0 : types.split(",").length);
}

const standardTypes: Readonly<Record<string, string>> = {
  [selectors.transfer]: "address,uint256",
  [selectors.transferFrom]: "address,address,uint256",
  [selectors.balanceOf]: "address",
  [selectors.totalSupply]: "",
  [selectors.allowance]: "address,address",
  [selectors.approve]: "address,uint256",
  [selectors.owner]: "",
};

/**
 * A possible function. `seen` means that a decompiler found it; otherwise its selector only occurs in the code, for
 * example where it is called.
 */
interface Candidate extends FunctionSignature {
  readonly seen: boolean;
}

/** The possible functions, standard ones first, so that a large contract spends its steps on them. */
function signaturesOf(code: Uint8Array, read: ReadSignatures): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const hex = toHex(code);
  for (const selector of Object.keys(standardTypes)) {
    if (hex.includes(`63${selector}`))
      found.set(selector, { selector, arguments: standardTypes[selector], seen: false });
  }
  for (const signature of read(hex)) {
    const types = standardTypes[signature.selector] ?? signature.arguments;
    found.set(signature.selector, { ...signature, arguments: types, seen: true });
  }
  return [...found.values()].slice(0, MAX_FUNCTIONS);
}

/**
 * Explores the functions of runtime code. `alive` is called at intervals. When it returns false, the remaining
 * functions are not explored and the result is marked truncated.
 */
export function readContract(code: Uint8Array, read: ReadSignatures, alive: () => boolean): Contract {
  const program = programOf(code.subarray(0, MAX_CODE_BYTES), jumpTargets(code));
  const { pool } = program;
  let left = ALL_STEPS;
  const once = (entry: Entry, bounds: Bounds) => {
    const fits = () => pool.size() < ALL_EXPRESSIONS && alive();
    const exploration = explore(program, entry, { ...bounds, steps: fits() ? Math.min(bounds.steps, left) : 0 }, fits);
    left -= Math.min(left, exploration.steps);
    return exploration;
  };
  const run = (selector: number | undefined, size: number, bounds = narrow) => {
    const base = {
      selector,
      inputSize: size,
      repeated: noRetests,
      answers: selector !== undefined && views.has(selector),
      argumentsFollow: false,
    };
    const exact = once({ ...base, callerMatters: true, exact: true, mustAct: false }, bounds);
    if (!exact.truncated) return exact;
    const rough = once({ ...base, callerMatters: true, exact: false, mustAct: false }, bounds);
    return rough.truncated ? exact : rough;
  };
  /** Types are inferred. A larger input is harmless, except where the code checks for an exact size. */
  const runAny = (selector: number, size: number, bounds = narrow) => {
    const roomy = run(selector, LARGE_INPUT, bounds);
    return roomy.endings.length > 0 || roomy.truncated || size === LARGE_INPUT ? roomy : run(selector, size, bounds);
  };
  /** Two runs: the first run finds the repeated tests, which the second run has to remember. */
  const runMover = (selector: number, callerMatters: boolean) => {
    const size = inputSize(standardTypes[selector.toString(16).padStart(8, "0")]);
    const roles = { callerMatters, exact: false, answers: false, mustAct: true, argumentsFollow: false };
    const entry = { selector, inputSize: size, ...roles };
    const first = once({ ...entry, repeated: noRetests }, wide);
    const second = once({ ...entry, repeated: retestsOf(program, first) }, wide);
    return second.endings.length >= first.endings.length ? second : first;
  };
  const functions = new Map<string, ExploredFunction>();
  const failing = new Set<string>();
  let unread = false;
  const isMover = (selector: string) => selector === selectors.transfer || selector === selectors.transferFrom;
  for (const { seen, ...signature } of signaturesOf(code, read)) {
    const { selector } = signature;
    const number = Number.parseInt(selector, 16);
    const exploration = isMover(selector)
      ? runMover(number, selector === selectors.transferFrom)
      : runAny(number, inputSize(signature.arguments));
    // A missing function ends in the fallback. A function that always reverts counts as missing.
    if (exploration.endings.length > 0 || exploration.truncated) functions.set(selector, { ...signature, exploration });
    else if (seen || isMover(selector)) failing.add(selector);
    // The layout of nested lists does not always match the layout that the function expects.
    if (failing.has(selector) && isDynamic(signature.arguments)) unread = true;
  }
  const fallback = [run(NO_SUCH, LARGE_INPUT), run(undefined, 0)];
  // The bound covers all functions together. A contract with many loops would otherwise take seconds.
  left = Math.min(left, secondLook.steps);
  for (const cut of functions.values()) {
    if (!cut.exploration.truncated || isMover(cut.selector)) continue;
    const again = runAny(Number.parseInt(cut.selector, 16), inputSize(cut.arguments), secondLook);
    if (again.truncated) continue;
    functions.set(cut.selector, { ...cut, exploration: again });
    if (again.endings.length === 0) failing.add(cut.selector);
  }
  const explored = [...functions.values()].map(({ exploration }) => exploration);
  const truncated = unread || [...explored, ...fallback].some((each) => each.truncated);
  return { code, pool, functions, failing, fallback, offsets: offsetsOf(code), truncated };
}

/** A selector that no function has, so that the fallback answers. */
const NO_SUCH = 0xfffffffe;

function offsetsOf(code: Uint8Array): Contract["offsets"] {
  const selfdestruct: number[] = [];
  const delegatecall: number[] = [];
  for (const [offset, op] of instructions(code)) {
    if (op === opcode.selfdestruct) selfdestruct.push(offset);
    else if (op === opcode.delegatecall || op === opcode.callcode) delegatecall.push(offset);
  }
  return { selfdestruct, delegatecall };
}

/** The endings of a function. Empty when the function is missing. */
export function endingsOf(contract: Contract, selector: string): readonly PathEnding[] {
  return contract.functions.get(selector)?.exploration.endings ?? [];
}
