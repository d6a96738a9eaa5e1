import type { Node } from "./path.ts";

/** One place in the code, with all states in which it was entered. */
export interface Arrivals {
  /** How often the place was entered with different values. */
  visits: number;
  /** The nodes of the place. */
  readonly nodes: Node[];
  /** The nodes by the digest of the values at the place. */
  readonly seen: VisitedNodes;
}

/** Nodes by a digest in two halves. */
export interface VisitedNodes {
  get(high: number, low: number): Node | undefined;
  add(high: number, low: number, node: Node): void;
}

export const noArrivals = (): Arrivals => ({ visits: 0, nodes: [], seen: createSeen() });

/** A list of nodes when digests agree in the lower half. */
interface Entry {
  readonly high: number;
  readonly node: Node;
  readonly next: Entry | undefined;
}

/** Keys are small integers. Larger integers are heap objects, and would cost more than all other work here. */
function createSeen(): VisitedNodes {
  const byLow = new Map<number, Entry>();
  return {
    get(high, low) {
      let entry = byLow.get(low);
      while (entry !== undefined && entry.high !== high) entry = entry.next;
      return entry?.node;
    },
    add(high, low, node) {
      byLow.set(low, { high, node, next: byLow.get(low) });
    },
  };
}
