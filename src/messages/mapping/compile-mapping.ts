import { timestamp } from "../../kernel/clock.ts";
import { isRawNumber } from "../../kernel/json.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { MappedValue, MappingPart, TransferSources } from "./mapping-schema.ts";
import { rowTimeMs } from "./row-time.ts";

/** Reads one source of a row. Several values are a list; no value is undefined. */
export type SourceGetter<Row> = (row: Row) => unknown;

/** The ends of one payment. */
export interface TransferEnds {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Unix milliseconds. */
  readonly timeMs: number | undefined;
  readonly direction: string | undefined;
  /** Whether the payment reached its payee, as far as the row says so. */
  readonly isPaid: boolean;
}

/** The fields of an event, and the ends of a payment if the mapping names them. */
export interface MappedRow {
  readonly values: Record<string, unknown>;
  readonly ends: TransferEnds | undefined;
}

export interface CompiledMapping<Row> {
  read(row: Row): Result<MappedRow>;
  /** Whether each row has two ends in place of an address. */
  readonly hasEnds: boolean;
  readonly hasTime: boolean;
  readonly hasDirection: boolean;
}

/** Fields that are copied as they are. */
const raw = new Set(["ref", "transaction"]);
const lists = new Set(["user_addresses", "checks"]);

type Read<Row> = (row: Row) => unknown;

/**
 * Compiles a mapping for the rows of one file.
 *
 * @param getterOf the reader of a source; undefined for a source that the file does not have.
 * @param chain the chain of rows that name none.
 * @returns every source that the file lacks, or the mapping.
 */
export function compileMapping<Row>(
  part: MappingPart,
  getterOf: (source: string) => SourceGetter<Row> | undefined,
  chain: string | undefined,
):
  | { readonly ok: true; readonly value: CompiledMapping<Row> }
  | { readonly ok: false; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const compile = (field: string, value: MappedValue): Read<Row> => {
    const read = compiledValue(value, getterOf, raw.has(field));
    if (typeof read === "function") return read;
    missing.push(`${field} <- ${read.missing}`);
    return () => undefined;
  };
  const fields = Object.entries(part.fields ?? {}).map(([field, values]) => {
    const reads = [values].flat().map((value) => compile(field, value as MappedValue));
    return { field, reads };
  });
  const ends = part.transfer === undefined ? undefined : compiledEnds(part.transfer, compile);
  if (missing.length > 0) return { ok: false, missing };
  const type = part.fields?.["transaction"] === undefined ? "address" : "transaction";
  const fallback = chain ?? part.chain;
  const read = (row: Row): Result<MappedRow> => {
    const values: Record<string, unknown> = { type };
    if (fallback !== undefined) values["chain_id"] = fallback;
    for (const { field, reads } of fields) {
      const value = fieldValue(field, reads, row);
      if (value instanceof SeveralValues) return fail(`${field}: several values, and the field holds one`);
      if (value !== undefined) values[field] = value;
    }
    return ok({ values, ends: ends?.(row) });
  };
  const { time, direction } = part.transfer ?? {};
  return {
    ok: true,
    value: { read, hasEnds: ends !== undefined, hasTime: time !== undefined, hasDirection: direction !== undefined },
  };
}

/** Marks several different values for a field with one value. */
class SeveralValues {}
const several = new SeveralValues();

function fieldValue<Row>(field: string, reads: readonly Read<Row>[], row: Row): unknown {
  if (lists.has(field)) {
    const items = reads.flatMap((read) => itemsOf(read(row)));
    return items.length === 0 ? undefined : [...new Set(items)];
  }
  const value = reads[0]?.(row);
  if (raw.has(field) || value === undefined) return value;
  const text = oneText(value);
  if (text === undefined || text instanceof SeveralValues) return text;
  if (field !== "occurred_at") return text;
  const ms = rowTimeMs(text);
  return ms === undefined ? undefined : timestamp(ms);
}

function itemsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(itemsOf);
  const text = textOf(value);
  return text === undefined ? [] : text.split(/[;|,\s]+/).filter((item) => item !== "");
}

function oneText(value: unknown): string | SeveralValues | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const texts = new Set(value.map(textOf).filter((text) => text !== undefined));
  if (texts.size > 1) return several;
  const [text] = texts;
  return text;
}

/** The text of a value. A blank text is no value. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") {
    const text = value.trim();
    return text === "" ? undefined : text;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return isRawNumber(value) ? value.rawJSON : undefined;
}

function compiledValue<Row>(
  value: MappedValue,
  getterOf: (source: string) => SourceGetter<Row> | undefined,
  isRaw: boolean,
): Read<Row> | { readonly missing: string } {
  if (typeof value !== "string" && "value" in value) {
    const { value: constant } = value;
    return () => constant;
  }
  const lookup = typeof value === "string" ? { from: value } : value;
  const sources = [lookup.from].flat();
  const getters = sources.map(getterOf).filter((getter) => getter !== undefined);
  if (getters.length === 0) {
    return lookup.optional === true ? () => undefined : { missing: sources.join(" or ") };
  }
  const first = firstOf(getters, isRaw);
  const { table, otherwise } = lookup;
  if (table === undefined && otherwise === undefined) return first;
  const byText = new Map(Object.entries(table ?? {}).map(([text, to]) => [text.toLowerCase(), String(to)]));
  return (row) => {
    const text = oneText(first(row));
    return typeof text === "string" ? (byText.get(text.toLowerCase()) ?? otherwise ?? text) : text;
  };
}

/** The first value that is not blank. */
function firstOf<Row>(getters: readonly SourceGetter<Row>[], isRaw: boolean): Read<Row> {
  const [only] = getters;
  if (getters.length === 1 && only !== undefined) return only;
  return (row) => {
    for (const getter of getters) {
      const value = getter(row);
      if (isRaw || Array.isArray(value) ? value !== undefined : textOf(value) !== undefined) return value;
    }
    return undefined;
  };
}

function compiledEnds<Row>(
  { from, to, time, direction, failed, amount }: TransferSources,
  compile: (field: string, value: MappedValue) => Read<Row>,
): (row: Row) => TransferEnds {
  const text = (field: string, value: MappedValue | undefined) => {
    if (value === undefined) return () => undefined;
    const read = compile(`transfer.${field}`, value);
    return (row: Row) => {
      const one = oneText(read(row));
      return typeof one === "string" ? one : undefined;
    };
  };
  const reads = {
    from: text("from", from),
    to: text("to", to),
    time: text("time", time),
    direction: text("direction", direction),
    failed: text("failed", failed),
    amount: text("amount", amount),
  };
  return (row) => {
    const when = reads.time(row);
    return {
      from: reads.from(row),
      to: reads.to(row),
      timeMs: when === undefined ? undefined : rowTimeMs(when),
      direction: reads.direction(row)?.toLowerCase(),
      isPaid: reads.failed(row) !== "yes" && (amount === undefined || isPositive(reads.amount(row))),
    };
  };
}

/** Any account can make a token transfer of 0 from any wallet, so it makes no address known. */
function isPositive(amount: string | undefined): boolean {
  return amount !== undefined && /[1-9]/.test(amount) && !amount.startsWith("-");
}
