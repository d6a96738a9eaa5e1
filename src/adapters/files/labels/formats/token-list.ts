import type { ListEntry } from "../../../../labels/import/list-entry.ts";
import type { ListSource } from "./list-source.ts";
import { isObject, wholeDocument } from "./whole-document.ts";

/** A token list. Source: the Uniswap token list schema (chainId, address, symbol, name). */
export async function* tokenList(list: ListSource): AsyncGenerator<ListEntry> {
  const { tokens } = await wholeDocument(list);
  if (!Array.isArray(tokens)) throw new Error("no array tokens; a token list has one");
  for (const [i, token] of tokens.entries()) yield entry(i + 1, token);
}

function entry(line: number, token: unknown): ListEntry {
  if (!isObject(token)) return { line, unreadable: "row: must be an object" };
  return {
    line,
    row: {
      chain: token["chainId"],
      address: token["address"],
      name: token["symbol"],
      full_name: token["name"],
      kind: "token",
    },
  };
}
