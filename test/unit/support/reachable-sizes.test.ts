import { expect, test } from "vitest";
import { reachableSizes } from "../../support/reachable-sizes.ts";

class Hidden {
  readonly #map = new Map([
    ["a", new Set([1, 2])],
    ["b", new Set([3])],
  ]);
  readonly tell: () => void;

  constructor(signal: AbortSignal) {
    const kept = [1, 2, 3];
    this.tell = () => {
      kept.push(this.#map.size);
    };
    signal.addEventListener("abort", this.tell);
  }
}

test("sizes are found in private fields, in variables of functions, and in the content of collections", () => {
  const { signal } = new AbortController();
  const sizes = reachableSizes({ hidden: new Hidden(signal), signal });

  expect(Object.fromEntries(sizes)).toEqual({
    "hidden.#map": 2,
    "hidden.#map[]": 3,
    "hidden.tell(kept)": 3,
    signal: 1,
  });
});
