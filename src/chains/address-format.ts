import type { CanonicalAddress } from "./address.ts";
import type { Family } from "./chain.ts";
import { solanaEnding } from "./solana/solana-endings.ts";

/**
 * Two addresses match a shape when `prefix` leading and `suffix` trailing characters are equal. The constant prefix is
 * not counted.
 */
export interface Shape {
  readonly prefix: number;
  readonly suffix: number;
}

/**
 * How addresses of one format are compared. Only addresses with an equal constant prefix (`constantPrefix` characters)
 * are compared.
 */
export interface AddressFormat {
  /** Characters that every address of the format begins with. They carry no information and are not counted. */
  readonly constantPrefix: number;
  /**
   * The common ending of an address: an ending that many unrelated addresses were made to have. Empty when there is
   * none.
   * Two addresses share a common ending by design. So their suffix is counted in front of the ending.
   * For two addresses with different common endings, no suffix is counted.
   * In a format with endings, only `sameEndingShapes` holds plain shapes without a suffix.
   */
  readonly endingOf: (address: CanonicalAddress) => string;
  /** An address is a lookalike of another when one of these shapes matches. No address is too short for a shape. */
  readonly shapes: readonly Shape[];
  /**
   * Further shapes that make a lookalike. Each rare shape is so improbable that all rare shapes together add little to
   * the chance of an accidental match.
   * A run of one repeated character at an end counts as at most `MOST_OF_RUN` characters.
   */
  readonly rareShapes: readonly Shape[];
  /** Two addresses of equal length are alike when they differ in at most this many characters, at any position. */
  readonly mostDiffering: number;
  /**
   * The keys of an index. For any two addresses that a shape or a rare shape makes alike, at least one filter matches.
   * A filter without a suffix matches two addresses whatever their endings are.
   */
  readonly filters: readonly Shape[];
  /**
   * The keys of the index of labels, for which a rare shape needs one more character. These keys are longer than
   * `filters`, so that a million labels rarely collide.
   */
  readonly labelFilters: readonly Shape[];
  /**
   * Further shapes for two addresses with the same common ending. To a reader the addresses end alike, so enough equal
   * leading characters make them lookalikes.
   */
  readonly sameEndingShapes: readonly Shape[];
  /** Information in a matching character, in bits. */
  readonly bitsPerCharacter: number;
  /**
   * Information in the first character after the constant prefix, in bits. It is lower where the character has fewer
   * possible values.
   */
  readonly firstCharacterBits: number;
}

/**
 * The most characters that a rare shape counts of a run at an end. Many unrelated contracts are ground for leading
 * zeros, because zeros save gas.
 */
export const MOST_OF_RUN = 4;

const BASE58_BITS = Math.log2(58);

const noEndings = { endingOf: () => "", sameEndingShapes: [] } as const satisfies Partial<AddressFormat>;

/*
 * `firstCharacterBits` of base58 is the collision entropy: -log2 of the chance that two random addresses agree in the
 * first character. It is computed from the range of the numbers that the text spells;
 * test/unit/chains/lookalike.test.ts repeats the computation.
 * Each format notes the chance of an accidental match: a random pair that matches any shape. The chance must stay below
 * 2^-27.
 */

/**
 * The shape 3 + 4 has a chance of 16^-7 = 2^-28.0. Source: Tsuchiya et al., "Blockchain Address Poisoning", USENIX
 * Security 2025.
 * There are seven other ways to share eight characters at both ends. Each adds 16^-8, which makes the chance 2^-27.48.
 * An accidental pair that differs in four of 40 characters has a chance of 2^-127.
 */
const evm: AddressFormat = {
  constantPrefix: 2,
  ...noEndings,
  shapes: [{ prefix: 3, suffix: 4 }],
  rareShapes: [
    { prefix: 0, suffix: 8 },
    { prefix: 1, suffix: 7 },
    { prefix: 2, suffix: 6 },
    { prefix: 5, suffix: 3 },
    { prefix: 6, suffix: 2 },
    { prefix: 7, suffix: 1 },
    { prefix: 8, suffix: 0 },
  ],
  mostDiffering: 4,
  filters: [
    { prefix: 3, suffix: 4 },
    { prefix: 0, suffix: 6 },
    { prefix: 5, suffix: 0 },
  ],
  labelFilters: [
    { prefix: 3, suffix: 4 },
    { prefix: 0, suffix: 7 },
    { prefix: 6, suffix: 0 },
  ],
  bitsPerCharacter: 4,
  firstCharacterBits: 4,
};

/**
 * TRON addresses after T, and Bitcoin addresses after 1 or 3. The chance is 58^-5 + 2^-4.56 * 58^-4 = 2^-27.50.
 * The shape 3 + 3 adds 2^-33.85, which makes the chance 2^-27.48.
 * The rare shapes, six characters at both ends, add 2^-33.85 each, which makes the chance 2^-27.43.
 * The last characters are a checksum, so no two addresses differ in a few characters only. Such pairs agree from the
 * front up to the checksum.
 */
const base58check: Omit<AddressFormat, "firstCharacterBits"> = {
  constantPrefix: 1,
  ...noEndings,
  shapes: [
    { prefix: 0, suffix: 5 },
    { prefix: 1, suffix: 4 },
    { prefix: 3, suffix: 3 },
  ],
  rareShapes: [
    { prefix: 4, suffix: 2 },
    { prefix: 5, suffix: 1 },
    { prefix: 6, suffix: 0 },
  ],
  mostDiffering: 0,
  filters: [
    { prefix: 0, suffix: 5 },
    { prefix: 1, suffix: 4 },
    { prefix: 3, suffix: 3 },
    { prefix: 4, suffix: 0 },
  ],
  labelFilters: [
    { prefix: 0, suffix: 5 },
    { prefix: 1, suffix: 4 },
    { prefix: 3, suffix: 3 },
    { prefix: 5, suffix: 0 },
  ],
  bitsPerCharacter: BASE58_BITS,
};

/**
 * The 25 bytes begin with 0x41, which leaves 2^192 numbers. A second character spans 58^32 numbers, so it has 23.4
 * values (9 to Z).
 */
const tron: AddressFormat = { ...base58check, firstCharacterBits: 4.56 };

/**
 * There are 2^192 numbers, as for TRON. After 3 the first character has the same 23.4 values. Of the addresses from 1,
 * four in a hundred are shorter and take any value.
 */
const bitcoinBase58: AddressFormat = { ...base58check, firstCharacterBits: 4.56 };

/**
 * 2^256 numbers in steps of 58^43 give 17.2 first characters (2 to J). Six in a hundred addresses have 43 characters
 * and begin with any character.
 * The chance is 58^-5 + 2^-4.16 * 58^-4 = 2^-27.20. The shapes 3 + 3 and 2 + 4 add 2^-33.45 each, which makes it
 * 2^-27.17. The shapes 3 + 2 and 2 + 3 would double the chance.
 * The rare shape, 6 + 0, adds 2^-33.45 as well, which makes the chance 2^-27.15.
 * For two mints of one launchpad the shape 5 + 0 adds 2^-27.59, which makes the chance 2^-26.35. This is higher than
 * for other pairs. It is the price of detecting an imitation that also copies the common ending.
 */
const solana: AddressFormat = {
  constantPrefix: 0,
  endingOf: solanaEnding,
  shapes: [
    { prefix: 4, suffix: 1 },
    { prefix: 0, suffix: 5 },
    { prefix: 3, suffix: 3 },
    { prefix: 2, suffix: 4 },
  ],
  rareShapes: [{ prefix: 6, suffix: 0 }],
  mostDiffering: 4,
  filters: [
    { prefix: 4, suffix: 1 },
    { prefix: 0, suffix: 5 },
    { prefix: 3, suffix: 3 },
    { prefix: 2, suffix: 4 },
    { prefix: 6, suffix: 0 },
  ],
  labelFilters: [
    { prefix: 4, suffix: 1 },
    { prefix: 0, suffix: 5 },
    { prefix: 3, suffix: 3 },
    { prefix: 2, suffix: 4 },
    { prefix: 7, suffix: 0 },
  ],
  sameEndingShapes: [{ prefix: 5, suffix: 0 }],
  bitsPerCharacter: BASE58_BITS,
  firstCharacterBits: 4.16,
};

const anySix: readonly Shape[] = [
  { prefix: 0, suffix: 6 },
  { prefix: 1, suffix: 5 },
  { prefix: 2, suffix: 4 },
  { prefix: 3, suffix: 3 },
  { prefix: 4, suffix: 2 },
  { prefix: 5, suffix: 1 },
  { prefix: 6, suffix: 0 },
];

/**
 * Bitcoin addresses after bc1 and the witness version. The program has 32 or 52 characters; an address of 62 characters
 * is a script or taproot.
 * The last of 52 program characters holds one bit. The last six characters of the address are the checksum.
 * Any six equal characters at both ends make a lookalike: chance at most 7 * 32^-6 = 2^-27.2.
 */
const bech32: AddressFormat = {
  constantPrefix: 4,
  ...noEndings,
  shapes: anySix,
  rareShapes: [],
  mostDiffering: 0,
  filters: anySix,
  labelFilters: anySix,
  bitsPerCharacter: 5,
  firstCharacterBits: 5,
};

/** The format for Bitcoin is the base58 format; `formatOf` handles bech32. */
const formatByFamily = { evm, tron, solana, bitcoin: bitcoinBase58 } satisfies Record<Family, AddressFormat>;

/** The shape, and the shapes with one character less at either end. */
export function orLooser({ prefix, suffix }: Shape): readonly Shape[] {
  const less = [
    { prefix: prefix - 1, suffix },
    { prefix, suffix: suffix - 1 },
  ];
  return [{ prefix, suffix }, ...less.filter((shape) => shape.prefix >= 0 && shape.suffix >= 0)];
}

/** The format of a canonical address. Each family has one format, except Bitcoin, which has two. */
export function formatOf(family: Family, address: CanonicalAddress): AddressFormat {
  return family === "bitcoin" && address.startsWith("bc1") ? bech32 : formatByFamily[family];
}
