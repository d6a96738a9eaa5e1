import type { AdapterOperation } from "../../api/schemas/adapter-answers.ts";
import { adapterOperations } from "../../api/schemas/adapter-answers.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";

/** The version of the adapter interface, which an adapter names. */
export const ADAPTER_SCHEMA = "weir.adapter/1";

/** The argument of an adapter's factory. */
export interface AdapterContext {
  /** The text of SERVICE_URL, without a slash at its end. */
  readonly baseUrl: string;
  /** Unix milliseconds, for signatures and timestamps. */
  readonly now: () => number;
}

/** One response of the service. */
export interface VendorResponse {
  readonly status: number;
  /** By name in lower case; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON of the body; undefined where a failure has no readable body. */
  readonly body: unknown;
}

/** The second argument of `request`. */
export interface RequestContext {
  /** The current API key. */
  readonly key: string;
}

/** The requests and answers of one operation. Both functions are synchronous and use only their arguments. */
export interface OperationAdapter {
  /** The only request of a question: `{path, query?, headers?, body?}`, or a failure. */
  readonly request: (question: unknown, context: RequestContext) => unknown;
  /** The content of a response with a 2xx status: an answer, or a failure. */
  readonly answer: (response: VendorResponse, question: unknown) => unknown;
}

export interface Adapter {
  readonly name: string;
  readonly operations: Readonly<Partial<Record<AdapterOperation, OperationAdapter>>>;
  /**
   * The meaning of a refusal (4xx, but not 401, 403, 408 and 429): a failure, or undefined for Weir's own reading of
   * the status.
   */
  readonly refusal: ((response: VendorResponse, operation: AdapterOperation) => unknown) | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const parts: ReadonlySet<string> = new Set(["schema", "name", "operations", "refusal"]);
const operationParts: ReadonlySet<string> = new Set(["request", "answer"]);

/** Checks the result of an adapter's factory. A failure names the fault and its position. */
export function readAdapter(value: unknown): Result<Adapter> {
  if (!isObject(value)) return fail("the function adapter must return an object");
  const unknown = Object.keys(value).find((name) => !parts.has(name));
  if (unknown !== undefined) return fail(`${unknown}: is unknown; known are ${[...parts].join(", ")}`);
  const { schema, name, operations, refusal } = value;
  if (schema !== ADAPTER_SCHEMA) return fail(`schema: must be "${ADAPTER_SCHEMA}"`);
  if (typeof name !== "string" || !/^[\w .-]{1,50}$/.test(name))
    return fail("name: must be 1 to 50 letters, digits, spaces, _ . or -");
  if (refusal !== undefined && typeof refusal !== "function") return fail("refusal: must be a function");
  if (!isObject(operations)) return fail("operations: must be an object");
  for (const [operation, parts] of Object.entries(operations)) {
    if (!isOperation(operation))
      return fail(`operations.${operation}: is unknown; known are ${adapterOperations.join(", ")}`);
    const fault = faultOf(parts);
    if (fault !== undefined) return fail(`operations.${operation}${fault}`);
  }
  if (!("address-poisoning" in operations))
    return fail("operations: must have address-poisoning, which every event needs");
  return ok({ name, operations: operations as Adapter["operations"], refusal: refusal as Adapter["refusal"] });
}

function faultOf(operation: unknown): string | undefined {
  if (!isObject(operation)) return ": must be an object with the functions request and answer";
  const unknown = Object.keys(operation).find((name) => !operationParts.has(name));
  if (unknown !== undefined) return `.${unknown}: is unknown; known are request and answer`;
  const missing = [...operationParts].find((name) => typeof operation[name] !== "function");
  return missing === undefined ? undefined : `.${missing}: must be a function`;
}

function isOperation(name: string): name is AdapterOperation {
  return (adapterOperations as readonly string[]).includes(name);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
