import type { Contract } from "../contract.ts";
import { type Exploration, type PathTrace, stepsOf } from "./path.ts";

/** Offsets of the branches on the path to a place, in order. A reader of the report follows them in the code. */
export type Way = readonly number[];

/** The most branches that are reported. Of a longer path only the end is reported. */
const MAX_BRANCHES = 64;

/** The first observed path to each place of a contract. A path of the function itself is preferred. */
export function waysOf({ functions, fallback }: Contract) {
  const all = new Map<string, ReadonlyMap<number, PathTrace | undefined>>();
  const placesOf = (name: string, explorations: readonly Exploration[]) => {
    const known = all.get(name) ?? placesIn(explorations);
    all.set(name, known);
    return known;
  };

  /** @returns undefined for a place on no path, for example data. */
  return (offset: number, selector: string | undefined): Way | undefined => {
    const own = selector === undefined ? undefined : functions.get(selector);
    const others = [...functions.values()].filter((one) => one !== own);
    for (const { selector: name, exploration } of own === undefined ? others : [own, ...others]) {
      const places = placesOf(name, [exploration]);
      if (places.has(offset)) return branchesOf(places.get(offset));
    }
    const places = placesOf("", fallback);
    return places.has(offset) ? branchesOf(places.get(offset)) : undefined;
  };
}

/** The trace before each step, branch and end of the given paths. */
function placesIn(explorations: readonly Exploration[]): ReadonlyMap<number, PathTrace | undefined> {
  const places = new Map<number, PathTrace | undefined>();
  const seen = new Set<PathTrace>();
  const note = (pc: number, before: PathTrace | undefined) => {
    if (!places.has(pc)) places.set(pc, before);
  };
  for (const { endings, forks } of explorations) {
    for (const { pc, trace } of [...forks, ...endings]) {
      note(pc, trace);
      // Shared steps were visited with the first path that has them.
      for (let at = trace; at !== undefined && !seen.has(at); at = at.before) {
        seen.add(at);
        note(at.step.pc, at.before);
      }
    }
  }
  return places;
}

function branchesOf(trace: PathTrace | undefined): Way {
  const branches = stepsOf(trace).filter(({ kind }) => kind === "branch");
  return branches.slice(-MAX_BRANCHES).map(({ pc }) => pc);
}
