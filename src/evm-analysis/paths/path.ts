import type { Expr } from "../machine/expr.ts";

/** A place that was reached with relevant values. Nodes prune the exploration and show which places always fail. */
export interface Node {
  /** Index among the nodes of one exploration. */
  readonly id: number;
  readonly pc: number;
  readonly parents: Node[];
  /** Whether a path continues from here. */
  goesOn: boolean;
  /** Whether a path from here ends without reverting, or could not be followed to its end. */
  live: boolean;
}

/** Adds a node to the nodes of an exploration, as a child of another node. */
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

/** Marks that `node`, and every node that leads to it, may end well. */
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

/** A branch that a path took. `tested` is true (not zero) when `truth` is set. */
export interface Branch {
  readonly kind: "branch";
  readonly pc: number;
  readonly tested: Expr;
  readonly truth: boolean;
  readonly jumped: boolean;
  /** The place with its callers. It is equal in each round of a loop, and different in each call of a function. */
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

/** A call of another contract. `input` holds the words after the selector. */
export interface ContractCall {
  readonly kind: "call";
  readonly pc: number;
  readonly op: "CALL" | "CALLCODE" | "STATICCALL" | "DELEGATECALL";
  readonly to: Expr;
  readonly value: Expr | undefined;
  /** First four bytes of the input, when they are known. */
  readonly selector: number | undefined;
  readonly input: readonly Expr[];
  /** The success flag that was pushed on the stack. */
  readonly result: Expr;
}

export type Step = Branch | Write | ContractCall;

/** The steps of a path, last first. Paths that fork share their earlier steps. */
export interface PathTrace {
  readonly step: Step;
  readonly before: PathTrace | undefined;
  /** The number of earlier steps. */
  readonly depth: number;
}

export const after = (before: PathTrace | undefined, step: Step): PathTrace => ({
  step,
  before,
  depth: before === undefined ? 0 : before.depth + 1,
});

/** The steps of a trace in the order of execution. */
export function stepsOf(trace: PathTrace | undefined): readonly Step[] {
  const steps: Step[] = [];
  for (let at = trace; at !== undefined; at = at.before) steps.push(at.step);
  return steps.reverse();
}

/**
 * The steps of a trace that are not in `seen`, in order. They are added to `seen`. Shared steps come with the first
 * path that has them.
 */
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
  /** First returned word. For selfdestruct it is the address that receives the remaining coins. */
  readonly result: Expr | undefined;
  /** Place and size of the code that a constructor returned a copy of. */
  readonly copied: { readonly from: number; readonly size: number } | undefined;
}

/** A two-way branch on a path, with the path up to it. */
export interface Fork {
  readonly pc: number;
  readonly tested: Expr;
  readonly whenTrue: Node;
  readonly whenFalse: Node;
  readonly trace: PathTrace | undefined;
}

/** Tests that are repeated on a path. */
export interface Retests {
  /** By the id of the test: 1 at each place in the code from which the test can still be repeated. */
  readonly places: ReadonlyMap<number, Uint8Array>;
  /** Places for which `places` is complete. */
  readonly reached: ReadonlySet<number>;
}

export const noRetests: Retests = { places: new Map(), reached: new Set() };

/** The result of exploring one function. */
export interface Exploration {
  /** Nodes by their ids. */
  readonly nodes: readonly Node[];
  readonly endings: readonly PathEnding[];
  readonly forks: readonly Fork[];
  /** Places where a path repeated tests after it had decided them. */
  readonly repeated: ReadonlyMap<Expr, readonly Node[]>;
  /** Whether a bound cut off paths. Then unseen effects are unknown, not absent. */
  readonly truncated: boolean;
  readonly steps: number;
}
