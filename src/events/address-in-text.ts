import { MAX_ADDRESS_LENGTH, parseAddress } from "../chains/address.ts";
import type { Family } from "../chains/chain.ts";

/** How long addresses of each family are, characters: most text is passed over by its length alone. */
const lengths: Readonly<Record<Family, { readonly least: number; readonly most: number }>> = {
  evm: { least: 42, most: 42 },
  tron: { least: 34, most: 42 },
  solana: { least: 32, most: 44 },
  bitcoin: { least: 26, most: MAX_ADDRESS_LENGTH },
};

/** An address of TRON as nodes write it: 41 and the 20 bytes, in hex. Source: developers.tron.network/docs/account. */
const tronHex = /^41[0-9a-f]{40}$/;

/** By code unit: whether it can be part of an address. */
const isPart = Uint8Array.from({ length: 128 }, (_, code) => Number(/[0-9A-Za-z]/.test(String.fromCharCode(code))));

/** Whether a whole address of the family stands in a text; whatever cannot be part of an address parts two of them. */
export function holdsAddress(text: string, family: Family): boolean {
  const { least, most } = lengths[family];
  if (text.length < least) return false;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isPart[text.charCodeAt(at)] === 1) continue;
    const length = at - from;
    if (length >= least && length <= most && isAddress(text.slice(from, at), family)) return true;
    from = at + 1;
  }
  return false;
}

/** In lower case too: an EVM address whose checksum fails, right or wrong, was meant as one. */
function isAddress(text: string, family: Family): boolean {
  const lower = text.toLowerCase();
  // In lower case nothing is left of a checksum, which takes the longest by far.
  if (family === "evm") return parseAddress(family, lower).ok;
  if (family === "tron" && tronHex.test(lower)) return true;
  return parseAddress(family, text).ok || parseAddress(family, lower).ok;
}
