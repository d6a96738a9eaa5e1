import type { CanonicalAddress } from "./address.ts";
import type { Family } from "./chain.ts";

/** So many leading characters, after the constant prefix, and so many trailing ones are equal. */
export interface Shape {
  readonly prefix: number;
  readonly suffix: number;
}

/**
 * How addresses of one format are compared. Only addresses whose first `constantPrefix` characters are equal are
 * compared at all. So an index that keys by those and the shape's characters together,
 * `address.slice(0, constantPrefix + shape.prefix)` and `address.slice(-shape.suffix)`, finds every lookalike, and
 * besides those only the address itself.
 */
export interface AddressFormat {
  /** Characters that every address of its kind begins with. They carry no information and are not counted. */
  readonly constantPrefix: number;
  /** An address is a lookalike of another when one of these holds. No address is too short for one. */
  readonly shapes: readonly Shape[];
  /** Information in a matching character. */
  readonly bitsPerCharacter: number;
  /** Information in the first character after the constant prefix: less, where its values are fewer. */
  readonly firstCharacterBits: number;
}

/** What two addresses share: characters at each end, and how much information, in bits, these matches carry. */
export interface Overlap {
  readonly prefix: number;
  readonly suffix: number;
  readonly bits: number;
}

const BASE58_BITS = Math.log2(58);

/*
 * `firstCharacterBits` of base58 is the collision entropy, -log2 of the chance that two random addresses agree there,
 * computed from the range of the numbers that the text spells; test/unit/chains/lookalike.test.ts does it again.
 * The chance of an accidental match, a random pair satisfying any shape, is noted per format. It must stay below 2^-27.
 */

/** Source of 3 + 4: Tsuchiya et al., "Blockchain Address Poisoning", USENIX Security 2025. Chance 16^-7 = 2^-28.0. */
const evm: AddressFormat = {
  constantPrefix: 2,
  shapes: [{ prefix: 3, suffix: 4 }],
  bitsPerCharacter: 4,
  firstCharacterBits: 4,
};

/** TRON from T and Bitcoin from 1 or 3. Chance 58^-5 + 2^-4.56 * 58^-4 = 2^-27.5. */
const base58check: Omit<AddressFormat, "firstCharacterBits"> = {
  constantPrefix: 1,
  shapes: [
    { prefix: 0, suffix: 5 },
    { prefix: 1, suffix: 4 },
  ],
  bitsPerCharacter: BASE58_BITS,
};

/** The 25 bytes begin with 0x41: 2^192 numbers, in steps of 58^32 a second character, that is 23.4 of them (9 to Z). */
const tron: AddressFormat = { ...base58check, firstCharacterBits: 4.56 };

/** 2^192 numbers as for TRON. From 3 the same 23.4 values; from 1 four in a hundred are shorter and take any value. */
const bitcoinBase58: AddressFormat = { ...base58check, firstCharacterBits: 4.56 };

/**
 * 2^256 numbers in steps of 58^43 are 17.2 first characters (2 to J); six in a hundred have 43 characters and begin with
 * anything. Chance 58^-5 + 2^-4.16 * 58^-4 = 2^-27.2; 3 + 2 and 2 + 3 beside these would double it.
 */
const solana: AddressFormat = {
  constantPrefix: 0,
  shapes: [
    { prefix: 4, suffix: 1 },
    { prefix: 0, suffix: 5 },
  ],
  bitsPerCharacter: BASE58_BITS,
  firstCharacterBits: 4.16,
};

/** Bitcoin from bc1 and the witness version. The last six characters are the checksum. Chance 4 * 32^-6 = 2^-28.0. */
const bech32: AddressFormat = {
  constantPrefix: 4,
  shapes: [
    { prefix: 0, suffix: 6 },
    { prefix: 2, suffix: 4 },
    { prefix: 3, suffix: 3 },
    { prefix: 4, suffix: 2 },
  ],
  bitsPerCharacter: 5,
  firstCharacterBits: 5,
};

const formatByFamily = {
  evm: () => evm,
  tron: () => tron,
  solana: () => solana,
  bitcoin: (address) => (address.startsWith("bc1") ? bech32 : bitcoinBase58),
} satisfies Record<Family, (address: CanonicalAddress) => AddressFormat>;

/** The format of a canonical address; of one family there is one format, but Bitcoin has two. */
export function formatOf(family: Family, address: CanonicalAddress): AddressFormat {
  return formatByFamily[family](address);
}

/**
 * What two canonical addresses of one family have in common. The prefix is counted first, and the suffix stops where it
 * ended. Nothing at all when they differ in format or in the constant prefix: 1, 3, bc1q and bc1p are told apart.
 */
export function overlap(family: Family, a: CanonicalAddress, b: CanonicalAddress): Overlap {
  const format = formatOf(family, a);
  const { constantPrefix } = format;
  const leading = equalLeading(a, b);
  if (leading < constantPrefix) return { prefix: 0, suffix: 0, bits: 0 };
  const prefix = leading - constantPrefix;
  const suffix = equalTrailing(a, b, Math.min(a.length, b.length) - leading);
  return { prefix, suffix, bits: matchedBits(format, prefix, suffix) };
}

/**
 * What two canonical addresses have in common when one can be taken for the other: they differ, and one of the shapes of
 * their format holds. Symmetric.
 */
export function lookalike(family: Family, a: CanonicalAddress, b: CanonicalAddress): Overlap | undefined {
  if (a === b) return undefined;
  const { constantPrefix, shapes } = formatOf(family, a);
  const prefix = equalLeading(a, b) - constantPrefix;
  const suffix = equalTrailing(a, b, Math.min(a.length, b.length) - constantPrefix);
  const holds = shapes.some((shape) => prefix >= shape.prefix && suffix >= shape.suffix);
  return holds ? overlap(family, a, b) : undefined;
}

function matchedBits(format: AddressFormat, prefix: number, suffix: number): number {
  const shortfall = prefix > 0 ? format.bitsPerCharacter - format.firstCharacterBits : 0;
  return (prefix + suffix) * format.bitsPerCharacter - shortfall;
}

function equalLeading(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let count = 0;
  while (count < limit && a.charCodeAt(count) === b.charCodeAt(count)) count++;
  return count;
}

function equalTrailing(a: string, b: string, limit: number): number {
  let count = 0;
  while (count < limit && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count;
}
