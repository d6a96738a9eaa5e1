import { getEventListeners } from "node:events";
import { type Runtime, Session } from "node:inspector";

/** Elements of one collection that are visited: all elements are alike. */
const MOST_ELEMENTS = 3;
const MOST_DEPTH = 24;
const VISIT = "__reachableSizes";

interface Found {
  readonly size: number | undefined;
  readonly isNew: boolean;
}

interface Named {
  readonly name: string;
  readonly value: Runtime.RemoteObject;
}

/**
 * The sizes of all maps, sets, arrays and lists of listeners that are reachable from `roots`. Private fields and the
 * variables of named functions are included. Collections with one path, such as those of several elements, count
 * together.
 */
export function reachableSizes(roots: Readonly<Record<string, object>>): ReadonlyMap<string, number> {
  const session = new Session();
  session.connect();
  try {
    return new Walk(session).from(roots);
  } finally {
    session.disconnect();
  }
}

class Walk {
  readonly #session: Session;
  readonly #sizes = new Map<string, number>();
  readonly #seen = new WeakSet<object>();

  constructor(session: Session) {
    this.#session = session;
  }

  from(roots: Readonly<Record<string, object>>): ReadonlyMap<string, number> {
    const visit = (...values: readonly object[]): readonly Found[] => values.map((value) => this.#visited(value));
    Object.assign(globalThis, { [VISIT]: { roots, visit } });
    try {
      let level = Object.keys(roots).map((name) => ({ name, value: this.#root(name) }));
      for (let depth = 0; depth < MOST_DEPTH && level.length > 0; depth++) level = this.#below(level);
      return this.#sizes;
    } finally {
      Reflect.deleteProperty(globalThis, VISIT);
      this.#call("Runtime.releaseObjectGroup", { objectGroup: VISIT });
    }
  }

  #visited(value: object): Found {
    const isNew = !this.#seen.has(value);
    this.#seen.add(value);
    return { isNew, size: isNew ? sizeOf(value) : undefined };
  }

  #root(name: string): Runtime.RemoteObject {
    const expression = `globalThis.${VISIT}.roots[${JSON.stringify(name)}]`;
    return this.#call("Runtime.evaluate", { expression, objectGroup: VISIT }).result;
  }

  /** The contents of objects that are met for the first time. */
  #below(level: readonly Named[]): Named[] {
    const objects = level.filter(({ value }) => value.objectId !== undefined && !isOutside(value.className));
    const [first] = objects;
    if (first?.value.objectId === undefined) return [];
    const found: readonly Found[] = this.#call("Runtime.callFunctionOn", {
      functionDeclaration: `function (...values) { return globalThis.${VISIT}.visit(...values); }`,
      objectId: first.value.objectId,
      arguments: objects.map(({ value: { objectId } }) => ({ objectId })),
      returnByValue: true,
    }).result.value;
    return objects.flatMap(({ name, value: { objectId = "", subtype, className } }, i) => {
      const { isNew = false, size } = found[i] ?? {};
      if (size !== undefined) this.#sizes.set(name, (this.#sizes.get(name) ?? 0) + size);
      return isNew && className !== "AbortSignal" ? this.#propertiesOf(name, objectId, subtype) : [];
    });
  }

  #propertiesOf(name: string, objectId: string, subtype: string | undefined): Named[] {
    const read = this.#call("Runtime.getProperties", { objectId, ownProperties: true });
    const {
      result,
      internalProperties = [],
      privateProperties = [],
    } = read as typeof read & {
      readonly privateProperties?: readonly Runtime.PropertyDescriptor[];
    };
    const own = [...result, ...privateProperties].flatMap((each) =>
      each.value === undefined ? [] : [{ name: each.name, value: each.value }],
    );
    if (subtype === "array") {
      const elements = own.filter(({ name: at }) => /^\d+$/.test(at)).slice(0, MOST_ELEMENTS);
      return elements.map(({ value }) => ({ name: `${name}[]`, value }));
    }
    const inside = internalProperties.flatMap(({ name: of, value }) => {
      if (value?.objectId === undefined) return [];
      if (of === "[[Entries]]") return this.#entriesOf(`${name}[]`, value.objectId);
      return of === "[[Scopes]]" ? this.#variablesOf(name, value.objectId) : [];
    });
    return [...own.map((each) => ({ name: `${name}.${each.name}`, value: each.value })), ...inside];
  }

  #entriesOf(name: string, objectId: string) {
    const entries = this.#elements(objectId).slice(0, MOST_ELEMENTS);
    return entries.flatMap((entry) => {
      const parts = entry.objectId === undefined ? [] : this.#named(entry.objectId);
      return parts.filter((each) => each.name === "key" || each.name === "value").map(({ value }) => ({ name, value }));
    });
  }

  /** Only for functions with a name: the scope of other functions is the module, with all its imports. */
  #variablesOf(name: string, objectId: string) {
    const scopes = this.#elements(objectId).filter(({ description = "" }) => /^Closure \(.+\)$/.test(description));
    return scopes.flatMap((scope) =>
      scope.objectId === undefined
        ? []
        : this.#named(scope.objectId).map((each) => ({ name: `${name}(${each.name})`, value: each.value })),
    );
  }

  #elements(objectId: string): readonly Runtime.RemoteObject[] {
    return this.#named(objectId)
      .filter(({ name }) => /^\d+$/.test(name))
      .map(({ value }) => value);
  }

  #named(objectId: string) {
    const { result } = this.#call("Runtime.getProperties", { objectId, ownProperties: true });
    return result.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  }

  #call<M extends keyof Answers>(method: M, parameters: object): Answers[M] {
    let answer: Answers[M] | undefined;
    // The inspector runs on its own thread, which answers before this call returns.
    this.#session.post(method, parameters, (error: Error | null, result?: unknown) => {
      if (error !== null) throw error;
      answer = result as Answers[M];
    });
    if (answer === undefined) throw new Error(`${method} was not answered at once`);
    return answer;
  }
}

interface Answers {
  "Runtime.evaluate": Runtime.EvaluateReturnType;
  "Runtime.callFunctionOn": Runtime.CallFunctionOnReturnType;
  "Runtime.getProperties": Runtime.GetPropertiesReturnType;
  "Runtime.releaseObjectGroup": object;
}

function sizeOf(value: object): number | undefined {
  if (value instanceof Map || value instanceof Set) return value.size;
  if (Array.isArray(value)) return value.length;
  if (value instanceof AbortSignal) return getEventListeners(value, "abort").length;
  return undefined;
}

/** Objects of the platform and not of the program. */
function isOutside(className: string | undefined): boolean {
  return className !== undefined && /^(Buffer|Uint8Array|WeakMap|WeakSet|WeakRef|Promise|Zod\w*)$/.test(className);
}
