import type { CanonicalAddress } from "../../src/chains/address.ts";
import type { Family } from "../../src/chains/chain.ts";
import type { Random } from "../../src/kernel/retry.ts";

const HEX = "0123456789abcdef";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

interface Spelling {
  readonly constant: string;
  readonly alphabet: string;
  readonly length: number;
}

/** The alphabets of each family's addresses. Checksums are left out, since similarity depends on characters alone. */
export const spellings: Readonly<Record<Family, readonly Spelling[]>> = {
  evm: [{ constant: "0x", alphabet: HEX, length: 42 }],
  tron: [{ constant: "T", alphabet: BASE58, length: 34 }],
  solana: [
    { constant: "", alphabet: BASE58, length: 44 },
    { constant: "", alphabet: BASE58, length: 43 },
  ],
  bitcoin: [
    { constant: "1", alphabet: BASE58, length: 34 },
    { constant: "1", alphabet: BASE58, length: 33 },
    { constant: "3", alphabet: BASE58, length: 34 },
    { constant: "bc1q", alphabet: BECH32, length: 42 },
    { constant: "bc1q", alphabet: BECH32, length: 62 },
    { constant: "bc1p", alphabet: BECH32, length: 62 },
  ],
};

export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Text that is spelled like an address of `family`. */
export function randomAddress(family: Family, random: Random): CanonicalAddress {
  const { constant, alphabet, length } = pick(spellings[family], random);
  return (constant + randomText(alphabet, length - constant.length, random)) as CanonicalAddress;
}

/**
 * Another address of the same format. It shares exactly the first `prefix` characters after the constant and the last
 * `suffix`: the characters next to these differ.
 */
export function imitation(
  family: Family,
  address: CanonicalAddress,
  shared: { readonly prefix: number; readonly suffix: number },
  random: Random,
): CanonicalAddress {
  const spelling = spellings[family].find(
    ({ constant, length }) => address.startsWith(constant) && address.length === length,
  );
  if (spelling === undefined) throw new Error(`no spelling of ${family} fits`);
  const { constant, alphabet } = spelling;
  const characters = [...(constant + randomText(alphabet, address.length - constant.length, random))];
  const differAt = [constant.length + shared.prefix, address.length - 1 - shared.suffix];
  for (const i of characters.keys()) {
    if (i < constant.length + shared.prefix || i >= address.length - shared.suffix) characters[i] = address.charAt(i);
    else if (differAt.includes(i)) characters[i] = otherThan(address.charAt(i), alphabet, random);
  }
  return characters.join("") as CanonicalAddress;
}

function otherThan(character: string, alphabet: string, random: Random): string {
  return pick(
    [...alphabet].filter((other) => other !== character),
    random,
  );
}

function randomText(alphabet: string, length: number, random: Random): string {
  let text = "";
  for (let i = 0; i < length; i++) text += alphabet.charAt(Math.floor(random() * alphabet.length));
  return text;
}
