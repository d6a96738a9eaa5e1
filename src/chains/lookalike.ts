import type { CanonicalAddress } from "./address.ts";
import { type AddressFormat, formatOf, MOST_OF_RUN, type Shape } from "./address-format.ts";
import type { Family } from "./chain.ts";
import { areNumberedAlike } from "./numbered-address.ts";

/**
 * The overlap of two addresses. `prefix` and `suffix` count equal characters at each end as a reader sees them, common
 * endings included. `bits` is the information of these matches; common endings carry none.
 */
export interface Overlap {
  readonly prefix: number;
  readonly suffix: number;
  readonly bits: number;
}

/**
 * The common ending of an address: an ending that many unrelated addresses were made to have. Empty when there is none.
 */
export type EndingOf = AddressFormat["endingOf"];

/**
 * The information of a rare shape is reduced by this many characters.
 * Up to nine rare shapes share the same number of characters, which is worth one character.
 * The second character limits rare-shape alarms against labels to a few in a hundred of all alarms.
 */
const RARE_DISCOUNT = 2;

/**
 * Every shape of every format needs at least this many equal characters. Nearly all pairs have fewer, so this check
 * rejects them first.
 */
export const FEWEST_EQUAL = 5;

/** The reason why two addresses are alike: a shape of the format, a rare shape, or few differing characters. */
type Likeness = "shape" | "rare-shape" | "few-differ";

/**
 * The overlap of two canonical addresses of one family. The prefix is counted first, and the suffix stops at the
 * prefix. The overlap is empty when the addresses differ in format or in the constant prefix: 1, 3, bc1q and bc1p are
 * distinct.
 *
 * @param endingOf endings of the chain, where they differ from the endings of the format.
 */
export function overlap(family: Family, a: CanonicalAddress, b: CanonicalAddress, endingOf?: EndingOf): Overlap {
  const format = formatOf(family, a);
  const endings = endingOf ?? format.endingOf;
  return overlapBy(a === b ? undefined : likenessOf(format, a, b, endings), format, a, b, endings);
}

/**
 * The overlap of two canonical addresses when one can be mistaken for the other. A match is a shape, a rare shape, a
 * shape for two equal common endings, or few differing characters. Two numbered addresses are neighbours, not
 * lookalikes. The function is symmetric.
 *
 * @param endingOf endings of the chain, where they differ from the endings of the format.
 */
export function lookalike(
  family: Family,
  a: CanonicalAddress,
  b: CanonicalAddress,
  endingOf?: EndingOf,
): Overlap | undefined {
  if (a === b) return undefined;
  const format = formatOf(family, a);
  const endings = endingOf ?? format.endingOf;
  const likeness = likenessOf(format, a, b, endings);
  if (likeness === undefined || areNumberedAlike(family, a, b)) return undefined;
  return overlapBy(likeness, format, a, b, endings);
}

function likenessOf(
  format: AddressFormat,
  a: CanonicalAddress,
  b: CanonicalAddress,
  endingOf: EndingOf,
): Likeness | undefined {
  const { constantPrefix, shapes, rareShapes, sameEndingShapes } = format;
  const prefix = equalLeading(a, b) - constantPrefix;
  if (prefix < 0) return undefined;
  const equal = equalTrailing(a, b, Math.min(a.length, b.length) - constantPrefix);
  if (prefix + equal < FEWEST_EQUAL) return differsInFew(a, b, format.mostDiffering) ? "few-differ" : undefined;
  const suffix = countedSuffix(endingOf, a, b, equal);
  if (holdsAny(shapes, prefix, suffix)) return "shape";
  if (holdsAny(sameEndingShapes, prefix, suffix) && haveSameEnding(endingOf, a, b)) return "shape";
  if (holdsAny(rareShapes, prefix, suffix)) {
    const leading = prefix - uncountedOfRun(a, constantPrefix, 1, prefix);
    const trailing = suffix - uncountedOfRun(a, a.length - 1 - (equal - suffix), -1, suffix);
    if (holdsAny(rareShapes, leading, trailing)) return "rare-shape";
  }
  return differsInFew(a, b, format.mostDiffering) ? "few-differ" : undefined;
}

function overlapBy(
  likeness: Likeness | undefined,
  format: AddressFormat,
  a: CanonicalAddress,
  b: CanonicalAddress,
  endingOf: EndingOf,
): Overlap {
  const { constantPrefix, bitsPerCharacter } = format;
  const leading = equalLeading(a, b);
  if (leading < constantPrefix) return { prefix: 0, suffix: 0, bits: 0 };
  const prefix = leading - constantPrefix;
  const suffix = equalTrailing(a, b, Math.min(a.length, b.length) - leading);
  const ends = matchedBits(format, prefix, countedSuffix(endingOf, a, b, suffix));
  if (likeness === "rare-shape") return { prefix, suffix, bits: ends - RARE_DISCOUNT * bitsPerCharacter };
  return { prefix, suffix, bits: likeness === "few-differ" ? scatteredBits(format, a) : ends };
}

function holdsAny(shapes: readonly Shape[], prefix: number, suffix: number): boolean {
  for (const shape of shapes) if (prefix >= shape.prefix && suffix >= shape.suffix) return true;
  return false;
}

function haveSameEnding(endingOf: EndingOf, a: CanonicalAddress, b: CanonicalAddress): boolean {
  const ending = endingOf(a);
  return ending !== "" && ending === endingOf(b);
}

/** The number of the `equal` trailing characters that are not part of a common ending. */
function countedSuffix(endingOf: EndingOf, a: CanonicalAddress, b: CanonicalAddress, equal: number): number {
  const ending = equal === 0 ? "" : endingOf(a);
  if (ending === "") return equal;
  const other = endingOf(b);
  if (other === "") return equal;
  return ending === other ? Math.max(0, equal - ending.length) : 0;
}

/** The number of `shared` characters that continue the first run and are not counted. */
function uncountedOfRun(text: string, from: number, step: 1 | -1, shared: number): number {
  let run = 0;
  while (run < shared && text.charCodeAt(from + step * run) === text.charCodeAt(from)) run++;
  return Math.max(0, run - MOST_OF_RUN);
}

function differsInFew(a: string, b: string, most: number): boolean {
  if (most === 0 || a.length !== b.length) return false;
  let differing = 0;
  for (let i = 0; i < a.length; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i) && ++differing > most) return false;
  }
  return true;
}

function matchedBits(format: AddressFormat, prefix: number, suffix: number): number {
  const shortfall = prefix > 0 ? format.bitsPerCharacter - format.firstCharacterBits : 0;
  return (prefix + suffix) * format.bitsPerCharacter - shortfall;
}

/**
 * Information of two addresses with few differing characters: the bits of the equal characters, less the choices of the
 * differing positions.
 */
function scatteredBits({ constantPrefix, mostDiffering, bitsPerCharacter }: AddressFormat, address: string): number {
  const compared = address.length - constantPrefix;
  return (compared - mostDiffering) * bitsPerCharacter - mostDiffering * Math.log2(compared);
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
