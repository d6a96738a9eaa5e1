import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { type Clock, timestamp } from "../../../kernel/clock.ts";
import { fail, type Result } from "../../../kernel/result.ts";
import type { AddressList } from "../../../labels/address-book.ts";
import { type LabelRow, parseLabelRow } from "../../../labels/import/label-row.ts";
import { type RefusedRow, refusedRow } from "../../../labels/import/refused-row.ts";
import { rowDay } from "../../../labels/import/row-day.ts";
import { LabelTable } from "../../../labels/index/label-table.ts";
import { readRows } from "./file-rows.ts";
import { ListFiles } from "./list-files.ts";
import { refuseBadRows, refuseEmptyList, refuseLostAccusations } from "./refuse-bad-rows.ts";

const DAY_DIGITS = 10;
const DAY_MS = 86_400_000;

export interface AddressListPaths {
  /**
   * Paths of screening lists. A row that is no entry refuses the whole file, since its address would be cleared. A list
   * without entries is refused, too.
   */
  readonly lists: readonly string[];
  /** Label files of an operator. A bad row refuses the file only when the row accuses its address. */
  readonly labels: readonly string[];
  /** Label files that come with the program. The tests of the program check them, and its version names them. */
  readonly bundled: readonly string[];
}

/** The screening lists and labels of an operator, in the form that the worker screens events with. */
export class AddressListFiles extends ListFiles<AddressList> {
  constructor({ lists, labels, bundled }: AddressListPaths, clock: Pick<Clock, "now">) {
    super([...new Set([...bundled, ...lists, ...labels])], async (file) => {
      const list = await readAddressList(file, bundled.includes(file), clock);
      if (lists.includes(file)) {
        refuseBadRows(file, list.refused);
        refuseEmptyList(file, list.labels.length);
      } else refuseLostAccusations(file, list.refused);
      return list;
    });
  }
}

async function readAddressList(file: string, isBundled: boolean, clock: Pick<Clock, "now">): Promise<AddressList> {
  const labels = new LabelTable();
  const refused: RefusedRow[] = [];
  const hash = createHash("sha256");
  const changedOn = isBundled ? "" : await dayOfChange(file);
  const tomorrow = timestamp(clock.now() + DAY_MS).slice(0, DAY_DIGITS);
  let newest = "";
  const { endsMidLine, unread } = await readRows(file, {
    setting: "LISTS_FILES or LABELS_FILES",
    bytes: (piece) => hash.update(piece),
    row: (source) => {
      if ("unreadable" in source) {
        refused.push(refusedRow(source, source.unreadable));
        return;
      }
      const parsed = parseLabelRow(isBundled ? withoutChecksum(source.row) : source.row);
      const date = dateOf(source.row.date, tomorrow);
      if (!parsed.ok || !date.ok) {
        refused.push(refusedRow(source, parsed.ok ? (date.ok ? "" : date.detail) : parsed.detail));
        return;
      }
      if (date.value > newest) newest = date.value;
      if (parsed.value.kind !== "site") labels.add(parsed.value);
    },
  });
  const info = {
    name: path.basename(file),
    sha256: hash.digest("hex"),
    date: newest === "" ? changedOn : newest,
    loadedAt: timestamp(clock.now()),
  };
  return { name: file, info: isBundled ? undefined : info, labels, refused, unread, endsMidLine };
}

/**
 * The tests of the program have checked its own files. A new check of 18,000 checksums takes half a second (measured).
 */
function withoutChecksum(row: LabelRow): LabelRow {
  const { address } = row;
  return typeof address === "string" && address.startsWith("0x") ? { ...row, address: address.toLowerCase() } : row;
}

/** The day in a cell; empty for an empty cell. */
function dateOf(cell: unknown, tomorrow: string): Result<string> {
  const day = rowDay(cell);
  return day.ok && day.value > tomorrow
    ? fail(`date: must be a day that does not lie ahead, as ${day.value} does`)
    : day;
}

async function dayOfChange(file: string): Promise<string> {
  // An absent file is reported when its rows are read.
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? "" : timestamp(found.mtimeMs).slice(0, DAY_DIGITS);
}
