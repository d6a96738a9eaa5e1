/** How long a node that fails is asked last, milliseconds: at first, and at most; each failure in a row doubles it. */
export interface RestTimes {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Which of several nodes of one chain is asked next. No clock of its own: `now` is monotonic milliseconds. */
export interface EndpointRotation<N> {
  /** All of them, in the order in which to ask: those that work as configured, then those that rest, soonest first. */
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

/** A rota over nodes that are all fresh. */
export function createRotation<N>(nodes: readonly N[], { firstMs, longestMs }: RestTimes): EndpointRotation<N> {
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
