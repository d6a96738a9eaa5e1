import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { type Clock, timestamp } from "../../kernel/clock.ts";
import type { AddressList } from "../../labels/address-book.ts";
import { AddressTable } from "../../labels/address-table.ts";
import type { RefusedRow } from "../../labels/label-list.ts";
import { parseLabelRow } from "../../labels/label-row.ts";
import { readRows } from "./file-rows.ts";
import { ListFiles } from "./list-files.ts";

const DAY_DIGITS = 10;
const day = /^\d{4}-\d{2}-\d{2}/;

/** The lists of an operator, and the files of labels that come with the program, as the worker holds events against them. */
export class AddressListFiles extends ListFiles<AddressList> {
  /** @param bundled files that come with the program: its tests checked them, and its version names them. */
  constructor(paths: readonly string[], bundled: readonly string[], clock: Pick<Clock, "now">) {
    super([...bundled, ...paths], (file) => readAddressList(file, bundled.includes(file), clock));
  }
}

async function readAddressList(file: string, isBundled: boolean, clock: Pick<Clock, "now">): Promise<AddressList> {
  const labels = new AddressTable();
  const refused: RefusedRow[] = [];
  const hash = createHash("sha256");
  let newest = "";
  const endsMidLine = await readRows(file, {
    setting: "LISTS_FILES or LABELS_FILES",
    bytes: (piece) => hash.update(piece),
    row: (source) => {
      const parsed = "row" in source ? parseLabelRow(source.row, isBundled ? "family" : "chain") : undefined;
      if (parsed === undefined || !parsed.ok) {
        const detail = "unreadable" in source ? source.unreadable : (parsed?.detail ?? "");
        refused.push({ line: source.line, detail });
        return;
      }
      const date = "row" in source ? source.row["date"] : undefined;
      if (typeof date === "string" && day.test(date) && date > newest) newest = date;
      if (parsed.value.kind !== "site") labels.add(parsed.value);
    },
  });
  const info = {
    name: path.basename(file),
    sha256: hash.digest("hex"),
    date: newest === "" ? await changedOn(file) : newest.slice(0, DAY_DIGITS),
    loadedAt: timestamp(clock.now()),
  };
  return { name: file, info: isBundled ? undefined : info, labels, refused, endsMidLine };
}

async function changedOn(file: string): Promise<string> {
  return timestamp((await stat(file)).mtimeMs).slice(0, DAY_DIGITS);
}
