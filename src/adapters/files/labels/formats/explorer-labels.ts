import { filledIn, type ListEntry } from "../../../../labels/import/list-entry.ts";
import type { ListSource, Unsaid } from "./list-source.ts";
import { isObject, wholeDocument } from "./whole-document.ts";

/** Kinds by tags of explorers. Only tags with a certain meaning are listed. The first match counts. */
const kindByTag: readonly (readonly [tag: RegExp, kind: string])[] = [
  [/^(phish-hack|phishing|scam|heist|exploit|hack|fake-phishing)/, "malicious"],
  [/^(blocked|ofac-sanction)/, "sanctioned"],
  [
    /^(exchange|cex|binance|coinbase|kraken|okx|okex|bybit|kucoin|huobi|htx|gate-io|bitfinex|crypto-com|gemini)$/,
    "exchange",
  ],
  [/bridge/, "bridge"],
];

/**
 * An object by address, as in snapshots of explorer tags. In `{"0x..": "Binance 14"}` the kind is that of the whole
 * file. In `{"0x..": {"name": "..", "labels": ["binance", ..]}}` the tags tell the kind.
 */
export async function* explorerLabels(list: ListSource, unsaid: Unsaid): AsyncGenerator<ListEntry> {
  let line = 0;
  for (const [address, value] of Object.entries(await wholeDocument(list))) {
    yield filledIn(entry(++line, address, value, unsaid), unsaid);
  }
}

function entry(line: number, address: string, value: unknown, { chain = "1", kind = "" }: Unsaid): ListEntry {
  if (typeof value === "string") return { line, row: { chain, address, name: value, kind } };
  if (!isObject(value)) return { line, unreadable: "row: must be a name, or an object with name and labels" };
  const tags = Array.isArray(value["labels"]) ? value["labels"].filter((tag) => typeof tag === "string") : [];
  const told = kindByTag.find(([tag]) => tags.some((each) => tag.test(each)))?.[1] ?? kind;
  if (told === "") return { line, unreadable: `kind: none of the tags tells it: ${tags.join(", ").slice(0, 80)}` };
  const [name = ""] = [value["name"], tags[0]].filter((each) => typeof each === "string" && each !== "");
  return { line, row: { chain, address, name, kind: told } };
}
