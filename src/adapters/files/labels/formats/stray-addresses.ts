import { isCashAddressForm } from "../../../../chains/bitcoin/cash-address.ts";
import { chainByForm } from "../../../../chains/chain-by-form.ts";

/**
 * Text that looks like an address of a screened chain, in running text. `isCertain`: its form belongs to one family
 * alone.
 */
export interface AddressInText {
  readonly address: string;
  readonly isCertain: boolean;
}

/** Shorter words are no addresses. */
export const LEAST_LENGTH = 26;

/** Near 40 hex digits, so that an address with a digit too few is also reported; no hash. */
const evm = /0x[0-9a-f]{36,44}(?![0-9a-f])/gi;
const words = new RegExp(`[A-Za-z0-9]{${LEAST_LENGTH},}`, "g");
const base58 = "[1-9A-HJ-NP-Za-km-z]";
/**
 * Forms of one family alone. A mistyped address has such a form, too, and the fault of its label row names the error.
 */
const certain = new RegExp(`^(?:T${base58}{33}|(?:bc1|BC1)[0-9A-Za-z]{11,71}|[13](?=\\d*[^\\d])${base58}{25,33})$`);
/** An EVM address without 0x, or the hex form of a TRON address. Hashes may have this form as well. */
const bareHex = /^(?:41)?[0-9a-fA-F]{40}$/;

/** Addresses at any position of the text, also between other characters; each address once. */
export function strayAddresses(text: string): readonly AddressInText[] {
  if (text.length < LEAST_LENGTH) return NONE;
  const found = new Map<string, AddressInText>();
  const rest = text.replaceAll(evm, (address) => {
    found.set(address, { address, isCertain: true });
    return " ";
  });
  for (const [address] of rest.matchAll(words)) {
    if (certain.test(address) || isCashAddressForm(address)) found.set(address, { address, isCertain: true });
    else if (bareHex.test(address) || chainByForm(address).ok) found.set(address, { address, isCertain: false });
  }
  return [...found.values()];
}

const NONE: readonly never[] = [];
