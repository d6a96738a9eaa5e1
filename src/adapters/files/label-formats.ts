import type { SourceRow } from "../../labels/label-list.ts";
import type { LabelRow } from "../../labels/label-row.ts";
import { csvRow } from "./csv-event.ts";
import type { LabelFormat } from "./label-format.ts";
import { csvRows } from "./label-rows.ts";

/** What the file itself does not say of its rows. */
export interface Unsaid {
  readonly chain?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** How each format is read. Rows are checked afterwards, as those of a label file. */
export const labelFormats = {
  "explorer-labels": explorerLabels,
  "cex-table": cexTable,
  "address-list": addressList,
  "token-list": tokenList,
  csv: (text: string) => [...csvRows(text)],
} as const satisfies Record<LabelFormat, (text: string, unsaid: Unsaid) => readonly SourceRow[]>;

/** What explorers' tags say of an address, and nothing that would have to be guessed. The first that fits counts. */
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
 * An object by address, as snapshots of explorer tags are: `{"0x..": "Binance 14"}`, whose kind is that of the whole file,
 * or `{"0x..": {"name": "..", "labels": ["binance", ..]}}`, whose kind the tags tell.
 * @throws {Error} for text that is not JSON or no object.
 */
function explorerLabels(text: string, { chain = "1", kind = "" }: Unsaid): readonly SourceRow[] {
  const byAddress = objectIn(text);
  return Object.entries(byAddress).map(([address, value], i) => {
    const line = i + 1;
    if (typeof value === "string") return { line, row: { chain, address, name: value, kind } };
    if (!isRecord(value)) return { line, unreadable: "row: must be a name, or an object with name and labels" };
    const tags = Array.isArray(value["labels"]) ? value["labels"].filter((tag) => typeof tag === "string") : [];
    const told = kindByTag.find(([tag]) => tags.some((each) => tag.test(each)))?.[1] ?? kind;
    if (told === "") return { line, unreadable: `kind: none of the tags tells it: ${tags.join(", ").slice(0, 80)}` };
    const [name = ""] = [value["name"], tags[0]].filter((each) => typeof each === "string" && each !== "");
    return { line, row: { chain, address, name, kind: told } };
  });
}

/** Names that analytics tables give chains, beyond those that are known anyway. */
const chainByTableName: Readonly<Record<string, string>> = { avalanche_c: "43114", zksync: "324" };

/**
 * A table of exchange wallets as analytics sites export it: columns `blockchain`, `address` and `distinct_name` or
 * `cex_name`; others are ignored.
 * @throws {Error} for a header that lacks a column.
 */
function cexTable(text: string): readonly SourceRow[] {
  const [header = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r\n|\n/);
  const columns = cellsOf(header).map((column) => column.trim().toLowerCase());
  for (const wanted of ["blockchain", "address", "cex_name"]) {
    if (!columns.includes(wanted)) throw new Error(`no column ${wanted} in the header`);
  }
  return lines.flatMap((text, i) => {
    if (text.trim() === "") return [];
    const cells = cellsOf(text);
    const cell = (column: string) => cells[columns.indexOf(column)]?.trim() ?? "";
    const chain = chainByTableName[cell("blockchain")] ?? cell("blockchain");
    const name = cell("distinct_name") === "" ? cell("cex_name") : cell("distinct_name");
    return [{ line: i + 2, row: { chain, address: cell("address"), name, kind: "exchange" } }];
  });
}

/** One address a line, or a JSON array of them, as lists of sanctioned digital-currency addresses are. */
function addressList(text: string, unsaid: Unsaid): readonly SourceRow[] {
  const { chain = "", kind = "sanctioned" } = unsaid;
  const name = unsaid.name ?? `${kind} address`;
  const parsed: unknown = /^\s*\[/.test(text) ? JSON.parse(text) : undefined;
  const addresses: readonly unknown[] = Array.isArray(parsed) ? parsed : text.split(/\r\n|\n/);
  return addresses.flatMap((address, i): readonly SourceRow[] => {
    if (typeof address !== "string") return [{ line: i + 1, unreadable: "row: must be text" }];
    return /^\s*(#|$)/.test(address) ? [] : [{ line: i + 1, row: { chain, address: address.trim(), name, kind } }];
  });
}

/**
 * A token list. Source: the Uniswap token list schema (chainId, address, symbol, name).
 * @throws {Error} for text that is not JSON or has no tokens.
 */
function tokenList(text: string): readonly SourceRow[] {
  const { tokens } = objectIn(text);
  if (!Array.isArray(tokens)) throw new Error("no array tokens; a token list has one");
  return tokens.map((token: unknown, i) => {
    const line = i + 1;
    if (!isRecord(token)) return { line, unreadable: "row: must be an object" };
    const row: LabelRow = {
      chain: token["chainId"],
      address: token["address"],
      name: token["symbol"],
      full_name: token["name"],
      kind: "token",
    };
    return { line, row };
  });
}

function cellsOf(line: string): readonly string[] {
  const cells = csvRow(line, ",", { trim: true, relax_quotes: true });
  return cells.ok ? cells.value : [];
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  if (!isRecord(value)) throw new Error("must be an object");
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
