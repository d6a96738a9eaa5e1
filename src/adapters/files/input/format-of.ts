import path from "node:path";
import { InputUnreadableError } from "../../../kernel/errors.ts";
import { delimiterOf } from "./csv/csv-columns.ts";
import { fieldOf } from "./csv/csv-event.ts";
import type { Format } from "./format.ts";
import { nameOf } from "./input-bytes.ts";

/** The kind of file that its first non-blank line shows. */
type Seen = "objects" | "array" | "several-lines" | "header" | "row" | "address" | "markup" | "anything";

/** The origin of the decision on the format: the flag, the file's name or its first line. */
export type FormatHint = "flag" | "name" | "line";

/** The format that the extension of a file's name stands for. */
export function formatOfName(filePath: string): Format | undefined {
  const extension = path.extname(filePath.replace(/\.gz$/, "")).toLowerCase();
  if (extension === ".csv") return "csv";
  return [".ndjson", ".jsonl", ".json"].includes(extension) ? "ndjson" : undefined;
}

/** The format of a file with an unknown extension, by its first line. */
export function formatOfLine(firstLine: string): Format {
  if (/^[{[]/.test(firstLine)) return "ndjson";
  return seenIn(firstLine) === "header" ? "csv" : "list";
}

/** The format of a mapped file with an unknown extension: its header may have any columns. */
export function mappedFormatOf(firstLine: string): Format {
  return /^[{[]/.test(firstLine) ? "ndjson" : "csv";
}

/**
 * Refuses a file that is plainly of another format than the one it would be read as. Otherwise each line gives one bad
 * record, with a reason that does not name the mistake. A merely bad line passes: it is one bad record, and the other
 * lines are read.
 *
 * @throws {InputUnreadableError} that names the observed format and the remedy.
 */
export function refuseOtherFormat(filePath: string, format: Format, said: FormatHint, line: string): void {
  const remedy = remedyOf(format, said, seenIn(line));
  if (remedy !== undefined) throw new InputUnreadableError(`${nameOf(filePath)} ${remedy}`);
}

/** Whether the beginning of a first line already shows another format, whatever the rest of that line is. */
export function isOtherByBeginning(format: Format, begun: string): boolean {
  return /^[[<]/.test(begun) || (begun.startsWith("{") && format !== "ndjson");
}

function remedyOf(format: Format, said: FormatHint, seen: Seen): string | undefined {
  const asSaid = `is read as ${titles[format]}, as ${said === "flag" ? `--format ${format}` : "its name"} says, and its first line is`;
  const change = (to: Format) => (said === "flag" ? `give --format ${to} instead` : `add --format ${to}`);
  if (seen === "markup") return "begins like a web page or XML, perhaps an error in place of the data: get it again";
  if (seen === "array")
    return "begins like one JSON array: write one event a line, for example with jq -c '.[]' IN > OUT";
  if (seen === "several-lines")
    return "begins like JSON over several lines: write one event a line, for example with jq -c . IN > OUT";
  if (seen === "objects" && format !== "ndjson") return `${asSaid} a JSON object: ${change("ndjson")}`;
  if (seen === "header" && format !== "csv") return `${asSaid} a CSV header: ${change("csv")}`;
  if (seen === "row" && format === "csv")
    return "has no header: its first line is a row. Put a line above it that names the columns, such as chain,address,users";
  if (seen === "address" && format !== "list")
    return `${asSaid} an address: ${change("list")} and --chain, if it is a bare list`;
  return undefined;
}

const titles: Readonly<Record<Format, string>> = { ndjson: "NDJSON", csv: "CSV", list: "a bare list" };

/** Addresses of all families, by their characters and length. */
const address = /^(0[xX][0-9a-fA-F]{40}|bc1[0-9a-z]{11,71}|[1-9A-HJ-NP-Za-km-z]{26,44})$/;

function seenIn(line: string): Seen {
  if (line.startsWith("[")) return "array";
  if (line.startsWith("{")) return /[{[,]$/.test(line) ? "several-lines" : "objects";
  if (/^<(!doctype|\?xml|html|head|body)\b/i.test(line)) return "markup";
  if (delimiterOf(line) !== undefined || fieldOf(line) === "address") return "header";
  if (address.test(line)) return "address";
  return line.split(/[,;\t]/).some((cell) => address.test(cell.trim())) ? "row" : "anything";
}
