import { misnamedAmong } from "../../contract/misnamed-field.ts";
import { shownName } from "../../contract/shown-name.ts";
import { addressFields } from "../../events/event.ts";
import { InputUnreadableError } from "../../kernel/errors.ts";
import { csvRow, type Delimiter, fieldOf } from "./csv-event.ts";

/** What the header says of every row below it. */
export interface CsvHeader {
  readonly fields: readonly string[];
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

/**
 * The columns of a CSV. A header that leaves open which column holds what refuses the whole file: rows without the
 * column of their users would be allowed, one by one.
 *
 * @throws {InputUnreadableError}
 */
export function readHeader(text: string): CsvHeader {
  // Tabs at the ends stay: each is a column without a name.
  const line = text.replace(/^\uFEFF? */, "").replace(/[ \r]+$/, "");
  if (line.includes("\r")) {
    throw new InputUnreadableError("the CSV header holds a carriage return: end every line with LF, or with CR LF");
  }
  const delimiter = delimiterOf(line) ?? ",";
  const header = csvRow(line, delimiter);
  if (!header.ok) throw new InputUnreadableError(`the CSV header cannot be read: ${header.detail}; correct that line`);
  const names = header.value.map((name) => name.trim());
  const fields = names.map(fieldOf);
  refuseMixed(names);
  refuseMisnamed(names, fields.includes("address"));
  const twice = fields.find((field, i) => field !== "" && fields.indexOf(field) !== i);
  if (twice !== undefined) {
    throw new InputUnreadableError(
      `the CSV header names the column "${shownName(twice)}" twice: rename or take out one of them`,
    );
  }
  if (!fields.includes("address")) {
    throw withoutAddress(names);
  }
  return { fields, delimiter };
}

function withoutAddress(names: readonly string[]): InputUnreadableError {
  const found = shownName(names.join(", "));
  return new InputUnreadableError(
    `the CSV header has no column "address"; it has: ${found}. Name the column of the addresses "address"`,
  );
}

function refuseMixed(names: readonly string[]): void {
  const mixed = names.find((name) => {
    const parts = name.split(/[,;|\t]/);
    return parts.length > 1 && parts.some(isOurs);
  });
  if (mixed === undefined) return;
  throw new InputUnreadableError(
    `the CSV header has a column "${shownName(mixed)}" that reads like several: separate all columns by commas`,
  );
}

/** A "Wallet" may be whom the file is about: while that column is missing, no other is guessed. */
function refuseMisnamed(names: readonly string[], hasAddress: boolean): void {
  for (const name of names) {
    const meant = misnamed([fieldOf(name)])?.meant;
    if (meant === undefined) continue;
    if (!hasAddress && meant !== "address") throw withoutAddress(names);
    throw new InputUnreadableError(
      `the CSV header has an unknown column "${shownName(name)}": if you mean "${meant}", name it so; if not, choose another name`,
    );
  }
}
