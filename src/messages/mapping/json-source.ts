import { isRawNumber } from "../../kernel/json.ts";

/** The steps of a JSON pointer. A plain name is one step. Source: RFC 6901. */
export function stepsOf(source: string): readonly string[] {
  if (!source.startsWith("/")) return [source];
  return source
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The values at a path. The step * stands for each item of a list. */
export function valuesAt(value: unknown, steps: readonly string[], from = 0): readonly unknown[] {
  if (from === steps.length) return value === undefined || value === null ? [] : [value];
  if (typeof value !== "object" || value === null || isRawNumber(value)) return [];
  const step = steps[from] ?? "";
  if (Array.isArray(value)) {
    if (step === "*") return value.flatMap((item) => valuesAt(item, steps, from + 1));
    return /^\d+$/.test(step) ? valuesAt(value[Number(step)], steps, from + 1) : [];
  }
  return Object.hasOwn(value, step) ? valuesAt(Reflect.get(value, step), steps, from + 1) : [];
}

/** Paths as a tree: a leaf ends a path. */
interface PathTree {
  readonly members: Map<string, PathTree>;
  isLeaf: boolean;
}

/** Compiles the removal of some paths from a value. What is left was not read. */
export function without(paths: readonly (readonly string[])[]): (value: object) => Record<string, unknown> {
  const root: PathTree = { members: new Map(), isLeaf: false };
  for (const steps of paths) {
    let tree = root;
    for (const step of steps) {
      const next = tree.members.get(step) ?? { members: new Map(), isLeaf: false };
      tree.members.set(step, next);
      tree = next;
    }
    tree.isLeaf = true;
  }
  return (value) => Object.fromEntries(leftIn(value, root));
}

function leftIn(value: object, tree: PathTree): readonly (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const below = tree.members.get(name) ?? tree.members.get("*");
    if (below === undefined) return [[name, member] as const];
    if (below.isLeaf) return [];
    if (typeof member !== "object" || member === null || isRawNumber(member)) return [[name, member] as const];
    const left = Array.isArray(member)
      ? leftIn(member, below).map(([, item]) => item)
      : Object.fromEntries(leftIn(member, below));
    return [[name, left] as const];
  });
}

/** The pointers to the values of a record, the deepest included. Lists are left out. */
export function pointersIn(value: object, above = ""): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const pointer = `${above}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof member !== "object" || member === null || isRawNumber(member)) return [pointer];
    return Array.isArray(member) ? [] : pointersIn(member, pointer);
  });
}
