import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { fail, type Result } from "../../../kernel/result.ts";
import type { ScreeningEvent } from "../../../messages/event.ts";
import { MAX_EVENT_BYTES } from "../../../messages/event.ts";
import type { TransferEnds } from "../../../messages/mapping/compile-mapping.ts";
import type { StrayAddress } from "../../../messages/unread/stray-address.ts";
import type { CsvLines } from "../input/csv/csv-lines.ts";
import type { Defaults, Format } from "../input/format.ts";
import type { Line } from "../input/lines.ts";
import { csvReader, jsonReader, type MappedInput, TOO_LONG } from "./mapped-reader.ts";

/** Where the lines of a file become rows. */
interface RowTarget {
  csv: CsvLines | undefined;
  isByLine: boolean;
}

/** The flags and callbacks of a reading that concern a mapped file. */
interface MappedLineOptions {
  readonly defaults: Defaults;
  readonly ignored?: readonly string[] | undefined;
  readonly keepColumns?: boolean | undefined;
  readonly onUnread?: ((strays: readonly StrayAddress[], kind: "field" | "column", place: string) => void) | undefined;
  readonly onEnds?: ((line: number, ends: TransferEnds) => void) | undefined;
  readonly onIgnored?: ((columns: readonly string[]) => void) | undefined;
  readonly onAssumedChain?: ((chain: string) => void) | undefined;
}

/** A reading of ends makes no events. */
const ENDS_ONLY = fail("only the ends of the payment were read");

/**
 * The reader of a mapped file's lines. @param firstLine the header of a CSV.
 *
 * @throws {ConfigInvalidError | InputUnreadableError} for a file that the mapping does not fit.
 */
export function throughMapping(
  format: Format,
  firstLine: string,
  options: MappedLineOptions,
  mapping: MappedInput,
  rows: RowTarget,
): (line: Line) => Result<ScreeningEvent> {
  const { defaults, ignored = [], onUnread, onEnds, onIgnored, onAssumedChain, keepColumns = false } = options;
  if (format === "list") throw new ConfigInvalidError("a bare list of addresses has no fields to map");
  if (defaults.token !== undefined) throw new ConfigInvalidError("--token: the mapping names the token, if any");
  const kept = { chain: defaults.chain, users: defaults.users, ignored, keepColumns };
  const reader = format === "csv" ? csvReader(firstLine, mapping, kept) : jsonReader(mapping, kept);
  if (reader.csv === undefined) rows.isByLine = true;
  else rows.csv = reader.csv;
  if (reader.ignored.length > 0) onIgnored?.(reader.ignored);
  if (reader.assumedChain !== undefined) onAssumedChain?.(reader.assumedChain);
  const kind = format === "csv" ? "column" : "field";
  return ({ bytes, number }) => {
    if (bytes.byteLength > MAX_EVENT_BYTES) return TOO_LONG;
    if (onEnds === undefined)
      return reader.event(bytes, number, (strays) => onUnread?.(strays, kind, `line ${number}`));
    const ends = reader.ends(bytes);
    if (ends.ok && ends.value !== undefined) onEnds(number, ends.value);
    return ENDS_ONLY;
  };
}
