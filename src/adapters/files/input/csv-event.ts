import { CsvError, parse } from "csv-parse/sync";
import { foldedName } from "../../../api/requests/misnamed-field.ts";
import { addBounded } from "../../../kernel/collections.ts";
import { fail, ok, type Result } from "../../../kernel/result.ts";
import { addressFields } from "../../../messages/event.ts";
import type { Defaults } from "./format.ts";

/** The separator of the columns of one file. */
export type Delimiter = "," | ";" | "\t";

/** Deviations from RFC 4180 that were accepted: white space around quoted cells, and quotes within unquoted cells. */
export interface Leniency {
  readonly trim?: boolean;
  readonly relax_quotes?: boolean;
}

/** The cells of one row of CSV (RFC 4180). */
export function csvRow(line: string, delimiter: Delimiter, leniency: Leniency = {}): Result<readonly string[]> {
  if (!line.includes('"')) return ok(line.replace(/\r$/, "").split(delimiter));
  try {
    const [row = [], ...others] = parse(line, { ...leniency, delimiter, relax_column_count: true }) as string[][];
    // The library also ends a record at a lone CR. The cells behind a lone CR must not vanish.
    return others.length === 0 ? ok(row) : fail(`not valid CSV: ${others.length + 1} records in one line`);
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    return fail(`not valid CSV: ${thrown.code.toLowerCase().replaceAll("_", " ")}`);
  }
}

/** Columns that hold several values. Values are separated by ; or |, by commas within quotes, or by white space. */
const lists = new Set(["user_addresses", "checks"]);
/** The types of events. */
const types: ReadonlySet<string> = new Set(["address", "transaction"]);
/** Short names that operators give their columns. */
const fieldByColumn: Readonly<Record<string, string>> = {
  chain: "chain_id",
  network: "chain_id",
  user: "user_addresses",
  users: "user_addresses",
  user_address: "user_addresses",
  token: "token_address",
};

/** The field that a column means, in any spelling. */
export function fieldOf(column: string): string {
  const name = foldedName(column.trim());
  return Object.hasOwn(fieldByColumn, name) ? (fieldByColumn[name] ?? name) : name;
}

/** The field of an event that a column means. Any other column keeps its own name, for messages about the column. */
export const columnField: (column: string) => string = addBounded((column) => {
  const field = fieldOf(column);
  return addressFields.includes(field) ? field : column.trim();
});

/**
 * A row as the fields of an event. Empty cells are absent. A row without a type is about an address.
 *
 * @param names of the columns; a column without one is not looked at.
 */
export function eventFields(
  names: readonly (string | undefined)[],
  cells: readonly string[],
  defaults: Defaults,
): Record<string, unknown> {
  const fields = new Map<string, unknown>([["type", "address"]]);
  if (defaults.chain !== undefined) fields.set("chain_id", defaults.chain);
  if (defaults.users.length > 0) fields.set("user_addresses", defaults.users);
  if (defaults.token !== undefined) fields.set("token_address", defaults.token);
  for (const [i, name] of names.entries()) {
    const cell = cells[i]?.trim() ?? "";
    if (cell === "" || name === undefined) continue;
    const field = columnField(name);
    // Exports have their own column Type, for deposits and withdrawals. Addresses in that column are still looked for.
    if (field === "type" && !types.has(cell)) {
      fields.set(`${name} (not read)`, cell);
      continue;
    }
    const items = lists.has(field) ? itemsOf(cell) : undefined;
    if (field === "user_addresses") fields.set(field, [...new Set([...defaults.users, ...(items ?? [])])]);
    else fields.set(field, items ?? cell);
  }
  return Object.fromEntries(fields);
}

function itemsOf(cell: string): readonly string[] {
  return cell.split(/[;|,\s]+/).filter((item) => item !== "");
}
