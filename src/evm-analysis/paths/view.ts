import { type Contract, selectors } from "../contract.ts";
import { type Guard, guardsOf } from "../findings/permission.ts";
import { fieldsWritten, isTransient, type StorageField, slotOf } from "../findings/slot.ts";
import type { Token } from "../findings/token.ts";
import type { Expr } from "../machine/expr.ts";
import type { Fork, Node, Step } from "./path.ts";
import { stepsOf } from "./path.ts";
import { type Sampler, samplerOf } from "./sample.ts";
import { usefulNodes } from "./useful.ts";

/** A successful path of a function, with the facts that rules use. */
export interface PathView {
  readonly selector: string;
  readonly steps: readonly Step[];
  readonly guards: readonly Guard[];
}

/** A variable that a function lets a privileged caller write. */
export interface OwnerWrite {
  readonly selector: string;
  readonly field: StorageField;
  readonly value: Expr;
  readonly path: PathView;
  readonly pc: number;
}

/** The input of the rules. */
export interface View {
  readonly contract: Contract;
  readonly token: Token;
  readonly paths: readonly PathView[];
  readonly ownerWrites: readonly OwnerWrite[];
  readonly sampler: Sampler;
  /** Names of slots that hold the length of an array. */
  readonly arrays: ReadonlySet<string>;
  /** Branches of the functions on the way to a sale, each with its function. */
  readonly forks: readonly FunctionFork[];
}

export interface FunctionFork {
  readonly selector: string;
  readonly fork: Fork;
  /** All nodes of the function. */
  readonly nodes: readonly Node[];
  /** Whether the function can still fulfil its purpose from a node. */
  readonly useful: (node: Node) => boolean;
}

export const movers: ReadonlySet<string> = new Set([selectors.transfer, selectors.transferFrom]);
/**
 * The functions that a sale needs. A sale takes tokens by `transferFrom`, so a holder that cannot approve cannot sell.
 */
export const waysToSell: ReadonlySet<string> = new Set([...movers, selectors.approve, selectors.increaseAllowance]);

const isSelf = (key: Expr) => key.op === "CALLER" || key.op === "ORIGIN";

/** Everything that a path changes, if only privileged callers can take it. */
function writesBy(path: PathView, token: Token): readonly OwnerWrite[] {
  // Every caller of a transfer writes storage. Only a check of identity marks a path of the owner there.
  const identity = path.guards.some(({ kind }) => kind !== "asked" && kind !== "role");
  if (path.guards.length === 0 || (movers.has(path.selector) && !identity)) return [];
  return changesIn(path).filter(({ field }) => !token.ordinary.has(field.name) && !field.keys.some(isSelf));
}

/** Cached per path. Every rule asks for the changes, and some rules ask for every test in a transfer. */
const changes = new WeakMap<PathView, readonly OwnerWrite[]>();

/** Every field that a path writes. For a word that is written more than once, the changes of each write. */
export function changesIn(path: PathView): readonly OwnerWrite[] {
  const found = changes.get(path) ?? foundIn(path);
  changes.set(path, found);
  return found;
}

function foundIn(path: PathView): readonly OwnerWrite[] {
  const { selector } = path;
  const found: OwnerWrite[] = [];
  const earlier = new Map<Expr, Expr>();
  for (const step of path.steps) {
    // A transient write sets nothing for later calls.
    if (step.kind !== "write" || isTransient(step.key)) continue;
    const { key, value, pc } = step;
    for (const field of fieldsWritten(key, value, earlier.get(key))) found.push({ selector, field, value, path, pc });
    earlier.set(key, value);
  }
  return found;
}

/** Prepares a token for the rules. */
export function viewOf(contract: Contract, token: Token): View {
  const paths: PathView[] = [];
  const forks: FunctionFork[] = [];
  for (const { selector, exploration } of contract.functions.values()) {
    for (const { trace } of exploration.endings) {
      const steps = stepsOf(trace);
      paths.push({ selector, steps, guards: guardsOf(steps, token.ordinary) });
    }
    if (!waysToSell.has(selector)) continue;
    const useful = usefulNodes(selector, exploration);
    for (const fork of exploration.forks) forks.push({ selector, fork, nodes: exploration.nodes, useful });
  }
  const fallbacks = contract.fallback.flatMap(({ endings }) => endings);
  for (const { trace } of fallbacks) {
    const steps = stepsOf(trace);
    if (steps.some(({ kind }) => kind === "write")) {
      paths.push({ selector: "fallback", steps, guards: guardsOf(steps, token.ordinary) });
    }
  }
  const ownerWrites = paths.flatMap((path) => writesBy(path, token));
  return {
    contract,
    token,
    paths,
    forks,
    ownerWrites,
    sampler: samplerOf(token.balanceLayout),
    arrays: arraysIn(paths),
  };
}

/** Slots with written elements. An array that elements are pushed to has a length. */
function arraysIn(paths: readonly PathView[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { steps } of paths) {
    for (const step of steps) {
      const name = step.kind === "write" ? slotOf(step.key).name : "";
      const at = name.indexOf("{}");
      if (at > 0) names.add(name.slice(0, at));
    }
  }
  return names;
}
