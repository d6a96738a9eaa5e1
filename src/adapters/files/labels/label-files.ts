import type { LabelReach } from "../../../labels/import/label-row.ts";
import { accuses } from "../../../labels/label.ts";
import { type LabelList, LabelListReader } from "../../../labels/label-list.ts";
import { readRows } from "./file-rows.ts";
import { ListFiles } from "./list-files.ts";
import { refuseBadRows, refuseEmptyList, refuseLostAccusations } from "./refuse-bad-rows.ts";

/**
 * The labels of CSV and JSON files. An address of the files `ofFamilies` is no imitation on any chain of its family. In
 * the files `lists` only rows that accuse count, and a row that is no entry refuses the whole file. In the other files,
 * only a bad row that accuses refuses the file.
 */
export class LabelFiles extends ListFiles<LabelList> {
  constructor(paths: readonly string[], ofFamilies: readonly string[] = [], lists: readonly string[] = []) {
    super([...paths, ...lists], (file) =>
      lists.includes(file) ? readAccusations(file) : readLabels(file, ofFamilies.includes(file) ? "family" : "chain"),
    );
  }
}

async function readLabels(file: string, reach: LabelReach): Promise<LabelList> {
  const reader = new LabelListReader(reach);
  const read = await readRows(file, { row: (row) => reader.add(row) });
  const list = reader.list(file, read);
  refuseLostAccusations(file, list.refused);
  return list;
}

async function readAccusations(file: string): Promise<LabelList> {
  const reader = new LabelListReader("chain", accuses);
  let rows = 0;
  const read = await readRows(file, {
    setting: "LISTS_FILES",
    row: (row) => {
      rows++;
      reader.add(row);
    },
  });
  const list = reader.list(file, read);
  refuseBadRows(file, list.refused);
  refuseEmptyList(file, rows);
  return list;
}
