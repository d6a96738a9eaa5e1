import type { Expr } from "../machine/expr.ts";

/** A place that was reached with values that matter; how exploration is pruned and what fails for certain. */
export interface Node {
  /** Its place among the nodes of one exploration. */
  readonly id: number;
  readonly pc: number;
  readonly parents: Node[];
  /** Whether some way goes on from here. */
  goesOn: boolean;
  /** Some way from here ends without reverting, or could not be followed to its end. */
  live: boolean;
}

/** Adds a node to those of an exploration, behind another. */
export function addNode(nodes: Node[], pc: number, parent?: Node): Node {
  const node: Node = {
    id: nodes.length,
    pc,
    parents: parent === undefined ? [] : [parent],
    goesOn: false,
    live: false,
  };
  if (parent !== undefined) parent.goesOn = true;
  nodes.push(node);
  return node;
}

/** Says that `node`, and so whatever leads to it, may end well. */
export function markLive(node: Node): void {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.live) continue;
    next.live = true;
    waiting.push(...next.parents);
  }
}

export function link(parent: Node, child: Node): void {
  parent.goesOn = true;
  child.parents.push(parent);
  if (child.live) markLive(parent);
}

/** A branch that was taken: `tested` is true (not zero) when `truth`. */
export interface Branch {
  readonly kind: "branch";
  readonly pc: number;
  readonly tested: Expr;
  readonly truth: boolean;
  readonly jumped: boolean;
  /** Tells the place with what called it: the same in each round of a loop, another in each call of a function. */
  readonly context: number;
  readonly taken: Node;
  readonly other: Node;
}

/** A storage word that was written. */
export interface Write {
  readonly kind: "write";
  readonly pc: number;
  readonly key: Expr;
  readonly value: Expr;
}

/** A call of another contract. `input` are the words after the selector. */
export interface ContractCall {
  readonly kind: "call";
  readonly pc: number;
  readonly op: "CALL" | "CALLCODE" | "STATICCALL" | "DELEGATECALL";
  readonly to: Expr;
  readonly value: Expr | undefined;
  /** First four bytes of the input, when they are known. */
  readonly selector: number | undefined;
  readonly input: readonly Expr[];
  /** The success flag as it went on the stack. */
  readonly result: Expr;
}

export type Step = Branch | Write | ContractCall;

/** What happened on the way, last first; paths that fork share what came before. */
export interface PathTrace {
  readonly step: Step;
  readonly before: PathTrace | undefined;
  /** How many came before. */
  readonly depth: number;
}

export const after = (before: PathTrace | undefined, step: Step): PathTrace => ({
  step,
  before,
  depth: before === undefined ? 0 : before.depth + 1,
});

/** The steps of a trace in the order they happened. */
export function stepsOf(trace: PathTrace | undefined): readonly Step[] {
  const steps: Step[] = [];
  for (let at = trace; at !== undefined; at = at.before) steps.push(at.step);
  return steps.reverse();
}

/** Of a trace the steps that are not in `seen`, in order, which then are: what paths share comes with the first of them. */
export function newStepsOf(trace: PathTrace | undefined, seen: Set<PathTrace>): readonly Step[] {
  const steps: Step[] = [];
  for (let at = trace; at !== undefined && !seen.has(at); at = at.before) {
    seen.add(at);
    steps.push(at.step);
  }
  return steps.reverse();
}

/** The end of a path that did not revert. */
export interface PathEnding {
  readonly how: "stop" | "return" | "selfdestruct";
  readonly pc: number;
  readonly trace: PathTrace | undefined;
  readonly node: Node;
  /** First word that was returned; for selfdestruct who gets the rest. */
  readonly result: Expr | undefined;
  /** Place in the code that a constructor returned a copy of, and its size. */
  readonly copied: { readonly from: number; readonly size: number } | undefined;
}

/** Two-way branch met on some path, with the path up to it. */
export interface Fork {
  readonly pc: number;
  readonly tested: Expr;
  readonly whenTrue: Node;
  readonly whenFalse: Node;
  readonly trace: PathTrace | undefined;
}

/** Tests that are made more than once on some path. */
export interface Retests {
  /** By the id of the test: 1 at each place in the code from which it can still be made again. */
  readonly places: ReadonlyMap<number, Uint8Array>;
  /** Places about which `places` is complete. */
  readonly reached: ReadonlySet<number>;
}

export const noRetests: Retests = { places: new Map(), reached: new Set() };

/** All that was seen of one function. */
export interface Exploration {
  /** By their ids. */
  readonly nodes: readonly Node[];
  readonly endings: readonly PathEnding[];
  readonly forks: readonly Fork[];
  /** Where some path made tests again after it had decided them. */
  readonly repeated: ReadonlyMap<Expr, readonly Node[]>;
  /** A bound cut some paths off: what was not seen is unknown, not absent. */
  readonly truncated: boolean;
  readonly steps: number;
}
