import { ConfigInvalidError, InputUnreadableError } from "../../../kernel/errors.ts";
import { fail, type Result } from "../../../kernel/result.ts";
import { MAX_EVENT_BYTES, type ScreeningEvent } from "../../../messages/event.ts";
import type { TransferEnds } from "../../../messages/mapping/compile-mapping.ts";
import { mapColumns } from "../../../messages/mapping/map-columns.ts";
import { mapJson } from "../../../messages/mapping/map-json.ts";
import type { WalletView } from "../../../messages/mapping/mapped-event.ts";
import type { OnStrays } from "../../../messages/unread/stray-address.ts";
import { csvRow } from "../input/csv/csv-cells.ts";
import { columnRef, readColumns } from "../input/csv/csv-columns.ts";
import { CsvLines } from "../input/csv/csv-lines.ts";
import { cellsOf } from "../input/csv/row-cells.ts";
import type { LoadedMapping } from "./mapping-file.ts";

/** How the lines of a file become events through a mapping. */
export interface MappedInput extends LoadedMapping {
  /** The wallet's addresses and its payments. Without a wallet, the file itself states directions. */
  readonly view?: WalletView | undefined;
}

/** Reads the lines of one file through a mapping. */
export interface MappedReader {
  /** Joins lines to rows; absent for JSON. */
  readonly csv?: CsvLines;
  /** Columns that the mapping leaves out on purpose. */
  readonly ignored: readonly string[];
  /** The chain of every row, where the mapping names it and the file does not. */
  readonly assumedChain?: string | undefined;
  ends(bytes: Uint8Array): Result<TransferEnds | undefined>;
  event(bytes: Uint8Array, line: number, onStrays: OnStrays): Result<ScreeningEvent>;
}

interface MappedReaderOptions {
  readonly chain: string | undefined;
  readonly users: readonly string[];
  readonly ignored: readonly string[];
  readonly keepColumns: boolean;
}

/** @throws {ConfigInvalidError | InputUnreadableError} with every column that is missing. */
export function csvReader(header: string, input: MappedInput, options: MappedReaderOptions): MappedReader {
  const { names, delimiter } = readColumns(header);
  for (const name of options.ignored) {
    if (!names.includes(name.trim()) && !names.some((each) => each.toLowerCase() === name.trim().toLowerCase()))
      throw new ConfigInvalidError(`--ignore ${name}: the CSV has no such column; it has: ${names.join(", ")}`);
  }
  const mapped = mapColumns(input.mapping, names, options);
  if (!mapped.ok) throw new InputUnreadableError(`the mapping ${input.name} does not fit: ${mapped.detail}`);
  refuseWithoutWallet(input, mapped.value);
  const { value: mapping } = mapped;
  const hasRef = mapping.part.fields?.["ref"] !== undefined;
  if (options.keepColumns && hasRef)
    throw new ConfigInvalidError("--keep-columns fills ref, which the mapping fills: leave one out");
  const isRead = (i: number) => mapping.isRead[i] === true;
  const cells = (bytes: Uint8Array) => cellsOf(bytes, delimiter, names, isRead);
  return {
    csv: new CsvLines(delimiter, (text) => {
      const row = csvRow(text, delimiter);
      return row.ok && row.value.length === names.length;
    }),
    ignored: mapping.ignored,
    assumedChain:
      options.chain === undefined && mapping.part.fields?.["chain_id"] === undefined ? mapping.part.chain : undefined,
    ends(bytes) {
      const row = cells(bytes);
      return row.ok ? mapping.ends(row.value) : row;
    },
    event(bytes, line, onStrays) {
      const row = cells(bytes);
      if (!row.ok) return row;
      const event = mapping.event(row.value, line, input.view, onStrays);
      if (!event.ok) return event;
      const users = withUsers(event.value, options.users);
      return { ok: true, value: options.keepColumns ? { ...users, ref: columnRef(names, row.value) } : users };
    },
  };
}

/** @throws {ConfigInvalidError} */
export function jsonReader(input: MappedInput, options: MappedReaderOptions): MappedReader {
  if (options.keepColumns) throw new ConfigInvalidError("--keep-columns is for the columns of a CSV: map ref instead");
  const mapping = mapJson(input.mapping, options.chain, options.ignored);
  refuseWithoutWallet(input, mapping);
  return {
    ignored: [],
    ends: (bytes) => mapping.ends(bytes),
    event(bytes, line, onStrays) {
      const event = mapping.event(bytes, line, input.view, onStrays);
      return event.ok ? { ok: true, value: withUsers(event.value, options.users) } : event;
    },
  };
}

function withUsers(event: ScreeningEvent, users: readonly string[]): ScreeningEvent {
  if (users.length === 0) return event;
  return { ...event, user_addresses: [...new Set([...users, ...(event.user_addresses ?? [])])] };
}

/** An export with both ends of each payment needs the wallet, or a column of directions. */
function refuseWithoutWallet(
  { name, view }: MappedInput,
  {
    hasEnds,
    hasTime,
    hasDirection,
  }: { readonly hasEnds: boolean; readonly hasTime: boolean; readonly hasDirection: boolean },
): void {
  if (view === undefined && hasEnds && !hasDirection) {
    throw new ConfigInvalidError(
      `the mapping ${name} has both ends of each payment: add --wallet ADDRESS, the wallet that the file is about`,
    );
  }
  if (view === undefined) return;
  if (!hasEnds) throw new ConfigInvalidError(`--wallet: the mapping ${name} has no transfer with two ends`);
  if (!hasTime) throw new ConfigInvalidError(`--wallet: the mapping ${name} names no time of the payments`);
}

export const TOO_LONG = fail(`larger than ${MAX_EVENT_BYTES} bytes`);
