import type { CanonicalAddress } from "./address.ts";
import type { Family } from "./chain.ts";
import { solanaEnding } from "./solana/solana-endings.ts";

/** So many leading characters, after the constant prefix, and so many trailing ones are equal. */
export interface Shape {
  readonly prefix: number;
  readonly suffix: number;
}

/**
 * How addresses of one format are compared. Only addresses whose first `constantPrefix` characters are equal are
 * compared at all.
 */
export interface AddressFormat {
  /** Characters that every address of its kind begins with. They carry no information and are not counted. */
  readonly constantPrefix: number;
  /**
   * An end that many unrelated addresses were made to have, empty when there is none. Two addresses that have the same
   * one agree in it for that reason, so their suffix is counted in front of it; of two that have different ones no
   * suffix is counted. A format with endings has no plain shape without a suffix but in `sameEndingShapes`.
   */
  readonly endingOf: (address: CanonicalAddress) => string;
  /** An address is a lookalike of another when one of these holds. No address is too short for one. */
  readonly shapes: readonly Shape[];
  /**
   * Further shapes that make a lookalike. Each is so rare that all of them add little to the chance of an accident. Of a
   * run of one character at an end they count `MOST_OF_RUN`.
   */
  readonly rareShapes: readonly Shape[];
  /** Addresses of one length that differ in so many characters or fewer are alike, wherever those stand. */
  readonly mostDiffering: number;
  /**
   * What an index keys by: of every two addresses that a shape or a rare shape makes alike, one of these holds. One
   * without a suffix holds for two addresses whatever their endings.
   */
  readonly filters: readonly Shape[];
  /** The same where a rare shape must show a character more, as labels ask: longer, so that a million labels rarely collide. */
  readonly labelFilters: readonly Shape[];
  /**
   * Further shapes for two addresses with the same ending. A reader sees them end alike whatever stands in front of the
   * ending, so enough leading characters alone make them alike.
   */
  readonly sameEndingShapes: readonly Shape[];
  /** Information in a matching character. */
  readonly bitsPerCharacter: number;
  /** Information in the first character after the constant prefix: less, where its values are fewer. */
  readonly firstCharacterBits: number;
}

/** Characters that the rare shapes count of a run at an end: contracts are ground for leading zeros, which save gas, each for itself. */
export const MOST_OF_RUN = 4;

const BASE58_BITS = Math.log2(58);

const noEndings = { endingOf: () => "", sameEndingShapes: [] } as const satisfies Partial<AddressFormat>;

/*
 * `firstCharacterBits` of base58 is the collision entropy, -log2 of the chance that two random addresses agree there,
 * computed from the range of the numbers that the text spells; test/unit/chains/lookalike.test.ts does it again.
 * The chance of an accidental match, a random pair satisfying any shape, is noted per format. It must stay below 2^-27.
 */

/**
 * Source of 3 + 4: Tsuchiya et al., "Blockchain Address Poisoning", USENIX Security 2025. Chance 16^-7 = 2^-28.0. Any
 * other eight characters of both ends add 16^-8 each, seven times, and make it 2^-27.48. Four differing characters of
 * 40 come by accident once in 2^127.
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
 * TRON from T and Bitcoin from 1 or 3. Chance 58^-5 + 2^-4.56 * 58^-4 = 2^-27.50; 3 + 3 adds its 2^-33.85 to that and
 * makes it 2^-27.48. The rare shapes, six characters of both ends, add 2^-33.85 each: 2^-27.43. The last characters are
 * a checksum: two addresses that differ in a few characters only do not exist, so they agree up to there from the front.
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

/** The 25 bytes begin with 0x41: 2^192 numbers, in steps of 58^32 a second character, that is 23.4 of them (9 to Z). */
const tron: AddressFormat = { ...base58check, firstCharacterBits: 4.56 };

/** 2^192 numbers as for TRON. From 3 the same 23.4 values; from 1 four in a hundred are shorter and take any value. */
const bitcoinBase58: AddressFormat = { ...base58check, firstCharacterBits: 4.56 };

/**
 * 2^256 numbers in steps of 58^43 are 17.2 first characters (2 to J); six in a hundred have 43 characters and begin with
 * anything. Chance 58^-5 + 2^-4.16 * 58^-4 = 2^-27.20; 3 + 3 and 2 + 4 add 2^-33.45 each to that and make it 2^-27.17,
 * where 3 + 2 and 2 + 3 would double it. The rare shape, 6 + 0, adds as much: 2^-27.15. Of two mints of one launchpad 5 + 0 is another 2^-27.59, 2^-26.35 in all: more
 * than other pairs have, and the price of seeing an imitation that took the ending of its original for granted.
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
 * Bitcoin from bc1 and the witness version, then 32 or 52 characters of program (62 in all is a script's or taproot's),
 * of which the last of 52 holds one bit; the last six are the checksum. Any six of both ends will do: chance at most
 * 7 * 32^-6 = 2^-27.2.
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

/** Of Bitcoin the one of those that are not bech32. */
const formatByFamily = { evm, tron, solana, bitcoin: bitcoinBase58 } satisfies Record<Family, AddressFormat>;

/** The shape, and those of one character less at either end. */
export function orLooser({ prefix, suffix }: Shape): readonly Shape[] {
  const less = [
    { prefix: prefix - 1, suffix },
    { prefix, suffix: suffix - 1 },
  ];
  return [{ prefix, suffix }, ...less.filter((shape) => shape.prefix >= 0 && shape.suffix >= 0)];
}

/** The format of a canonical address; of one family there is one format, but Bitcoin has two. */
export function formatOf(family: Family, address: CanonicalAddress): AddressFormat {
  return family === "bitcoin" && address.startsWith("bc1") ? bech32 : formatByFamily[family];
}
