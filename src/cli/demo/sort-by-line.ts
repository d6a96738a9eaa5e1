import type { Verdict } from "../../messages/verdict.ts";

/** Verdicts of a file that come in any order, and go on in that of its lines. */
export interface SortByLine<V> {
  take(verdict: V): void;
  /** Shows the verdicts that still wait for an earlier line. */
  rest(): void;
}

/** Gives each verdict to `show` as soon as those of all lines before it were given. */
export function sortByLine<V extends Pick<Verdict, "source">>(show: (verdict: V) => void): SortByLine<V> {
  const waiting = new Map<number, V>();
  let next = 1;
  return {
    take(verdict) {
      waiting.set(lineOf(verdict), verdict);
      for (let first = waiting.get(next); first !== undefined; first = waiting.get(next)) {
        waiting.delete(next++);
        show(first);
      }
    },
    rest() {
      for (const [, verdict] of [...waiting].sort(([a], [b]) => a - b)) show(verdict);
      waiting.clear();
    },
  };
}

function lineOf({ source }: Pick<Verdict, "source">): number {
  return "line" in source && typeof source.line === "number" ? source.line : 0;
}
