import { snakeCase } from "../requests/spelling.ts";

/** A text inside a transaction, and its path. */
export interface TextField {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/**
 * Fields that hold bytes in hex or text of the user, which may begin with 0x. All other known fields hold numbers,
 * names of types or addresses. Source: java-tron's protocol buffers.
 */
const bytesOrText: ReadonlySet<string> = new Set([
  "data",
  "bytecode",
  "code_hash",
  "trx_hash",
  "ref_block_bytes",
  "ref_block_hash",
  "scripts",
  // The Base64 of a permission bitmap may begin with 0x by accident. It has a check of its own.
  "operations",
  "type_url",
  "name",
  "abbr",
  "description",
  "url",
  "update_url",
  "account_name",
  "account_id",
  "permission_name",
  "contract_name",
  "provider",
]);

const hexPrefix = /^\s*[+-]?0x/i;

/**
 * The first text with 0x in a field that holds neither bytes nor text of the user. It would be a hex number, and
 * numbers must be decimal. Unknown fields are included, because their names do not tell their contents. Addresses have
 * a check of their own.
 */
export function hexNumberIn(value: unknown): TextField | undefined {
  for (const placed of textsIn(value)) {
    const field = fieldOf(placed);
    if (hexPrefix.test(placed.text) && !bytesOrText.has(field) && !isAddressField(field)) return placed;
  }
  return undefined;
}

/** The texts of all fields with the names of address fields, list items included. */
export function addressesIn(value: unknown): readonly TextField[] {
  return textsIn(value).filter((placed) => isAddressField(fieldOf(placed)));
}

function isAddressField(field: string): boolean {
  return field === "address" || field.endsWith("_address");
}

/** The name of the field that holds the text, directly or in a list, in its documented spelling. */
function fieldOf({ path }: TextField): string {
  return snakeCase(String(path.findLast((step) => typeof step === "string") ?? ""));
}

/** Every text inside a JSON value, in order. The depth of JSON is bounded where it is read. */
function textsIn(value: unknown, path: TextField["path"] = [], found: TextField[] = []): readonly TextField[] {
  if (typeof value === "string") found.push({ path, text: value });
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) textsIn(item, [...path, i], found);
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) textsIn(member, [...path, name], found);
  }
  return found;
}
