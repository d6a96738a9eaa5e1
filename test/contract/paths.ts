/** The position of a value inside a request. */
export type Path = readonly (string | number)[];

/** The paths of all objects in `value`, the outermost first. */
export function objectPaths(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Array.isArray(value)
    ? value.flatMap((item, i) => objectPaths(item, [...path, i]))
    : Object.entries(value).flatMap(([name, item]) => objectPaths(item, [...path, name]));
  return Array.isArray(value) ? inner : [path, ...inner];
}

/** A copy of `value` in which `change` maps the members of the object at `path`. */
export function changedAt(
  value: unknown,
  path: Path,
  change: (members: readonly [string, unknown][]) => readonly (readonly [string, unknown])[],
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return Object.fromEntries(change(Object.entries(Object(value))));
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? changedAt(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, item]) => [name, name === step ? changedAt(item, rest, change) : item]),
  );
}

/** `["a", 0, "b"]` as `a[0].b`. */
export function shown(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
