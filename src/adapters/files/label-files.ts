import { type LabelList, LabelListReader } from "../../labels/label-list.ts";
import type { Reach } from "../../labels/label-row.ts";
import { readRows } from "./file-rows.ts";
import { ListFiles } from "./list-files.ts";

/** The labels of CSV and JSON files. Those of the files `ofFamilies` hold on all chains of their family. */
export class LabelFiles extends ListFiles<LabelList> {
  constructor(paths: readonly string[], ofFamilies: readonly string[] = []) {
    super(paths, (file) => readLabels(file, ofFamilies.includes(file) ? "family" : "chain"));
  }
}

async function readLabels(file: string, reach: Reach): Promise<LabelList> {
  const list = new LabelListReader(reach);
  const endsMidLine = await readRows(file, { row: (row) => list.add(row) });
  return list.list(file, endsMidLine);
}
