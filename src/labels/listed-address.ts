import { parseAddress } from "../chains/address.ts";
import { bitcoinOfCashAddress, isCashAddressForm } from "../chains/bitcoin/cash-address.ts";
import type { Family } from "../chains/chain.ts";
import { chainByForm } from "../chains/chain-by-form.ts";
import { findChain } from "../chains/registry.ts";
import { isAddress, unscreenedByForm } from "../chains/unscreened-chains.ts";
import { fail, ok, type Result } from "../kernel/result.ts";
import { isCurrency, type ListedCurrency, listedCurrency } from "./import/currency-names.ts";
import { EVERY_EVM_CHAIN } from "./import/label-row.ts";

/** The location of a listed address: a screened chain, or a chain that is not screened. */
export type ParsedAddress =
  | {
      readonly chain: string;
      readonly address: string;
      /** The currency that the address was published for, when it belongs to another chain than `chain`. */
      readonly publishedFor?: string;
    }
  | { readonly unscreened: string };

/** Families with forks. An address of a fork may have the form of its parent chain. */
const shared: ReadonlySet<Family> = new Set(["bitcoin", "evm"]);

/** A chain by CAIP-10 or EIP-3770, or the scheme of a payment link without a query (EIP-681, BIP 21). */
const prefixed = /^([a-z][\w-]{0,31})(?::[\w-]{1,64})?:([0-9a-z]+)(?:@\d+)?$/i;

/** Texts that may be addresses of a screened chain with a typing error. Other forms imply no chain. */
const maybeScreened = /^(?:(?:41)?[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|\S+\.\S+)$/i;

/**
 * The chain of an address from a list, with the currencies of its row. A form that belongs to one family decides,
 * whatever the currency is. An address of a fork may have the form of the parent chain. It counts as an address of the
 * parent, because one key owns both.
 * Fails for text that may be on a screened chain but is not certain. The parser of the label row decides whether the
 * address is valid.
 */
export function listedAddress(text: string, currency = ""): Result<ParsedAddress> {
  const [, word = "", behind = ""] = isCashAddressForm(text) ? [] : (prefixed.exec(text) ?? []);
  if (isCurrency(word) || isAddress(behind)) return listedAddress(behind, currency === "" ? word : currency);
  const told = listedCurrency(currency);
  const { code } = told;
  if (isCashAddressForm(text)) {
    const bitcoin = bitcoinOfCashAddress(text);
    if (bitcoin.ok) return ok({ chain: "bitcoin", address: bitcoin.value, publishedFor: "BCH" });
    if (code === "BCH" || code === "") return bitcoin;
  }
  const form = chainByForm(text);
  const family = form.ok ? findChain(form.value)?.family : undefined;
  if (family !== undefined && mayBeOf(family, text, told)) return ok(placeOf(family, text, told));
  if (isUnscreened(told)) return ok({ unscreened: told.unscreened ?? code });
  const unscreened = unscreenedByForm(text);
  if (unscreened !== undefined) return ok({ unscreened });
  const [own] = told.families;
  if (own !== undefined) return ok({ chain: chainCell(own), address: text });
  if (form.ok) return fail(unknownCurrency(code));
  if (code === "" || told.isToken) return form;
  return maybeScreened.test(text) ? fail(unknownCurrency(code)) : ok({ unscreened: told.unscreened ?? code });
}

/**
 * Whether an address in the form of a family belongs to the family. Other chains also use 32 bytes in base58, the form
 * of Solana.
 */
function mayBeOf(family: Family, text: string, told: ListedCurrency): boolean {
  if (shared.has(family) || told.code === "") return true;
  if (family === "solana") return told.isToken || told.families.length > 0;
  return parseAddress(family, text).ok || !isUnscreened(told);
}

/** Whether all named currencies belong to chains that are not screened. */
function isUnscreened({ unscreened, families, isToken, hasUnknown }: ListedCurrency): boolean {
  return unscreened !== undefined && families.length === 0 && !isToken && !hasUnknown;
}

function placeOf(family: Family, address: string, { code, families, isToken }: ListedCurrency): ParsedAddress {
  const place = { chain: chainCell(family), address };
  const isNamed = families.length === 0 ? isToken || code === "" : families.includes(family);
  return isNamed ? place : { ...place, publishedFor: code };
}

function unknownCurrency(code: string): string {
  return `the currency ${code.slice(0, 40)} is not known, and the text may be an address of a chain that is screened: list it by hand if it is one`;
}

function chainCell(family: Family): string {
  return family === "evm" ? EVERY_EVM_CHAIN : family;
}
