import type { Node } from "./path.ts";

/** A set of nodes of one exploration: 1 at the id of each member. */
export type Nodes = Uint8Array;

/** The edges between the nodes of an exploration, as numbers. Large functions have tens of thousands of nodes. */
export interface Graph {
  readonly size: number;
  /** The parents of node n are from `first[n]` up to `first[n + 1]` in `parents`. */
  readonly first: Int32Array;
  readonly parents: Int32Array;
}

export function graphOf(nodes: readonly Node[]): Graph {
  const first = new Int32Array(nodes.length + 1);
  for (const { id, parents } of nodes) first[id + 1] = (first[id] ?? 0) + parents.length;
  const parents = new Int32Array(first[nodes.length] ?? 0);
  let at = 0;
  for (const node of nodes) for (const parent of node.parents) parents[at++] = parent.id;
  return { size: nodes.length, first, parents };
}

/** All nodes with a path to `targets` that avoids barred nodes, as 1 at their ids. The targets are included. */
export function leadingTo({ size, first, parents }: Graph, targets: Iterable<Node>, barred?: Nodes): Nodes {
  const found = new Uint8Array(size);
  const waiting: number[] = [];
  const reach = (id: number) => {
    if (found[id] === 1 || barred?.[id] === 1) return;
    found[id] = 1;
    waiting.push(id);
  };
  for (const { id } of targets) reach(id);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const end = first[id + 1] ?? 0;
    for (let at = first[id] ?? 0; at < end; at++) reach(parents[at] ?? 0);
  }
  return found;
}

/** The result of `leadingTo` for each of at most 31 sets of targets at once. Bit n of a node belongs to the nth set. */
export function leadingToEach({ size, first, parents }: Graph, sets: readonly Iterable<Node>[]): Int32Array {
  const found = new Int32Array(size);
  const waiting: number[] = [];
  const reach = (id: number, bits: number) => {
    const before = found[id] ?? 0;
    if ((before | bits) === before) return;
    found[id] = before | bits;
    waiting.push(id);
  };
  for (const [at, targets] of sets.entries()) for (const { id } of targets) reach(id, 1 << at);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const bits = found[id] ?? 0;
    const end = first[id + 1] ?? 0;
    for (let at = first[id] ?? 0; at < end; at++) reach(parents[at] ?? 0, bits);
  }
  return found;
}
