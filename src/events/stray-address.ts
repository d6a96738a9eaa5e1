import { parseAddress } from "../chains/address.ts";
import type { Family } from "../chains/chain.ts";
import { editDistance } from "../contract/edit-distance.ts";
import { foldedName } from "../contract/misnamed-field.ts";
import { camelCase } from "../contract/spelling.ts";

/** What stands in the names of fields that hold the addresses of people, or addresses at all. */
const tellingParts = [
  ...["addr", "wallet", "user", "customer", "client", "counterpart", "recipient", "sender", "payee", "beneficiar"],
  ...["contact", "known", "paid", "trusted", "friend", "history"],
];
/** Those of them, in full, that are told even with one slip: shorter ones are one slip away from too many words. */
const tellingWords = [
  ...["address", "addresses", "wallet", "wallets", "users", "customer", "customers", "client", "clients"],
  ...["counterparty", "counterparties", "recipient", "recipients", "sender", "senders", "payee", "payees"],
  ...["beneficiary", "beneficiaries", "contact", "contacts", "whitelist", "allowlist", "known", "trusted", "friends"],
];
const listing = /(?:white|allow)_?list/;
/** Words of their own, however near they are to `contact` and `contacts`. */
const unrelated = new Set(["contract", "contracts"]);

/**
 * Compiles the search for addresses that would be lost: a field that is none of `fields`, or something inside of one,
 * whose name speaks of people or addresses, and whose value holds an address of the event's own family, in whatever
 * shape. Passed over, it could be the addresses that the user knows, and the event's ALLOW would be wrong. Either alone,
 * the name or the address, is the producer's own business. Found as its path, `data.users`.
 */
export function strayAddressAmong(fields: readonly string[]): (event: object, family: Family) => string | undefined {
  const accepted = new Set(fields.flatMap((field) => [field, camelCase(field)]));
  return (event, family) => {
    for (const [name, value] of Object.entries(event)) {
      const found = accepted.has(name) ? undefined : strayIn(name, name, value, family);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function strayIn(path: string, name: string, value: unknown, family: Family): string | undefined {
  if (isTelling(name) && holdsAddress(value, family)) return path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = strayIn(`${path}.${key}`, key, member, family);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isTelling(name: string): boolean {
  const folded = foldedName(name);
  return listing.test(folded) || folded.split(/\P{L}+/u).some(isTellingWord);
}

function isTellingWord(word: string): boolean {
  if (unrelated.has(word)) return false;
  return (
    tellingParts.some((part) => word.includes(part)) ||
    tellingWords.some((telling) => editDistance(word, telling, 1) <= 1)
  );
}

/** Looks into lists and objects, at keys too, and into text: whatever cannot be part of an address parts two of them. */
function holdsAddress(value: unknown, family: Family): boolean {
  if (typeof value === "string") return (value.match(/[0-9A-Za-z]+/g) ?? []).some((text) => isAddress(text, family));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => isAddress(key, family) || holdsAddress(member, family));
}

/** In lower case too: an EVM address whose checksum fails, right or wrong, was meant as one. */
function isAddress(text: string, family: Family): boolean {
  return parseAddress(family, text).ok || parseAddress(family, text.toLowerCase()).ok;
}
