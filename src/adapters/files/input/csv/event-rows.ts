import { shortName } from "../../../../api/requests/short-name.ts";
import { accountIdIn } from "../../../../chains/written-chain.ts";
import { ConfigInvalidError } from "../../../../kernel/errors.ts";
import { fail, ok, type Result } from "../../../../kernel/result.ts";
import { quotedName } from "../../../../kernel/text.ts";
import { addressFields, type ScreeningEvent } from "../../../../messages/event.ts";
import { readEvent } from "../../../../messages/parse-event.ts";
import type { StrayAddress } from "../../../../messages/unread/stray-address.ts";
import type { Defaults } from "../format.ts";
import { csvRow } from "./csv-cells.ts";
import { columnRef } from "./csv-columns.ts";
import { columnField, eventFields } from "./csv-event.ts";
import type { CsvHeader } from "./csv-header.ts";
import { CsvLines } from "./csv-lines.ts";
import { cellsOf } from "./row-cells.ts";

/** A text that is a symbol of a token, such as USDT, and no address. */
const symbol = /^(?!0[xX])(?=.*\p{L})[\p{L}\p{N}$₮.+ -]{1,20}$/u;

/** Reads the rows of a CSV as events, by the header of the file. */
export class EventRows {
  readonly #header: CsvHeader;
  readonly #defaults: Defaults;
  readonly #keepsColumns: boolean;
  readonly #fieldNames: readonly string[];
  #isFirst = true;

  /** @param keepsColumns whether the event repeats all cells of its row. @throws {ConfigInvalidError} */
  constructor(header: CsvHeader, defaults: Defaults, keepsColumns = false) {
    this.#header = header;
    this.#defaults = defaults;
    this.#keepsColumns = keepsColumns;
    this.#fieldNames = header.fields.map((field, i) => field ?? header.names[i] ?? "");
    if (keepsColumns && header.fields.includes("ref"))
      throw new ConfigInvalidError("--keep-columns fills ref, and the CSV has a column ref: leave one of them out");
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
    const { fields, names, delimiter } = this.#header;
    const row = cellsOf(bytes, delimiter, this.#fieldNames, (i) => isRead(fields[i]));
    if (!row.ok) return row;
    const values = eventFields(fields, row.value, this.#defaults);
    const token = values["token_address"];
    const isSymbol = typeof token === "string" && symbol.test(token);
    if (this.#isFirst) this.#refuseUnfit(values, isSymbol ? token : undefined);
    if (isSymbol) return fail(`token_address: ${symbolText(token)}`);
    const event = readEvent(values, onStrays);
    if (!event.ok || !this.#keepsColumns) return event;
    return ok({ ...event.value, ref: columnRef(names, row.value) });
  }

  /** A fault that each row would share is reported before the run. @throws {ConfigInvalidError} */
  #refuseUnfit(values: Readonly<Record<string, unknown>>, token: string | undefined): void {
    this.#isFirst = false;
    const { fields } = this.#header;
    if (token !== undefined) {
      const column = this.#header.names[fields.indexOf("token_address")] ?? "token_address";
      throw new ConfigInvalidError(
        `the column ${shortName(column)} is read as token_address, and ${symbolText(token)}: leave the column out by --ignore ${quotedName(column)}`,
      );
    }
    const { address, chain_id: chain } = values;
    const isNamed = typeof address === "string" && accountIdIn(address) !== undefined;
    if (chain !== undefined || isNamed || fields.includes("chain_id")) return;
    throw new ConfigInvalidError(
      "the CSV has no column of the chain: add --chain, for example --chain eth, or a column chain_id",
    );
  }
}

function symbolText(token: string): string {
  return `${shortName(token)} is the symbol of a token, not its contract`;
}

function isRead(column: string | undefined): column is string {
  return column !== undefined && addressFields.includes(columnField(column));
}
