import { misnamedAmong } from "../../../api/requests/misnamed-field.ts";
import { shortName } from "../../../api/requests/short-name.ts";
import { ConfigInvalidError, InputUnreadableError } from "../../../kernel/errors.ts";
import { addressFields } from "../../../messages/event.ts";
import { directionOf } from "../../../messages/unread/name-sense.ts";
import { columnField, csvRow, type Delimiter, fieldOf } from "./csv-event.ts";

/** What the header says of every row below it. */
export interface CsvHeader {
  /** By column: our field, or else the name of the column itself; nothing for a column that is to be ignored. */
  readonly fields: readonly (string | undefined)[];
  readonly delimiter: Delimiter;
}

const misnamed = misnamedAmong(addressFields);
const isOurs = (column: string) => addressFields.includes(fieldOf(column)) || misnamed([fieldOf(column)]) !== undefined;

/** What the columns are separated by: whichever gives a column "address". Spreadsheets of many countries write ; for commas. */
export function delimiterOf(header: string): Delimiter | undefined {
  return ([",", ";", "\t"] as const).find((delimiter) => {
    const row = csvRow(header, delimiter);
    return row.ok && row.value.length > 1 && row.value.some((cell) => fieldOf(cell) === "address");
  });
}

/** Of a header without a column of addresses: what makes the most columns of it, for the error that names them. */
function likelyDelimiter(header: string): Delimiter {
  const columns = (delimiter: Delimiter) => header.split(delimiter).length;
  return ([";", "\t"] as const).reduce<Delimiter>((best, each) => (columns(each) > columns(best) ? each : best), ",");
}

/**
 * The columns of a CSV. A header that leaves open which column holds what refuses the whole file: rows without the
 * column of their users would be allowed, one by one.
 *
 * @param ignored names of columns that the operator leaves out.
 * @throws {InputUnreadableError | ConfigInvalidError}
 */
export function readHeader(text: string, ignored: readonly string[] = []): CsvHeader {
  // Tabs at the ends stay: each is a column without a name.
  const line = text.replace(/^\uFEFF? */, "").replace(/[ \r]+$/, "");
  if (line.includes("\r")) {
    throw new InputUnreadableError("the CSV header holds a carriage return: end every line with LF, or with CR LF");
  }
  const delimiter = delimiterOf(line) ?? likelyDelimiter(line);
  const header = csvRow(line, delimiter);
  if (!header.ok) throw new InputUnreadableError(`the CSV header cannot be read: ${header.detail}; correct that line`);
  // A column without a name is told by its number: addresses in it are not passed over in silence either.
  const all = header.value.map((name, i) => name.trim() || `no. ${i + 1}`);
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
  return { fields: toldApart(all.map((name) => (isIgnored(name) ? undefined : columnField(name)))), delimiter };
}

/** Columns of one name that are not read keep their places: addresses in each are looked for. */
function toldApart(fields: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return fields.map((field, i) =>
    field !== undefined && fields.indexOf(field) < i ? `${field} (no. ${i + 1})` : field,
  );
}

/** @throws {ConfigInvalidError} for a column that is not there, and for one that is read: verdicts depend on it. */
function ignoredAmong(names: readonly string[], ignored: readonly string[]): (name: string) => boolean {
  const folded = new Set(ignored.map(fieldOf));
  for (const name of ignored) {
    const field = fieldOf(name);
    if (!names.some((each) => fieldOf(each) === field)) {
      const found = shortName(names.join(", "));
      throw new ConfigInvalidError(`--ignore ${shortName(name)}: the CSV has no such column; it has: ${found}`);
    }
    if (addressFields.includes(field)) {
      throw new ConfigInvalidError(`--ignore ${shortName(name)}: the column is read, as ${field}: leave the flag out`);
    }
  }
  return (name) => folded.has(fieldOf(name));
}

function withoutAddress(names: readonly string[]): InputUnreadableError {
  const found = shortName(names.join(", "));
  return new InputUnreadableError(
    `the CSV header has no column "address"; it has: ${found}. Name the column of the addresses "address"${endsText(names)}`,
  );
}

/** Explorers name both ends of a payment: the other one is the user's own. */
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

/** A "Wallet" may be whom the file is about: while that column is missing, no other is guessed. */
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
