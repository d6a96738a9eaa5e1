import { isAddress } from "../../../../chains/unscreened-chains.ts";
import { requiredColumns } from "../../../../labels/import/label-row.ts";
import { csvRow, type Delimiter } from "../../input/csv/csv-cells.ts";
import { columnNamed } from "../label-columns.ts";
import type { LabelFormat } from "../label-format.ts";
import { addressLine } from "./address-line.ts";
import { entityIn } from "./wallet-owners.ts";

/** The type of a file by its beginning: a format that can be imported, or a known format that cannot. */
export type Guess = { readonly format: LabelFormat } | { readonly foreign: string };

const foreignBeginnings: readonly (readonly [RegExp, string])[] = [
  [/^<(!doctype html|html)/i, "a web page: download the file itself"],
  [/<sanctionsData[\s>]/, "OFAC's SDN_ENHANCED.XML: take SDN_ADVANCED.XML"],
  [/^"?id"?,"?schema"?,/, "OpenSanctions' CSV, which names no wallets: take entities.ftm.json"],
];

/** The type of the text that begins with `head`, where that is certain; undefined otherwise. */
export function guessFormat(head: string): Guess | undefined {
  const text = head.trimStart();
  const foreign = foreignBeginnings.find(([form]) => form.test(text));
  if (foreign !== undefined) return { foreign: foreign[1] };
  const format = text.startsWith("<") ? xmlFormat(text) : (jsonFormat(text) ?? linesFormat(text));
  return format === undefined ? undefined : { format };
}

function xmlFormat(text: string): LabelFormat | undefined {
  return /<(\w+:)?(Sanctions|sdnList)[\s>]/.test(text) ? "ofac-xml" : undefined;
}

/** A first entity that is longer than the head. */
const entityBegins = /^\{\s*"id"\s*:\s*"[^"]*".{0,10000}"schema"\s*:\s*"\w+"/;

function jsonFormat(text: string): LabelFormat | undefined {
  if (text.startsWith("[")) return /^\[\s*("|\])/.test(text) ? "address-list" : undefined;
  if (!text.startsWith("{")) return undefined;
  const [line = ""] = text.split("\n", 1);
  if (entityIn(line) !== undefined || entityBegins.test(line)) return "opensanctions";
  if (/^\{\s*"0x/i.test(text)) return "explorer-labels";
  return /"tokens"\s*:\s*\[/.test(text) ? "token-list" : undefined;
}

function linesFormat(text: string): LabelFormat | undefined {
  const line = text.split(/\r\n|\n/).find((each) => !/^\s*(#|$)/.test(each)) ?? "";
  if (([",", ";", "\t"] as const).some((delimiter) => isLabelHeader(cellsOf(line, delimiter)))) return "csv";
  const columns = cellsOf(line, ",");
  const lower = columns.map((column) => column.toLowerCase());
  if (["blockchain", "address", "cex_name"].every((column) => lower.includes(column))) return "cex-table";
  if (columns.length === 12 && /^\d+$/.test(columns[0] ?? "") && /-0-/.test(line)) return "ofac-csv";
  const read = addressLine(line);
  return read.ok && isAddress(read.value.address) ? "address-list" : undefined;
}

function cellsOf(line: string, delimiter: Delimiter): readonly string[] {
  const cells = csvRow(line, delimiter, { trim: true, relax_quotes: true });
  return cells.ok ? cells.value.map((cell) => cell.trim()) : [];
}

function isLabelHeader(cells: readonly string[]): boolean {
  const columns = cells.map(columnNamed);
  return requiredColumns.every((column) => columns.includes(column));
}
