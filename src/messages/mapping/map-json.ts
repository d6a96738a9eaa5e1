import { isRawNumber, MAX_JSON_DEPTH, parseExact, repeatedKey } from "../../kernel/json.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { MAX_EVENT_BYTES, type ScreeningEvent } from "../event.ts";
import { readEvent } from "../parse-event.ts";
import type { OnStrays } from "../unread/stray-address.ts";
import { partFor, partsOf } from "./choose-part.ts";
import { type CompiledMapping, compileMapping, type TransferEnds } from "./compile-mapping.ts";
import { stepsOf, valuesAt, without } from "./json-source.ts";
import { mappedEvent, type WalletView } from "./mapped-event.ts";
import type { Mapping, MappingPart } from "./mapping-schema.ts";

/** A mapping for records in JSON. Each record chooses its own variant. */
export interface JsonMapping {
  /** Whether rows have two ends, and neither direction nor time. */
  readonly hasEnds: boolean;
  readonly hasTime: boolean;
  readonly hasDirection: boolean;
  ends(bytes: Uint8Array): Result<TransferEnds | undefined>;
  event(bytes: Uint8Array, line: number, view: WalletView | undefined, onStrays?: OnStrays): Result<ScreeningEvent>;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @param chain of records that name none. */
export function mapJson(mapping: Mapping, chain: string | undefined, ignored: readonly string[] = []): JsonMapping {
  const parts = partsOf(mapping).map((part) => new JsonPart(part, [...(mapping.ignore ?? []), ...ignored], chain));
  const choose = (value: object): JsonPart | undefined => {
    const part = partFor(mapping, (source) => valuesAt(value, stepsOf(source)).length > 0);
    if (part === undefined) return undefined;
    return parts.length === 1
      ? parts[0]
      : parts.find(({ title, when }) => title === part.title && when === whenOf(part));
  };
  const chosen = (bytes: Uint8Array): Result<{ readonly part: JsonPart; readonly value: object }> => {
    const value = recordIn(bytes);
    if (!value.ok) return value;
    const part = choose(value.value);
    const forms = partsOf(mapping).map(({ title = "a form" }) => title);
    return part === undefined
      ? fail(`no form of the mapping fits the record: ${forms.join(", ")}`)
      : ok({ part, value: value.value });
  };
  return {
    hasEnds: parts.some(({ compiled }) => compiled.hasEnds),
    hasTime: parts.every(({ compiled }) => compiled.hasTime || !compiled.hasEnds),
    hasDirection: parts.every(({ compiled }) => compiled.hasDirection || !compiled.hasEnds),
    ends(bytes) {
      const record = chosen(bytes);
      return record.ok ? record.value.part.ends(record.value.value) : record;
    },
    event(bytes, line, view, onStrays) {
      const record = chosen(bytes);
      return record.ok ? record.value.part.event(record.value.value, line, view, onStrays) : record;
    },
  };
}

function whenOf(part: MappingPart): string {
  return "when" in part ? part.when.join("\0") : "";
}

/** The JSON object in a record. A name that is given twice is refused, as in an event. */
function recordIn(bytes: Uint8Array): Result<object> {
  if (bytes.byteLength > MAX_EVENT_BYTES) return fail(`larger than ${MAX_EVENT_BYTES} bytes`);
  try {
    const text = utf8.decode(bytes);
    const value = parseExact(text);
    if (!isObject(value)) return fail("must be a JSON object");
    const twice = repeatedKey(text, MAX_JSON_DEPTH);
    return twice === undefined ? ok(value) : fail(`${twice}: given twice`);
  } catch (thrown) {
    if (thrown instanceof TypeError) return fail("not valid UTF-8");
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return fail(thrown.message.startsWith("nested") ? thrown.message : "not valid JSON");
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** One form of the records. */
class JsonPart {
  readonly title: string | undefined;
  readonly when: string;
  readonly compiled: CompiledMapping<JsonRow>;
  readonly #envelope: readonly (readonly string[])[] | undefined;
  readonly #hasOwnFields: boolean;
  readonly #without: (value: object) => Record<string, unknown>;
  readonly #withoutInner: (value: object) => Record<string, unknown>;

  constructor(part: MappingPart, ignored: readonly string[], chain: string | undefined) {
    this.title = part.title;
    this.when = whenOf(part);
    const read: string[] = [...(part.ignore ?? []), ...ignored];
    const compiled = compileMapping<JsonRow>(
      part,
      (source) => {
        if (ignored.includes(source)) return undefined;
        const steps = stepsOf(source);
        read.push(source);
        return ({ whole, inner }) => listOrOne(valuesAt(source.startsWith("/") ? whole : inner, steps));
      },
      chain,
    );
    // Every source may be absent from a record, so no source is missing beforehand, but those that --ignore leaves out.
    this.compiled = compiled.ok
      ? compiled.value
      : {
          read: () => fail(`--ignore leaves nothing for ${compiled.missing.join("; ")}`),
          hasEnds: false,
          hasTime: false,
          hasDirection: false,
        };
    this.#envelope = part.envelope?.map(stepsOf);
    this.#hasOwnFields = part.transfer !== undefined || part.fields?.["address"] !== undefined;
    this.#without = without(
      read.filter((source) => source.startsWith("/") || part.envelope === undefined).map(stepsOf),
    );
    this.#withoutInner = without(read.filter((source) => !source.startsWith("/")).map(stepsOf));
  }

  ends(value: object): Result<TransferEnds | undefined> {
    const row = this.#rowOf(value);
    if (!row.ok) return row;
    const read = this.compiled.read(row.value);
    return read.ok ? ok(read.value.ends) : read;
  }

  event(value: object, line: number, view: WalletView | undefined, onStrays?: OnStrays): Result<ScreeningEvent> {
    const row = this.#rowOf(value);
    if (!row.ok) return row;
    const read = this.compiled.read(row.value);
    if (!read.ok) return read;
    const { inner } = row.value;
    // An event in an envelope is read like any event. The mapping fills what the event leaves out.
    if (this.#envelope !== undefined && !this.#hasOwnFields) {
      const { type: _type, ...filling } = read.value.values;
      return readEvent({ ...filling, ...inner }, onStrays);
    }
    const rest = this.#envelope === undefined ? this.#without(value) : this.#withoutInner(inner);
    return mappedEvent(read.value, rest, { line, view, ...(onStrays === undefined ? {} : { onStrays }) });
  }

  #rowOf(value: object): Result<JsonRow> {
    if (this.#envelope === undefined) return ok({ whole: value, inner: value });
    for (const steps of this.#envelope) {
      const [found] = valuesAt(value, steps);
      if (found === undefined) continue;
      const inner = typeof found === "string" ? innerIn(found) : found;
      if (isObject(inner)) return ok({ whole: value, inner });
      return fail(`/${steps.join("/")}: must be a JSON object`);
    }
    return fail(`no event in ${this.#envelope.map((steps) => `/${steps.join("/")}`).join(" or ")}`);
  }
}

interface JsonRow {
  readonly whole: object;
  /** The event in its envelope; without an envelope, the whole. */
  readonly inner: object;
}

/** JSON as text, also in base64, as CloudEvents carries binary data. */
function innerIn(text: string): unknown {
  try {
    return parseExact(text.trimStart().startsWith("{") ? text : Buffer.from(text, "base64").toString("utf8"));
  } catch {
    // Text that is no JSON is no event.
    return undefined;
  }
}

function listOrOne(values: readonly unknown[]): unknown {
  return values.length > 1 ? values : values[0];
}
