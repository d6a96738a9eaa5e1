import { MAX_ADDRESS_LENGTH, parseAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";

/** Lengths of the addresses of each family, characters. Most text is rejected by its length alone. */
const lengths: Readonly<Record<Family, { readonly least: number; readonly most: number }>> = {
  evm: { least: 40, most: 66 },
  tron: { least: 34, most: 44 },
  solana: { least: 32, most: 44 },
  bitcoin: { least: 26, most: MAX_ADDRESS_LENGTH },
};

/**
 * An address of TRON in hex. Nodes write 41 and the 20 bytes; the Ethereum interface of nodes writes 0x and the 20
 * bytes. Source: developers.tron.network/docs/account and /reference/json-rpc-api-overview.
 */
const tronHex = /^(?:(?:0x)?41|0x)[0-9a-f]{40}$/;

/** An EVM address in a word of 32 bytes, as in logs and calldata. Source: Solidity ABI specification. */
const evmWord = /^(?:0x)?0{24}([0-9a-f]{40})$/;
/** Numbers below 2^96 fill words as well. An amount is no address. */
const small = /^0{16}/;
/** Decimal digits alone are a number. */
const bareHex = /^(?=\d*[a-f])[0-9a-f]{40}$/;

/** By code unit: whether the character can be part of an address. */
const isPart = Uint8Array.from({ length: 128 }, (_, code) => Number(/[0-9A-Za-z]/.test(String.fromCharCode(code))));

/**
 * `bare`: 40 hex digits without 0x. An EVM address may have that form, and so may a hash, for example the hash of a
 * commit.
 */
export type TextAddress = "whole" | "bare";

/**
 * The address that stands in a text as a separate word. Any character that cannot be part of an address separates
 * words.
 */
export function addressIn(text: string, family: Family): TextAddress | undefined {
  const { least, most } = lengths[family];
  if (text.length < least) return undefined;
  let found: TextAddress | undefined;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isPart[text.charCodeAt(at)] === 1) continue;
    const length = at - from;
    if (length >= least && length <= most) {
      const word = wordAs(text.slice(from, at), family);
      if (word === "whole") return word;
      found ??= word;
    }
    from = at + 1;
  }
  return found;
}

/** Lower case is tried too, because an EVM address with a wrong checksum is still meant as an address. */
function wordAs(text: string, family: Family): TextAddress | undefined {
  const lower = text.toLowerCase();
  // Lower case carries no checksum, and verifying a checksum takes most of the time.
  if (family === "evm") return evmWordAs(lower);
  if (family === "tron" && tronHex.test(lower)) return "whole";
  return parseAddress(family, text).ok || parseAddress(family, lower).ok ? "whole" : undefined;
}

function evmWordAs(lower: string): TextAddress | undefined {
  if (parseAddress("evm", lower).ok) return "whole";
  if (bareHex.test(lower)) return "bare";
  const [, digits] = evmWord.exec(lower) ?? [];
  return digits === undefined || small.test(digits) ? undefined : "whole";
}
