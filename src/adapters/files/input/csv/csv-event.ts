import { foldedName } from "../../../../api/requests/misnamed-field.ts";
import { addBounded } from "../../../../kernel/collections.ts";
import { addressFields } from "../../../../messages/event.ts";
import type { Defaults } from "../format.ts";

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
