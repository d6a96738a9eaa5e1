import type { Family } from "../../chains/chain.ts";

/** The chain of an address, as far as the currencies of its row tell. */
export interface ListedCurrency {
  /** The currency of the list in upper case, by its code where the code is known. Empty when there is none. */
  readonly code: string;
  /** Families that words name, in the order of the words. */
  readonly families: readonly Family[];
  /** Whether a word names a token that exists on several chains. */
  readonly isToken: boolean;
  /** The first code of a chain that is not screened. */
  readonly unscreened?: string;
  /** Whether a word is unknown. */
  readonly hasUnknown: boolean;
}

/** Currencies, chains and token standards of screened families. OFAC writes XBT for Bitcoin. */
const wordsByFamily: Readonly<Record<Family, string>> = {
  bitcoin: "XBT BTC BITCOIN BIP122 OMNI BRC20",
  evm:
    "ETH ETHEREUM EVM EIP155 ERC20 ARB ARB1 ARBITRUM BSC BNB BEP20 MATIC POL POLYGON AVAX AVALANCHE " +
    "OP OETH OPTIMISM BASE WETH WBTC SHIB",
  tron: "TRX TRON TRC10 TRC20 BTT BTTOLD SUN JST WIN",
  solana: "SOL SOLANA SPL WSOL",
};

/** Tokens of several chains, which do not identify the chain of an address. USDT also exists on Bitcoin (Omni). */
const tokens = wordsOf("USDT USDC DAI BUSD TUSD USDD TETHER PYUSD USDP USDE USDS FDUSD USD1 EURC EURT EUROC GUSD XAUT");

/** Currencies of chains that are not screened. An address of a fork may have the form of the parent chain. */
const unscreened = wordsOf(
  "XMR ZEC DASH LTC XRP XVG DOGE BCH BSV BTG ETC XLM ADA DOT KSM ATOM XTZ TON ALGO NEO GAS EOS XEM " +
    "FIL ICP HBAR NEAR APT SUI KAS DCR RVN NANO XNO ZEN VET WAVES QTUM LSK IOTA STX EGLD XCH BEAM GRIN FIRO ARRR SC DGB",
);

/** Words that accompany a code and identify no chain. */
const fillers = wordsOf("TOKEN TOKENS COIN COINS NETWORK CHAIN MAINNET WALLET ADDRESS ON AND OF OR THE USD STABLECOIN");

const otherNames: Readonly<Record<string, string>> = {
  "BINANCE SMART CHAIN": "BSC",
  "BNB SMART CHAIN": "BSC",
  "BITCOIN CASH": "BCH",
  "BITCOIN GOLD": "BTG",
  "BITCOIN SV": "BSV",
  "ETHEREUM CLASSIC": "ETC",
  MONERO: "XMR",
  LITECOIN: "LTC",
  ZCASH: "ZEC",
  RIPPLE: "XRP",
  VERGE: "XVG",
  DOGECOIN: "DOGE",
  STELLAR: "XLM",
  CARDANO: "ADA",
  POLKADOT: "DOT",
  TEZOS: "XTZ",
};

const byOtherName = new RegExp(String.raw`\b(?:${Object.keys(otherNames).join("|")})\b`, "g");
const standard = /\b(TRC|ERC|BEP|BRC)[\s-](\d+)\b/g;
const families = Object.keys(wordsByFamily) as readonly Family[];
const familyByWord: ReadonlyMap<string, Family> = new Map(
  families.flatMap((family) => [...wordsOf(wordsByFamily[family])].map((word) => [word, family] as const)),
);

/**
 * Reads a currency in the style of lists: a code, a name, or several of these, such as `USDT-TRC20` and `Tron (TRX)`.
 */
export function listedCurrency(currency: string): ListedCurrency {
  const code = currency
    .trim()
    .toUpperCase()
    .replaceAll(byOtherName, (name) => otherNames[name] ?? name);
  const words = [...wordsOf(code.replaceAll(standard, "$1$2"))];
  const named = words.flatMap((word) => familyByWord.get(word) ?? []);
  const foreign = words.find((word) => unscreened.has(word));
  return {
    code,
    families: [...new Set(named)],
    isToken: words.some((word) => tokens.has(word)),
    ...(foreign === undefined ? {} : { unscreened: foreign }),
    hasUnknown: words.some((word) => !isKnown(word)),
  };
}

/** Whether the text is exactly the code or the name of a currency or a chain. */
export function isCurrency(text: string): boolean {
  const { families, isToken, unscreened, hasUnknown } = listedCurrency(text);
  return !hasUnknown && (families.length > 0 || isToken || unscreened !== undefined);
}

function isKnown(word: string): boolean {
  return familyByWord.has(word) || tokens.has(word) || unscreened.has(word) || fillers.has(word);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[^A-Z0-9]+/).filter((word) => word !== ""));
}
