import type { z } from "zod";
import type { Result } from "../kernel/result.ts";
import { fail, ok } from "../kernel/result.ts";
import { spellingOf } from "./spelling.ts";

/** Reads a request body or query: folds the spellings, drops unknown fields, checks the rest. */
export type RequestParser<T> = (input: unknown) => Result<T>;

/**
 * Items of all arrays of one request together. The schema reports each bad item, so that a body of 1 MiB could hold
 * 349,000 of them and stop the process for seconds. Chosen: ten full batches.
 */
export const MAX_REQUEST_ITEMS = 10_000;

/**
 * The parser of one request schema. A failure's detail is the path of the first offending field and what is wrong
 * with it: `target_addresses[3].chain_id: field required`.
 */
export function requestParser<S extends z.ZodType>(schema: S): RequestParser<z.output<S>> {
  const respell = spellingOf(schema);
  return (input) => {
    if (hasTooManyItems(input)) return fail(`body: more than ${MAX_REQUEST_ITEMS} items`);
    const { value, clashes } = respell(input);
    const [clash] = clashes;
    if (clash !== undefined) {
      return fail(`${pathText(clash.path)}: given twice with different values, as ${clash.names.join(" and ")}`);
    }
    const parsed = schema.safeParse(value);
    return parsed.success ? ok(parsed.data) : fail(firstIssue(parsed.error, value));
  };
}

function hasTooManyItems(input: unknown): boolean {
  const open = [input];
  let items = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) items += value.length;
    if (items > MAX_REQUEST_ITEMS) return true;
    for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) open.push(inner);
  }
  return false;
}

function firstIssue(error: z.ZodError, input: unknown): string {
  const [issue] = error.issues;
  if (issue === undefined) return "invalid";
  const where = pathText(issue.path);
  const isMissing = issue.code !== "custom" && issue.path.length > 0 && at(input, issue.path) === undefined;
  if (isMissing) return `${where}: field required`;
  const what = issue.code === "invalid_type" ? `must be ${article(issue.expected)}` : issue.message;
  return `${where}: ${what}`;
}

/** `["a", 3, "b"]` -> `a[3].b`; the whole request is called `body`. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return text === "" ? "body" : text.replace(/^\./, "");
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
