import { filledIn, type ListEntry } from "../../../../labels/import/list-entry.ts";
import { csvRow } from "../../input/csv/csv-cells.ts";
import { listLines } from "./list-lines.ts";
import type { ListSource, Unsaid } from "./list-source.ts";

/** Names of chains in analytics tables, beyond the names in the chain registry. */
const chainByTableName: Readonly<Record<string, string>> = { avalanche_c: "43114", zksync: "324" };

/**
 * A table of exchange wallets as analytics sites export it: columns `blockchain`, `address` and `distinct_name` or
 * `cex_name`. Other columns are ignored.
 */
export async function* cexTable(list: ListSource, unsaid: Unsaid): AsyncGenerator<ListEntry> {
  let columns: readonly string[] | undefined;
  for await (const { number: line, text } of listLines(list)) {
    if (columns === undefined) columns = columnsOf(text);
    else if (text.trim() !== "") yield filledIn({ line, row: rowOf(columns, cellsOf(text)) }, unsaid);
  }
  if (columns === undefined) columnsOf("");
}

function columnsOf(header: string): readonly string[] {
  const columns = cellsOf(header).map((column) => column.trim().toLowerCase());
  for (const wanted of ["blockchain", "address", "cex_name"]) {
    if (!columns.includes(wanted)) throw new Error(`no column ${wanted} in the header`);
  }
  return columns;
}

function rowOf(columns: readonly string[], cells: readonly string[]) {
  const cell = (column: string) => cells[columns.indexOf(column)]?.trim() ?? "";
  const chain = chainByTableName[cell("blockchain")] ?? cell("blockchain");
  const name = cell("distinct_name") === "" ? cell("cex_name") : cell("distinct_name");
  return { chain, address: cell("address"), name, kind: "exchange" };
}

function cellsOf(line: string): readonly string[] {
  const cells = csvRow(line, ",", { trim: true, relax_quotes: true });
  return cells.ok ? cells.value : [];
}
