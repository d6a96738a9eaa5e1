import { chainByForm } from "./chain-by-form.ts";

/** A chain that Weir does not screen. */
export interface UnscreenedChain {
  readonly currency: string;
  readonly name: string;
  /** Further names, in letters and digits of lower case. Currency and name count as well. */
  readonly words?: readonly string[];
  /** Namespaces of CAIP-2, or whole CAIP-2 ids. */
  readonly caip?: readonly string[];
  /** The form of an address, only where no address of a screened chain has that form. */
  readonly form?: RegExp;
}

/**
 * The chains that are not screened, by name and by the form of their addresses.
 * Sources: the version bytes and prefixes of each chain's own address format; the namespaces of CAIP-2.
 */
const table: readonly UnscreenedChain[] = [
  { currency: "XMR", name: "Monero", form: /^[48][1-9A-HJ-NP-Za-km-z]{94}(?:[1-9A-HJ-NP-Za-km-z]{11})?$/ },
  {
    currency: "LTC",
    name: "Litecoin",
    caip: ["bip122:12a765e31ffd4059bada1e25190f6e98"],
    form: /^(?:ltc1[02-9ac-hj-np-z]{11,71}|[LM][1-9A-HJ-NP-Za-km-z]{33})$/,
  },
  {
    currency: "ZEC",
    name: "Zcash",
    form: /^(?:t[13][1-9A-HJ-NP-Za-km-z]{33}|zs1[02-9ac-hj-np-z]{75}|u1[02-9ac-hj-np-z]{100,250})$/,
  },
  { currency: "DASH", name: "Dash", form: /^X[1-9A-HJ-NP-Za-km-z]{33}$/ },
  // Dogecoin and Verge share version byte 30.
  {
    currency: "DOGE or XVG",
    name: "Dogecoin or Verge",
    words: ["doge", "dogecoin", "xvg", "verge"],
    caip: ["bip122:1a91e3dace36e2be3bf030a65679fe82"],
    form: /^D[1-9A-HJ-NP-Za-km-z]{33}$/,
  },
  { currency: "BTG", name: "Bitcoin Gold", form: /^[AG][1-9A-HJ-NP-Za-km-z]{33}$/ },
  {
    currency: "XRP",
    name: "XRP Ledger",
    words: ["ripple", "xrpl"],
    caip: ["xrpl"],
    form: /^(?:r[1-9A-HJ-NP-Za-km-z]{24,34}|X[1-9A-HJ-NP-Za-km-z]{46})$/,
  },
  { currency: "XLM", name: "Stellar", words: ["stellarlumens"], caip: ["stellar"], form: /^G[A-Z2-7]{55}$/ },
  { currency: "ADA", name: "Cardano", caip: ["cip34"], form: /^addr1[02-9ac-hj-np-z]{50,110}$/ },
  {
    currency: "TON",
    name: "The Open Network",
    words: ["toncoin", "opennetwork"],
    caip: ["ton", "tvm"],
    form: /^[EU]Q[A-Za-z0-9_-]{46}$/,
  },
  {
    currency: "ATOM",
    name: "Cosmos",
    words: ["cosmoshub"],
    caip: ["cosmos"],
    form: /^cosmos1[02-9ac-hj-np-z]{38}$/,
  },
  {
    currency: "BNB Beacon Chain",
    name: "BNB Beacon Chain",
    words: ["bep2", "bnbbeacon", "binancechain"],
    form: /^bnb1[02-9ac-hj-np-z]{38}$/,
  },
  { currency: "XTZ", name: "Tezos", caip: ["tezos"], form: /^(?:tz[1-4]|KT1)[1-9A-HJ-NP-Za-km-z]{33}$/ },
  { currency: "BCH", name: "Bitcoin Cash", caip: ["bip122:000000000000000000651ef99cb9fcbe"] },
  { currency: "BSV", name: "Bitcoin SV" },
  { currency: "DOT", name: "Polkadot", caip: ["polkadot"] },
  { currency: "KSM", name: "Kusama" },
  { currency: "NEAR", name: "NEAR Protocol", words: ["nearmainnet"], caip: ["near"] },
  { currency: "APT", name: "Aptos", caip: ["aptos"] },
  { currency: "SUI", name: "Sui", words: ["suinetwork"], caip: ["sui"] },
  { currency: "ALGO", name: "Algorand", caip: ["algorand"] },
  { currency: "HBAR", name: "Hedera", words: ["hederahashgraph"], caip: ["hedera"] },
  { currency: "FIL", name: "Filecoin", caip: ["fil"] },
  { currency: "ICP", name: "Internet Computer", words: ["dfinity"] },
  { currency: "EOS", name: "EOS", words: ["vaulta"], caip: ["antelope", "eosio"] },
  { currency: "KAS", name: "Kaspa" },
  { currency: "STX", name: "Stacks", caip: ["stacks"] },
  { currency: "TIA", name: "Celestia" },
  { currency: "INJ", name: "Injective" },
  { currency: "OSMO", name: "Osmosis" },
  { currency: "RUNE", name: "THORChain" },
  { currency: "MINA", name: "Mina", caip: ["mina"] },
  { currency: "WAVES", name: "Waves" },
  { currency: "VET", name: "VeChain", caip: ["vechain"] },
  { currency: "NEO", name: "Neo", words: ["neo3", "n3"] },
  { currency: "QTUM", name: "Qtum" },
  { currency: "XEM", name: "NEM" },
  { currency: "XNO", name: "Nano" },
  { currency: "EGLD", name: "MultiversX", words: ["elrond"], caip: ["mvx"] },
  { currency: "FLOW", name: "Flow", caip: ["flow"] },
  { currency: "STRK", name: "Starknet", caip: ["starknet"] },
  { currency: "Lightning", name: "Lightning Network", words: ["lnbtc", "bitcoinlightning"] },
  { currency: "AVAX X-Chain", name: "Avalanche X-Chain", words: ["avaxx", "xchain"] },
];

const byWord = new Map<string, UnscreenedChain>(
  table.flatMap((chain) =>
    [...(chain.words ?? []), ...[chain.currency, chain.name].map(lettersAndDigits)].map(
      (word) => [word, chain] as const,
    ),
  ),
);
const byCaip = new Map(table.flatMap((chain) => (chain.caip ?? []).map((id) => [id, chain] as const)));

function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The currency of a chain that is not screened and has addresses of this form. Undefined for any other text. */
export function unscreenedByForm(text: string): string | undefined {
  return table.find(({ form }) => form?.test(text) === true)?.currency;
}

/** The chain without screening that a name or a CAIP-2 id means. Undefined for any other text. */
export function unscreenedByName(text: string): UnscreenedChain | undefined {
  if (text.length > 64) return undefined;
  const [namespace = ""] = text.split(":");
  if (text.includes(":")) return byCaip.get(text) ?? byCaip.get(namespace);
  return byWord.get(lettersAndDigits(text));
}

/** Whether the text has the form of an address of any chain, screened or not. */
export function isAddress(text: string): boolean {
  return chainByForm(text).ok || unscreenedByForm(text) !== undefined;
}
