import { z } from "zod";

/**
 * Both spellings of request fields. The interface accepts every field name in camelCase and in snake_case, plus a few
 * named aliases. The names are converted to the documented spelling once, before the schema sees the request. The
 * conversion is derived from the schema, so a new field needs nothing more.
 */

/** Further names of a field, beyond its other spelling. Attach with `field.register(alsoKnownAs, { names: [...] })`. */
export const fieldAliases = z.registry<{ readonly names: readonly string[] }>();

/** One field under two names with different values. The intended value is unknown. */
export interface Clash {
  readonly path: readonly (string | number)[];
  readonly names: readonly [string, string];
}

type Path = readonly (string | number)[];
type Respell = (value: unknown, path: Path, clashes: Clash[]) => unknown;

/**
 * Compiles the function that converts a request to the documented spelling. The input is never changed, only copied
 * where needed.
 */
export function spellingOf(
  schema: z.ZodType,
): (input: unknown) => { readonly value: unknown; readonly clashes: Clash[] } {
  const respell = compile(schema);
  return (input) => {
    const clashes: Clash[] = [];
    return { value: respell?.(input, [], clashes) ?? input, clashes };
  };
}

function compile(schema: z.ZodType): Respell | undefined {
  if (schema instanceof z.ZodObject) return compileObject(schema);
  if (schema instanceof z.ZodArray) return compileArray(schema);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return compile(schema.unwrap() as z.ZodType);
  return undefined;
}

function compileArray(schema: z.ZodArray): Respell | undefined {
  const element = compile(schema.element as z.ZodType);
  if (element === undefined) return undefined;
  return (value, path, clashes) =>
    Array.isArray(value) ? value.map((item, index) => element(item, [...path, index], clashes)) : value;
}

function compileObject(schema: z.ZodObject): Respell {
  const fieldByName = new Map<string, string>();
  const inner = new Map<string, Respell>();
  const omittable = new Set<string>();
  for (const [field, fieldSchema] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    for (const name of [snakeCase(field), camelCase(field), ...namesOf(fieldSchema)]) {
      if (name !== field) fieldByName.set(name, field);
    }
    const respell = compile(fieldSchema);
    if (respell !== undefined) inner.set(field, respell);
    if (isOmittable(fieldSchema)) omittable.add(field);
  }
  return (value, path, clashes) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const given = withoutNulls(value as Record<string, unknown>, (name) =>
      omittable.has(fieldByName.get(name) ?? name),
    );
    const renamed = rename(given, fieldByName, path, clashes);
    if (inner.size === 0) return renamed;
    const copy = { ...renamed };
    for (const [field, respell] of inner) {
      if (Object.hasOwn(copy, field)) copy[field] = respell(copy[field], [...path, field], clashes);
    }
    return copy;
  };
}

function rename(
  value: Record<string, unknown>,
  fieldByName: ReadonlyMap<string, string>,
  path: Path,
  clashes: Clash[],
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const field = fieldByName.get(name);
    if (field === undefined) continue;
    copy ??= { ...value };
    delete copy[name];
    if (!Object.hasOwn(copy, field)) copy[field] = value[name];
    else if (JSON.stringify(copy[field]) !== JSON.stringify(value[name])) {
      const isOther = (other: string) => other !== name && fieldByName.get(other) === field;
      const first = Object.hasOwn(value, field) ? field : (Object.keys(value).find(isOther) ?? field);
      clashes.push({ path: [...path, field], names: [first, name] });
    }
  }
  return copy ?? value;
}

/** Many clients write null for a field that they leave out. For an optional field, null means absent. */
function withoutNulls(value: Record<string, unknown>, mayOmit: (name: string) => boolean): Record<string, unknown> {
  const isNull = (name: string) => value[name] === null && mayOmit(name);
  if (!Object.keys(value).some(isNull)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isNull(name)));
}

/** The field is optional, and null has no meaning of its own. */
function isOmittable(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success && !schema.safeParse(null).success;
}

function namesOf(schema: z.ZodType): readonly string[] {
  return fieldAliases.get(schema)?.names ?? [];
}

/** feePayer -> fee_payer, txID -> tx_id. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

/** fee_payer -> feePayer. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
