import { fail, type Result } from "../../../kernel/result.ts";
import { addressFields, type ScreeningEvent } from "../../../messages/event.ts";
import { readEvent } from "../../../messages/parse-event.ts";
import type { StrayAddress } from "../../../messages/unread/stray-address.ts";
import { csvRow } from "./csv-cells.ts";
import { columnField, eventFields } from "./csv-event.ts";
import type { CsvHeader } from "./csv-header.ts";
import { CsvLines } from "./csv-lines.ts";
import type { Defaults } from "./format.ts";

/** The replacement character, which marks bytes that are not valid UTF-8. */
const REPLACED = "\uFFFD";
const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8");

/** Reads the rows of a CSV as events, by the header of the file. */
export class EventRows {
  readonly #header: CsvHeader;
  readonly #defaults: Defaults;

  constructor(header: CsvHeader, defaults: Defaults) {
    this.#header = header;
    this.#defaults = defaults;
  }

  /** Joins lines into rows. */
  lines(): CsvLines {
    const { fields, delimiter } = this.#header;
    return new CsvLines(delimiter, (text) => {
      const row = csvRow(text, delimiter);
      return row.ok && row.value.length === fields.length;
    });
  }

  /** The event of a row, or the fault of the row. @param onStrays receives the addresses that are not read. */
  read(bytes: Uint8Array, onStrays: (strays: readonly StrayAddress[]) => void): Result<ScreeningEvent> {
    const { fields, delimiter } = this.#header;
    const text = strictText(bytes);
    const row = csvRow(text ?? lenient.decode(bytes), delimiter);
    if (!row.ok) return row;
    // A truncated row has lost its last columns, perhaps the user's addresses. It must not pass as whole.
    if (row.value.length !== fields.length) return fail(`${row.value.length} columns, the header has ${fields.length}`);
    if (text === undefined) {
      const broken = fields.find((name, i) => isRead(name) && row.value[i]?.includes(REPLACED) === true);
      if (broken !== undefined) return fail(`${broken}: not valid UTF-8`);
    }
    return readEvent(eventFields(fields, row.value, this.#defaults), onStrays);
  }
}

function isRead(column: string | undefined): column is string {
  return column !== undefined && addressFields.includes(columnField(column));
}

/** Undefined for bytes that are not valid UTF-8. */
function strictText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
