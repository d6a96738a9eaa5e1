import type { Node } from "../path.ts";
import type { FunctionFork } from "../view.ts";

/** How the places of one function lie to one another. */
export interface Ways {
  /** Whether some way from the node ends well without passing the instruction at `pc`. */
  readonly avoids: (node: Node, pc: number) => boolean;
  /** Whether some way from the node leads to the instruction at `pc`. */
  readonly reaches: (node: Node, pc: number) => boolean;
}

/** Answers for every node at once, and remembers them: large functions have thousands. */
export function waysOf(forks: readonly FunctionFork[]): Ways {
  const nodes = nodesOf(forks);
  const useful = forks[0]?.useful ?? (() => false);
  const ends = nodes.filter((node) => node.children.length === 0 && useful(node));
  const places = new Map<number, Node[]>();
  for (const node of nodes) places.set(node.pc, [...(places.get(node.pc) ?? []), node]);
  const avoiding = new Map<number, ReadonlySet<Node>>();
  const reaching = new Map<number, ReadonlySet<Node>>();
  return {
    avoids: (node, pc) =>
      remember(avoiding, pc, () => before(ends, (other) => other.pc !== pc && useful(other))).has(node),
    reaches: (node, pc) => remember(reaching, pc, () => before(places.get(pc) ?? [], () => true)).has(node),
  };
}

function remember<T>(known: Map<number, T>, key: number, make: () => T): T {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

/** All from which a way leads to `targets` through nodes that fit. */
function before(targets: readonly Node[], fits: (node: Node) => boolean): ReadonlySet<Node> {
  const found = new Set<Node>();
  const waiting = [...targets];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (found.has(node) || !fits(node)) continue;
    found.add(node);
    waiting.push(...node.parents);
  }
  return found;
}

function nodesOf(forks: readonly FunctionFork[]): readonly Node[] {
  const found = new Set<Node>();
  const waiting = forks.flatMap(({ fork }) => [fork.whenTrue, fork.whenFalse]);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    waiting.push(...node.children, ...node.parents);
  }
  return [...found];
}
