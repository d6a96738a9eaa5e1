import { fail, type Result } from "../kernel/result.ts";
import { parseBitcoinAddress } from "./bitcoin/bitcoin-address.ts";
import type { Chain, Family } from "./chain.ts";
import { isCanonicalEvm, parseEvmAddress } from "./evm/evm-address.ts";
import { parseSolanaAddress } from "./solana/solana-address.ts";
import { parseTronAddress } from "./tron/tron-address.ts";

/**
 * A valid address in the single spelling that its family uses, made only by `parseAddress`.
 * - evm: 0x and 40 lower-case hex digits.
 * - tron: base58check, 34 characters from T.
 * - solana: base58 of 32 bytes.
 * - bitcoin: base58check (from 1 or 3), or bech32/bech32m in lower case (bc1...).
 */
export type CanonicalAddress = string & { readonly __brand: "CanonicalAddress" };

/**
 * Longer input is refused before it is decoded, because base58 decoding is quadratic. The longest address has 90
 * characters.
 */
export const MAX_ADDRESS_LENGTH = 100;

const parsers = {
  evm: parseEvmAddress,
  tron: parseTronAddress,
  solana: parseSolanaAddress,
  bitcoin: parseBitcoinAddress,
} satisfies Record<Family, (text: string) => Result<string>>;

/**
 * Validates `text` as an address of `family` and returns the canonical form. The checksum is verified where the format
 * has one.
 */
export function parseAddress(family: Family, text: string): Result<CanonicalAddress> {
  if (text.length === 0) return fail("empty address");
  if (text.length > MAX_ADDRESS_LENGTH) return fail(`longer than ${MAX_ADDRESS_LENGTH} characters`);
  return parsers[family](text) as Result<CanonicalAddress>;
}

/**
 * Validates an address like `parseAddress`. On a chain with its own checksum, that checksum is accepted too. Source:
 * EIP-1191.
 */
export function parseAddressOn({ id, family }: Pick<Chain, "id" | "family">, text: string): Result<CanonicalAddress> {
  if (family !== "evm" || text.length === 0 || text.length > MAX_ADDRESS_LENGTH) return parseAddress(family, text);
  return parseEvmAddress(text, id) as Result<CanonicalAddress>;
}

/** The canonical form of a valid `text`, for callers that do not report what is wrong with an invalid one. */
export function canonicalAddress(family: Family, text: string): CanonicalAddress | undefined {
  // Nearly all addresses are canonical already. This path allocates nothing.
  if (family === "evm" && isCanonicalEvm(text)) return text as CanonicalAddress;
  const parsed = parseAddress(family, text);
  return parsed.ok ? parsed.value : undefined;
}

/** The canonical form of `text` like `canonicalAddress`, by the rules of the chain. */
export function canonicalAddressOn(chain: Pick<Chain, "id" | "family">, text: string): CanonicalAddress | undefined {
  if (chain.family === "evm" && isCanonicalEvm(text)) return text as CanonicalAddress;
  const parsed = parseAddressOn(chain, text);
  return parsed.ok ? parsed.value : undefined;
}
