import { foldedName } from "../../api/requests/misnamed-field.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { ScreeningEvent } from "../event.ts";
import type { OnStrays } from "../unread/stray-address.ts";
import { partFor, partsOf } from "./choose-part.ts";
import { type CompiledMapping, compileMapping, type TransferEnds } from "./compile-mapping.ts";
import { likelyText } from "./likely-field.ts";
import { mappedEvent, type WalletView } from "./mapped-event.ts";
import type { Mapping, MappingPart } from "./mapping-schema.ts";

/** The cells of a row, by column. */
type Cells = readonly string[];

export interface ColumnOptions {
  /** `--chain`. */
  readonly chain: string | undefined;
  /** Columns that the operator leaves out. */
  readonly ignored: readonly string[];
}

/** A mapping for the columns of one CSV. */
export interface ColumnMapping {
  readonly part: MappingPart;
  readonly hasEnds: boolean;
  readonly hasTime: boolean;
  readonly hasDirection: boolean;
  /** Columns that are left out on purpose. */
  readonly ignored: readonly string[];
  /** Columns whose cells the events depend on. */
  readonly isRead: readonly boolean[];
  ends(cells: Cells): Result<TransferEnds | undefined>;
  event(cells: Cells, line: number, view: WalletView | undefined, onStrays?: OnStrays): Result<ScreeningEvent>;
}

/** @returns the mapping for a header, or every column that is missing. */
export function mapColumns(mapping: Mapping, names: readonly string[], options: ColumnOptions): Result<ColumnMapping> {
  const columns = new Columns(names);
  const part = partFor(mapping, (source) => columns.indexOf(source) !== undefined);
  if (part === undefined) return fail(`${noVariant(mapping)}; the file has: ${names.join(", ")}${likelyText(names)}`);
  if (part.envelope !== undefined) return fail("the mapping is for JSON: it has an envelope, and the file is a CSV");
  const left = new Set(options.ignored.map((name) => columns.indexOf(name)));
  const read = new Set<number>();
  const compiled = compileMapping<Cells>(
    part,
    (source) => {
      const index = columns.indexOf(source);
      if (index === undefined || left.has(index)) return undefined;
      read.add(index);
      return (cells) => cells[index];
    },
    options.chain,
  );
  if (!compiled.ok) {
    const what = `the file lacks columns that the mapping reads: ${compiled.missing.join("; ")}`;
    return fail(`${what}; the file has: ${names.join(", ")}${likelyText(names)}`);
  }
  if (
    !compiled.value.hasEnds &&
    part.fields?.["chain_id"] === undefined &&
    (options.chain ?? part.chain) === undefined
  ) {
    return fail("neither the mapping nor --chain names the chain: add --chain, for example --chain eth");
  }
  const ignored = names.map((_, i) => left.has(i) || (!read.has(i) && columns.isIgnored(part.ignore ?? [], i)));
  return ok(columnMapping(part, compiled.value, names, read, ignored));
}

function columnMapping(
  part: MappingPart,
  compiled: CompiledMapping<Cells>,
  names: readonly string[],
  read: ReadonlySet<number>,
  ignored: readonly boolean[],
): ColumnMapping {
  const unread = names.flatMap((name, i) =>
    read.has(i) || ignored[i] === true ? [] : [[distinctName(names, name, i), i] as const],
  );
  return {
    part,
    hasEnds: compiled.hasEnds,
    hasTime: compiled.hasTime,
    hasDirection: compiled.hasDirection,
    ignored: names.filter((_, i) => ignored[i] === true),
    isRead: names.map((_, i) => read.has(i)),
    ends(cells) {
      const row = compiled.read(cells);
      return row.ok ? ok(row.value.ends) : row;
    },
    event(cells, line, view, onStrays) {
      const row = compiled.read(cells);
      if (!row.ok) return row;
      const rest: Record<string, string> = {};
      for (const [name, i] of unread) rest[name] = cells[i] ?? "";
      return mappedEvent(row.value, rest, { line, view, ...(onStrays === undefined ? {} : { onStrays }) });
    },
  };
}

/** Columns with equal names keep their cells apart, so that no address in one of them is lost. */
function distinctName(names: readonly string[], name: string, index: number): string {
  return names.indexOf(name) < index || name === "__proto__" ? `${name} (no. ${index + 1})` : name;
}

/** Finds columns by name: as it is written, and else in any spelling. */
class Columns {
  readonly #names: readonly string[];
  readonly #byFolded = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.#names = names;
    for (const [i, name] of names.entries()) {
      const folded = foldedName(name);
      if (!this.#byFolded.has(folded)) this.#byFolded.set(folded, i);
    }
  }

  indexOf(source: string): number | undefined {
    const exact = this.#names.indexOf(source);
    if (exact !== -1) return exact;
    if (!source.endsWith("*")) return this.#byFolded.get(foldedName(source));
    const first = this.#names.findIndex((name) => startsWith(name, source));
    return first === -1 ? undefined : first;
  }

  isIgnored(patterns: readonly string[], index: number): boolean {
    const name = this.#names[index] ?? "";
    return patterns.some((pattern) =>
      pattern.endsWith("*") ? startsWith(name, pattern) : foldedName(pattern) === foldedName(name),
    );
  }
}

function startsWith(name: string, pattern: string): boolean {
  return foldedName(name).startsWith(foldedName(pattern.slice(0, -1)));
}

function noVariant(mapping: Mapping): string {
  const forms = partsOf(mapping).map((part) => {
    const needs = "when" in part ? part.when.join(" and ") : "";
    return `${part.title ?? "a form"} (needs ${needs})`;
  });
  return `no form of the mapping fits: ${forms.join(", ")}`;
}
