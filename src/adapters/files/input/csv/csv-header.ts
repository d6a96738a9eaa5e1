import { misnamedAmong } from "../../../../api/requests/misnamed-field.ts";
import { shortName } from "../../../../api/requests/short-name.ts";
import { ConfigInvalidError, InputUnreadableError } from "../../../../kernel/errors.ts";
import { addressFields } from "../../../../messages/event.ts";
import { likelyText } from "../../../../messages/mapping/likely-field.ts";
import { directionOf } from "../../../../messages/unread/name-sense.ts";
import type { Delimiter } from "./csv-cells.ts";
import { readColumns } from "./csv-columns.ts";
import { columnField, fieldOf } from "./csv-event.ts";

/** The meaning of each column, from the header. */
export interface CsvHeader {
  /**
   * By column: the field of the event, or else the name of the column itself. Undefined for a column that is to be
   * ignored.
   */
  readonly fields: readonly (string | undefined)[];
  /** By column: the name in the header. A column without a name has its number. */
  readonly names: readonly string[];
  readonly delimiter: Delimiter;
}

const misnamed = misnamedAmong(addressFields);
const isOurs = (column: string) => addressFields.includes(fieldOf(column)) || misnamed([fieldOf(column)]) !== undefined;

/**
 * The columns of a CSV. A header with an ambiguous column refuses the whole file. Otherwise rows without the column of
 * their users would be allowed, one by one.
 *
 * @param ignored names of columns that the operator leaves out.
 * @throws {InputUnreadableError | ConfigInvalidError}
 */
export function readHeader(text: string, ignored: readonly string[] = []): CsvHeader {
  const { names: all, delimiter } = readColumns(text);
  const isIgnored = ignoredAmong(all, ignored);
  const names = all.filter((name) => !isIgnored(name));
  const fields = names.map(fieldOf);
  refuseMixed(names);
  refuseMisnamed(names, fields.includes("address"));
  const twice = fields.find((field, i) => addressFields.includes(field) && fields.indexOf(field) !== i);
  if (twice !== undefined) {
    throw new InputUnreadableError(
      `the CSV header names the column "${shortName(twice)}" twice: rename or take out one of them`,
    );
  }
  if (!fields.includes("address")) {
    throw withoutAddress(names);
  }
  const fieldOrName = all.map((name) => (isIgnored(name) ? undefined : columnField(name)));
  return { fields: toldApart(fieldOrName), names: all, delimiter };
}

/** Unread columns with equal names get distinct names, so addresses in each are looked for. */
function toldApart(fields: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return fields.map((field, i) =>
    field !== undefined && fields.indexOf(field) < i ? `${field} (no. ${i + 1})` : field,
  );
}

/**
 * @throws {ConfigInvalidError} for a column that is absent, and for a column that is read, since verdicts depend on it. A
 * column of token contracts may be left out.
 */
function ignoredAmong(names: readonly string[], ignored: readonly string[]): (name: string) => boolean {
  const folded = new Set(ignored.map(fieldOf));
  for (const name of ignored) {
    const field = fieldOf(name);
    if (!names.some((each) => fieldOf(each) === field)) {
      const found = shortName(names.join(", "));
      throw new ConfigInvalidError(`--ignore ${shortName(name)}: the CSV has no such column; it has: ${found}`);
    }
    // Many exports have a column Token with the symbol of a token, which is no address.
    if (addressFields.includes(field) && field !== "token_address") {
      throw new ConfigInvalidError(`--ignore ${shortName(name)}: the column is read, as ${field}: leave the flag out`);
    }
  }
  return (name) => folded.has(fieldOf(name));
}

function withoutAddress(names: readonly string[]): InputUnreadableError {
  const found = shortName(names.join(", "));
  return new InputUnreadableError(
    `the CSV header has no column "address"; it has: ${found}. Name the column of the addresses "address"${endsText(names)}; or map the columns: weir map suggest prints a mapping to start from${likelyText(names)}`,
  );
}

/** Explorers name both ends of a payment. One end is the address to screen; the other end is the user's own. */
function endsText(names: readonly string[]): string {
  const ends = new Set(names.map(directionOf));
  return ends.has("from") && ends.has("to")
    ? ': for withdrawals To, for deposits From, and the other "user_addresses"'
    : "";
}

function refuseMixed(names: readonly string[]): void {
  const mixed = names.find((name) => {
    const parts = name.split(/[,;|\t]/);
    return parts.length > 1 && parts.some(isOurs);
  });
  if (mixed === undefined) return;
  throw new InputUnreadableError(
    `the CSV header has a column "${shortName(mixed)}" that reads like several: separate all columns by commas`,
  );
}

/** A "Wallet" may be the address to screen. While a column for that address is missing, no other column is guessed. */
function refuseMisnamed(names: readonly string[], hasAddress: boolean): void {
  for (const name of names) {
    const meant = misnamed([fieldOf(name)])?.meant;
    if (meant === undefined) continue;
    if (!hasAddress && meant !== "address") throw withoutAddress(names);
    throw new InputUnreadableError(
      `the CSV header has an unknown column "${shortName(name)}": if you mean "${meant}", name it so; if not, choose another name, or leave it out by --ignore`,
    );
  }
}
