import { numberAt } from "../../evm-analysis/machine/code.ts";
import type { CallResult, EvmNode } from "../evm/node.ts";
import { WORD_BYTES } from "../evm/word.ts";
import { argumentOf } from "./argument.ts";

/** The metadata that a token returns about itself. Undefined for values that are missing or unreadable. */
export interface TokenMetadata {
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly supply: bigint | undefined;
  /** The zero address after the owner has renounced. */
  readonly owner: string | undefined;
}

const selectors = {
  name: "06fdde03",
  symbol: "95d89b41",
  decimals: "313ce567",
  totalSupply: "18160ddd",
  owner: "8da5cb5b",
  getOwner: "893d20e8",
} as const;

/** Maximum number of characters of a name. */
const MAX_NAME = 128;

/** Reads a token's metadata in one round. @throws {NodeUnavailableError} */
export async function askToken(
  node: EvmNode,
  address: string,
  at: bigint,
  signal: AbortSignal,
): Promise<TokenMetadata> {
  const calls = Object.values(selectors).map((selector) => ({ to: address, data: `0x${selector}` }));
  const [name, symbol, decimals, supply, owner, getOwner] = await node.call(calls, at, signal);
  const places = wordIn(decimals);
  return {
    name: textIn(name),
    symbol: textIn(symbol),
    decimals: places === undefined || places > 255n ? undefined : Number(places),
    supply: wordIn(supply),
    owner: ownerIn(owner) ?? ownerIn(getOwner),
  };
}

/** Reads the balance of `holder`, in raw units. @throws {NodeUnavailableError} */
export async function askBalance(
  node: EvmNode,
  { token, holder }: { readonly token: string; readonly holder: string },
  at: bigint,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const [balance] = await node.call([{ to: token, data: `0x70a08231${argumentOf(holder)}` }], at, signal);
  return wordIn(balance);
}

function wordIn(result: CallResult | undefined): bigint | undefined {
  return result?.ok === true && result.data.length >= WORD_BYTES ? numberAt(result.data, 0, WORD_BYTES) : undefined;
}

function ownerIn(result: CallResult | undefined): string | undefined {
  const word = wordIn(result);
  return word === undefined || word >= 1n << 160n ? undefined : `0x${word.toString(16).padStart(40, "0")}`;
}

/** Reads an ABI string, or a text in one word as some old tokens return it. Invisible characters are removed. */
function textIn(result: CallResult | undefined): string | undefined {
  if (result?.ok !== true) return undefined;
  const { data } = result;
  const bytes = data.length === WORD_BYTES ? data.subarray(0, endOf(data)) : stringIn(data);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes.subarray(0, 4 * MAX_NAME));
  return [...text.replace(/\p{C}/gu, "")].slice(0, MAX_NAME).join("");
}

function endOf(word: Uint8Array): number {
  const end = word.indexOf(0);
  return end < 0 ? word.length : end;
}

function stringIn(data: Uint8Array): Uint8Array | undefined {
  if (data.length < 2 * WORD_BYTES || numberAt(data, 0, WORD_BYTES) !== BigInt(WORD_BYTES)) return undefined;
  const length = numberAt(data, WORD_BYTES, WORD_BYTES);
  const left = data.length - 2 * WORD_BYTES;
  return length > BigInt(left) ? undefined : data.subarray(2 * WORD_BYTES, 2 * WORD_BYTES + Number(length));
}
