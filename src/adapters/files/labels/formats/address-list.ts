import { type ListEntry, listEntry } from "../../../../labels/import/list-entry.ts";
import { JsonElements } from "../json-elements.ts";
import { addressLine, isHeader } from "./address-line.ts";
import { listLines } from "./list-lines.ts";
import type { ListSource, Unsaid } from "./list-source.ts";

/**
 * One address a line, or its explorer's page, with its name behind it; or a JSON array of addresses. A line that begins
 * with # is a comment. Text after a # with white space before it is a comment, too. A first line that names the columns
 * is no row. Without a chain, the form of each address tells its chain.
 */
export async function* addressList(list: ListSource, unsaid: Unsaid): AsyncGenerator<ListEntry> {
  if (/^\s*\[/.test(await list.head())) yield* fromArray(list, unsaid);
  else yield* fromLines(list, unsaid);
}

async function* fromArray(list: ListSource, unsaid: Unsaid): AsyncGenerator<ListEntry> {
  const elements = new JsonElements("addresses");
  for await (const piece of list.pieces()) {
    for (const { place, value } of elements.push(piece)) {
      yield typeof value === "string"
        ? entryOf(place, value, unsaid)
        : { line: place, unreadable: "row: must be text" };
    }
  }
  elements.end();
}

async function* fromLines(list: ListSource, unsaid: Unsaid): AsyncGenerator<ListEntry> {
  let isFirst = true;
  for await (const { number, text } of listLines(list)) {
    if (/^\s*(#|$)/.test(text)) continue;
    if (!isFirst || !isHeader(text)) yield entryOf(number, text, unsaid);
    isFirst = false;
  }
}

function entryOf(line: number, text: string, unsaid: Unsaid): ListEntry {
  const read = addressLine(text);
  if (!read.ok) return { line, unreadable: `address: ${read.detail}` };
  const { chain, kind = "sanctioned" } = unsaid;
  const { address, link, currency = "" } = read.value;
  const name = read.value.name === "" ? (unsaid.name ?? `${kind} address`) : read.value.name;
  const entry = listEntry(line, address, chain === undefined ? { currency } : { chain }, { name, kind });
  return link !== undefined && "row" in entry ? { ...entry, isFromLink: true } : entry;
}
