import { type CanonicalAddress, canonicalAddress } from "../../../chains/address.ts";
import type { Family } from "../../../chains/chain.ts";
import { isRawNumber } from "../../../kernel/json.ts";

/** 40 hex digits, with or without 0x, or as a word of 32 bytes. */
const evmForms = /^(?:0x)?(?:0{24})?([0-9a-f]{40})$/;

/**
 * Every address that is a text or a key of its own, at any depth. Libraries write access lists as objects, pairs and
 * maps, and producers add members. No other code reads these addresses. They are only looked up in lists.
 */
export function embeddedAddresses(family: Family, value: unknown): readonly CanonicalAddress[] {
  if (typeof value === "string") {
    const address = addressIn(family, value.trim());
    return address === undefined ? [] : [address];
  }
  if (typeof value !== "object" || value === null || isRawNumber(value)) return [];
  return [...Object.keys(value), ...Object.values(value)].flatMap((each) => embeddedAddresses(family, each));
}

function addressIn(family: Family, text: string): CanonicalAddress | undefined {
  if (family !== "evm") return canonicalAddress(family, text);
  const [, digits] = evmForms.exec(text.toLowerCase()) ?? [];
  return digits === undefined ? undefined : canonicalAddress(family, `0x${digits}`);
}
