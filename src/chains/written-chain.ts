import { fail, ok, type Result } from "../kernel/result.ts";
import type { Chain } from "./chain.ts";
import { chainWords, tokenWords, type WordRank } from "./chain-words.ts";
import { findChain } from "./registry.ts";
import { unscreenedByName } from "./unscreened-chains.ts";

/** Longest text that is read as the name of a chain, characters. */
const LONGEST = 64;
/** Longest text in a message, characters. */
const LONGEST_TOLD = 40;
/** `ERC-20` and `ERC 20` are one word. */
const standardWord = /\b(erc|trc|bep|brc)[\s_-](\d{2,4})\b/gi;
/** Test networks share the names of their main networks. */
const testWords =
  /test|devnet|goerli|sepolia|holesky|hoodi|shasta|nile|amoy|mumbai|chapel|fuji|ropsten|rinkeby|kovan|signet/;
const hexNumber = /^0[xX][0-9a-fA-F]{1,16}$/;

/**
 * CAIP-2 ids of the chains outside the EVM. CAIP-2 cuts the genesis hash to 32 characters.
 * Source: CAIP-2 and the profiles of its namespaces solana, bip122 and tron.
 */
const caipIds: Readonly<Record<string, string>> = {
  "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "solana",
  "solana:mainnet": "solana",
  "bip122:000000000019d6689c085ae165831e93": "bitcoin",
  "tron:0x2b6653dc": "tron",
  "tron:728126428": "tron",
  "tron:mainnet": "tron",
};

/**
 * The chain that people and programs mean: a registry name, CAIP-2, a hex id, a standard of tokens (`TRC20`), or a name
 * beside a token (`USDT-TRC20`). A failure says what the text is instead. The interface of the service takes registry
 * names only.
 */
export function writtenChain(text: string): Result<Chain> {
  const named = findChain(text);
  if (named !== undefined) return ok(named);
  const bare = text.trim();
  if (bare === "" || bare.length > LONGEST) return unknown(text);
  if (hexNumber.test(bare)) return found(findChain(String(BigInt(bare))), text);
  if (bare.includes(":")) return byCaip(bare, text);
  const unscreened = unscreenedByName(bare);
  const whole = chainWords.get(folded(bare));
  if (whole !== undefined) return found(findChain(whole.id), text);
  if (unscreened !== undefined) return fail(unscreenedText(unscreened));
  return byWords(bare, text);
}

function byCaip(bare: string, text: string): Result<Chain> {
  const number = /^eip155:(\d{1,20}|0[xX][0-9a-fA-F]{1,16})$/.exec(bare)?.[1];
  if (number !== undefined) return found(findChain(String(BigInt(number))), text);
  const id = Object.hasOwn(caipIds, bare) ? caipIds[bare] : undefined;
  if (id !== undefined) return found(findChain(id), text);
  const unscreened = unscreenedByName(bare);
  return unscreened === undefined ? unknown(text) : fail(unscreenedText(unscreened));
}

/** What the words of a text name, by rank. */
interface NamedChains extends Readonly<Record<WordRank, Set<string>>> {
  /** Whether a word is none that this file understands: `Ethereum Classic` is not Ethereum. */
  hasOther: boolean;
}

/** A network tells more than a standard, and a standard more than a currency. */
function byWords(bare: string, text: string): Result<Chain> {
  const words = bare
    .replace(standardWord, "$1$2")
    .split(/[\s()[\]/_,.+-]+/)
    .map(folded)
    .filter((word) => word !== "");
  if (words.some((word) => testWords.test(word))) return unknown(text);
  const unscreened = words.map(unscreenedByName);
  // `USDT-BEP2` is no BEP20.
  const beacon = unscreened[words.indexOf("bep2")];
  if (beacon !== undefined) return fail(unscreenedText(beacon));
  const names = namesIn(words);
  const decisive = decisiveIn(names);
  if (decisive.size > 1) {
    const chains = [...decisive].map((id) => findChain(id)?.name ?? id);
    return fail(`"${clipped(text)}" names several chains: ${chains.join(", ")}`);
  }
  const [id] = decisive;
  const other = unscreened.find((chain) => chain !== undefined);
  // Beside a chain that is not screened, a currency alone is the token that is paid: `ETH (TON)`.
  if (other !== undefined && (id === undefined || decisive === names.currency)) return fail(unscreenedText(other));
  if (id === undefined || (names.hasOther && decisive !== names.standard)) return unknown(text);
  return found(findChain(id), text);
}

/** Each word counts, alone and with the next one. */
function namesIn(words: readonly string[]): NamedChains {
  const names: NamedChains = { network: new Set(), standard: new Set(), currency: new Set(), hasOther: false };
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const pair = chainWords.get(`${word}${words[i + 1] ?? ""}`);
    const hit = pair ?? chainWords.get(word);
    if (hit !== undefined) names[hit.rank].add(hit.id);
    else if (!tokenWords.has(word) && unscreenedByName(word) === undefined) names.hasOther = true;
    if (pair !== undefined) i++;
  }
  return names;
}

/** Other chains of the EVM call their tokens ERC20 too: `Arbitrum (ERC20)`. */
function decisiveIn({ network, standard, currency }: NamedChains): ReadonlySet<string> {
  if (network.size === 0) return standard.size > 0 ? standard : currency;
  const isErc20Alone = standard.size === 1 && standard.has("1");
  return standard.size === 0 || (isErc20Alone && areOfEvm(network)) ? network : new Set([...network, ...standard]);
}

function areOfEvm(ids: ReadonlySet<string>): boolean {
  return [...ids].every((id) => findChain(id)?.family === "evm");
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function found(chain: Chain | undefined, text: string): Result<Chain> {
  return chain === undefined ? unknown(text) : ok(chain);
}

function unknown(text: string): Result<Chain> {
  return fail(`unknown chain "${clipped(text)}"`);
}

function unscreenedText({ currency, name }: { readonly currency: string; readonly name: string }): string {
  return `${name === currency ? name : `${name} (${currency})`} is a chain that Weir does not screen`;
}

function clipped(text: string): string {
  return text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD)}…` : text;
}

/** Why a text names no chain that is screened. */
export function unknownChainText(text: string): string {
  const chain = writtenChain(text);
  return chain.ok ? `unknown chain "${clipped(text)}"` : chain.detail;
}

/** An address with its chain in front, as CAIP-10 writes it. */
export interface AccountId {
  readonly chain: string;
  readonly address: string;
}

/** `eip155:1:0xab...` as chain and address. Undefined for any other text. Source: CAIP-10. */
export function accountIdIn(text: string): AccountId | undefined {
  const [, chain, address] = /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):([-.%a-zA-Z0-9]{1,128})$/.exec(text) ?? [];
  return chain === undefined || address === undefined ? undefined : { chain, address };
}
