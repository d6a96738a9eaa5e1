import { bitcoinOfCashAddress, isCashAddressForm } from "../chains/cash-address.ts";
import type { Family } from "../chains/chain.ts";
import { chainByForm } from "../chains/chain-by-form.ts";
import { findChain } from "../chains/registry.ts";
import { unscreenedByForm } from "../chains/unscreened-form.ts";
import { fail, ok, type Result } from "../kernel/result.ts";
import { EVERY_EVM_CHAIN } from "./label-row.ts";

/** Where an address of a list is: on a chain that is screened, or on one that is not. */
export type ListedAddress =
  | {
      readonly chain: string;
      readonly address: string;
      /** The currency it was published for, where that is of another chain than `chain`. */
      readonly publishedFor?: string;
    }
  | { readonly unscreened: string };

/** Currencies of chains that are screened, as lists write them. OFAC writes XBT for Bitcoin. */
const familyByCurrency: Readonly<Record<string, Family>> = {
  XBT: "bitcoin",
  BTC: "bitcoin",
  BITCOIN: "bitcoin",
  ETH: "evm",
  ETHEREUM: "evm",
  ARB: "evm",
  BSC: "evm",
  BNB: "evm",
  MATIC: "evm",
  POL: "evm",
  AVAX: "evm",
  OP: "evm",
  BASE: "evm",
  TRX: "tron",
  TRON: "tron",
  SOL: "solana",
  SOLANA: "solana",
};

/** Tokens of several chains: they tell nothing of the address. USDT is on Bitcoin, too (Omni). */
const tokens: ReadonlySet<string> = new Set(["USDT", "USDC", "DAI", "BUSD", "TUSD", "USDD", "TETHER"]);

const otherNames: Readonly<Record<string, string>> = {
  MONERO: "XMR",
  LITECOIN: "LTC",
  ZCASH: "ZEC",
  RIPPLE: "XRP",
  VERGE: "XVG",
  DOGECOIN: "DOGE",
  "BITCOIN CASH": "BCH",
  "BITCOIN GOLD": "BTG",
  "BITCOIN SV": "BSV",
  "ETHEREUM CLASSIC": "ETC",
};

/** Families that have forks: an address of a fork may have the form of its parent chain. */
const shared: ReadonlySet<Family> = new Set(["bitcoin", "evm"]);

/**
 * The chain of an address that a list gives with a currency, or with none. The form decides, and the currency where the
 * form tells nothing. An address of a fork in the form of its parent is taken for the parent's: one key owns both.
 * Whether the address is valid its label row says.
 */
export function listedAddress(text: string, currency = ""): Result<ListedAddress> {
  const code = codeOf(currency);
  const own = familyByCurrency[code];
  const isForeign = code !== "" && own === undefined && !tokens.has(code);
  if (isCashAddressForm(text)) {
    const bitcoin = bitcoinOfCashAddress(text);
    if (bitcoin.ok) return ok({ chain: "bitcoin", address: bitcoin.value, publishedFor: "BCH" });
    if (code === "BCH" || code === "") return bitcoin;
  }
  const form = chainByForm(text);
  const family = form.ok ? findChain(form.value)?.family : undefined;
  if (family !== undefined && (!isForeign || shared.has(family))) {
    const place = { chain: chainCell(family), address: text };
    return ok(isForeign || (own !== undefined && own !== family) ? { ...place, publishedFor: code } : place);
  }
  if (isForeign) return ok({ unscreened: code });
  const unscreened = unscreenedByForm(text);
  if (unscreened !== undefined) return ok({ unscreened });
  if (own !== undefined) return ok({ chain: chainCell(own), address: text });
  return form.ok ? fail("must be of a known form") : form;
}

function chainCell(family: Family): string {
  return family === "evm" ? EVERY_EVM_CHAIN : family;
}

function codeOf(currency: string): string {
  const code = currency.trim().toUpperCase();
  return otherNames[code] ?? code;
}
