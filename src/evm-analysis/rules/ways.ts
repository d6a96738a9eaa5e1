import type { Node } from "../paths/path.ts";
import { graphOf, leadingTo, type Nodes } from "../paths/reach.ts";

/** How the places of one function are connected. */
export interface Ways {
  /** The nodes from which a path ends well without the instruction at `pc`. */
  readonly avoiding: (pc: number) => Nodes;
  /** Whether a path from the node leads to the instruction at `pc`. */
  readonly reaches: (node: Node, pc: number) => boolean;
}

/** Computes answers for all nodes at once and caches them. Large functions have thousands of nodes. */
export function waysOf(nodes: readonly Node[], useful: (node: Node) => boolean): Ways {
  const graph = graphOf(nodes);
  const ends = nodes.filter((node) => !node.goesOn && useful(node));
  const places = Map.groupBy(nodes, ({ pc }) => pc);
  const failing = new Uint8Array(nodes.length);
  for (const node of nodes) if (!useful(node)) failing[node.id] = 1;
  const avoiding = new Map<number, Nodes>();
  const reaching = new Map<number, Nodes>();
  const avoid = (pc: number) => {
    const barred = failing.slice();
    for (const { id } of places.get(pc) ?? []) barred[id] = 1;
    return leadingTo(graph, ends, barred);
  };
  const reach = (pc: number) => leadingTo(graph, places.get(pc) ?? []);
  return {
    avoiding: (pc) => remember(avoiding, pc, avoid),
    reaches: (node, pc) => remember(reaching, pc, reach)[node.id] === 1,
  };
}

function remember(known: Map<number, Nodes>, pc: number, make: (pc: number) => Nodes): Nodes {
  let found = known.get(pc);
  if (found === undefined) {
    found = make(pc);
    known.set(pc, found);
  }
  return found;
}
