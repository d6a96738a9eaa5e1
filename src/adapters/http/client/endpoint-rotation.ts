/**
 * How long a failed node comes last in the order, milliseconds: at first, and at most. Each failure in a row doubles
 * the time.
 */
export interface Rests {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The order in which several nodes of one chain are called. It has no clock: `now` is monotonic milliseconds. */
export interface Rota<N> {
  /**
   * All nodes in the order of preference: working nodes as configured, then resting nodes, the soonest to return first.
   */
  order(now: number): readonly N[];
  worked(node: N): void;
  /** Lets the node rest, and for `askedMs` at least, where the node or its failure requests a rest. */
  failed(node: N, now: number, askedMs?: number): void;
}

interface Standing {
  failures: number;
  /** The node is called before this time only when no other node is left. */
  restsUntil: number;
}

/** A rotation over nodes of which none rests yet. */
export function createRota<N>(nodes: readonly N[], { firstMs, longestMs }: Rests): Rota<N> {
  const standings = new Map<N, Standing>(
    nodes.map((node) => [node, { failures: 0, restsUntil: Number.NEGATIVE_INFINITY }]),
  );
  const of = (node: N): Standing => {
    const standing = standings.get(node);
    if (standing === undefined) throw new Error("a node of another rota");
    return standing;
  };
  return {
    order(now) {
      const rests = (node: N) => Math.max(0, of(node).restsUntil - now);
      return nodes.toSorted((a, b) => rests(a) - rests(b));
    },
    worked(node) {
      Object.assign(of(node), { failures: 0, restsUntil: Number.NEGATIVE_INFINITY });
    },
    failed(node, now, askedMs = 0) {
      const standing = of(node);
      const restMs = Math.min(longestMs, firstMs * 2 ** standing.failures);
      standing.failures++;
      standing.restsUntil = now + Math.max(restMs, askedMs);
    },
  };
}
