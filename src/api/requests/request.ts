import { z } from "zod";
import { lazy } from "../../kernel/collections.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { type Misnamed, misnamedAmong } from "./misnamed-field.ts";
import { plainWords } from "./plain-words.ts";
import { shortName } from "./short-name.ts";
import { spellingOf } from "./spelling.ts";

/** Reads a request body or query: unifies the spellings, drops unknown fields, checks the others. */
export type RequestParser<T> = (input: unknown) => Result<T>;

/** Fields of a schema that may not be lost, because the loss could turn a '1' into a '0'. */
export interface Guarded {
  readonly fields: readonly string[];
  /** Names in another form of the same request. They are no typing errors, even when they resemble guarded fields. */
  readonly besides?: readonly string[];
}

/**
 * The most items of all arrays of one request together. The schema reports each bad item. A body of 1 MiB could hold
 * 349,000 of them and stop the process for seconds. Chosen: ten full batches.
 */
export const MAX_REQUEST_ITEMS = 10_000;

/**
 * The parser of one request schema. The detail of a failure is the path of the first offending field and its fault:
 * `target_addresses[3].chain_id: field required`.
 * @param guarded fields that must not be lost silently. A further name that probably means a guarded field is refused
 * when that field is absent. Other names are dropped.
 * @param whole the name of the whole request in a detail. Leave it out when the caller adds a name itself.
 */
export function requestParser<S extends z.ZodType>(
  schema: S,
  guarded: Guarded = { fields: [] },
  whole = "body",
): RequestParser<z.output<S>> {
  const at = (path: readonly PropertyKey[], what: string) => {
    const where = path.length === 0 ? whole : pathText(path);
    return fail(where === "" ? what : `${where}: ${what}`);
  };
  const respell = lazy(() => spellingOf(schema));
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const misnamed = misnamedAmong([...fields, ...(guarded.besides ?? [])], guarded.fields);
  return (input) => {
    if (hasTooManyItems(input)) return at([], `more than ${MAX_REQUEST_ITEMS} items`);
    const { value, clashes } = respell()(input);
    const [clash] = clashes;
    if (clash !== undefined)
      return at(clash.path, `given twice with different values, as ${clash.names.join(" and ")}`);
    const parsed = schema.safeParse(value, { error: plainWords });
    if (!parsed.success) return at(...firstIssue(parsed.error, value));
    const slip = guarded.fields.length === 0 ? undefined : misnamed(namesGiven(input), new Set(namesGiven(value)));
    return slip === undefined ? ok(parsed.data) : fail(misnamedText(slip));
  };
}

/** The message about a field with a name that probably means another field. */
export function misnamedText({ name, meant }: Misnamed): string {
  return `${shortName(name)}: unknown field; did you mean ${meant}?`;
}

/** Names of the members with a value. Clients write null and empty values for members that they leave out. */
function namesGiven(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) => (isLeftOut(value) ? [] : [name]));
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function hasTooManyItems(input: unknown): boolean {
  const open = [input];
  let items = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) items += value.length;
    if (items > MAX_REQUEST_ITEMS) return true;
    for (const inner of Array.isArray(value) ? value : Object.values(value)) {
      if (typeof inner === "object" && inner !== null) open.push(inner);
    }
  }
  return false;
}

/** The path of the first offending field, and its fault. */
function firstIssue(error: z.ZodError, input: unknown): [path: readonly PropertyKey[], what: string] {
  const [issue] = error.issues;
  if (issue === undefined) return [[], "invalid"];
  const isMissing = issue.code !== "custom" && issue.path.length > 0 && valueAt(input, issue.path) === undefined;
  if (isMissing) return [issue.path, "field required"];
  return [issue.path, issue.code === "invalid_type" && input === undefined ? "must be an object" : issue.message];
}

/** `["a", 3, "b"]` -> `a[3].b`. The whole request is called `body`. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return text === "" ? "body" : text.replace(/^\./, "");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
