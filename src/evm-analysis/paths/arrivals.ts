import type { Node } from "./path.ts";

/** One place in the code, with every way in which it was entered. */
export interface Arrivals {
  /** How often it was entered with values that differ. */
  visits: number;
  /** The nodes made for it. */
  readonly nodes: Node[];
  /** Those nodes by the digest of what was known there. */
  readonly seen: VisitedNodes;
}

/** Nodes by a digest in two halves. */
export interface VisitedNodes {
  get(high: number, low: number): Node | undefined;
  add(high: number, low: number, node: Node): void;
}

export const noArrivals = (): Arrivals => ({ visits: 0, nodes: [], seen: createSeen() });

/** Of nodes whose digests agree in the lower half, a list. */
interface Entry {
  readonly high: number;
  readonly node: Node;
  readonly next: Entry | undefined;
}

/** Keyed by small whole numbers: larger ones are objects, which cost more than all else that is done here. */
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
