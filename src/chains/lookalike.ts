import type { CanonicalAddress } from "./address.ts";
import { type AddressFormat, formatOf, MOST_OF_RUN, type Shape } from "./address-format.ts";
import type { Family } from "./chain.ts";
import { areNumberedAlike } from "./numbered-address.ts";

/**
 * What two addresses share: characters at each end, common endings included, as a reader sees them; and how much
 * information, in bits, these matches carry, for which common endings count nothing.
 */
export interface Overlap {
  readonly prefix: number;
  readonly suffix: number;
  readonly bits: number;
}

/** The end of an address that many unrelated ones were made to have, empty when there is none. */
export type EndingOf = AddressFormat["endingOf"];

/**
 * Characters that a rare shape carries less than it shows. There are up to nine ways to share as many, one character's
 * worth; the other one keeps their alarms against labels to a few in a hundred of all.
 */
const RARE_DISCOUNT = 2;

/** Equal characters that every shape of every format asks for. Nearly all pairs have fewer, and are told by that. */
export const FEWEST_EQUAL = 5;

/** By what an address is alike another: a shape of its format, a rare shape, or few differing characters. */
type Likeness = "shape" | "rare-shape" | "few-differ";

/**
 * What two canonical addresses of one family have in common. The prefix is counted first, and the suffix stops where it
 * ended. Nothing at all when they differ in format or in the constant prefix: 1, 3, bc1q and bc1p are told apart.
 *
 * @param endingOf endings of the chain, where they are not those of the format.
 */
export function overlap(family: Family, a: CanonicalAddress, b: CanonicalAddress, endingOf?: EndingOf): Overlap {
  const format = formatOf(family, a);
  const endings = endingOf ?? format.endingOf;
  return overlapBy(a === b ? undefined : likenessOf(format, a, b, endings), format, a, b, endings);
}

/**
 * What two canonical addresses have in common when one can be taken for the other. They differ, and a shape or a rare
 * shape of their format holds, or one of those for a common ending that both have, or they differ in few characters
 * only. Two that were numbered are neighbours, not lookalikes. Symmetric.
 *
 * @param endingOf endings of the chain, where they are not those of the format.
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

/** Of so many equal characters at the end, those that are no common ending. */
function countedSuffix(endingOf: EndingOf, a: CanonicalAddress, b: CanonicalAddress, equal: number): number {
  const ending = equal === 0 ? "" : endingOf(a);
  if (ending === "") return equal;
  const other = endingOf(b);
  if (other === "") return equal;
  return ending === other ? Math.max(0, equal - ending.length) : 0;
}

/** Of `shared` characters from a place on, those that go on with the run they begin with and are not counted. */
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

/** Of two addresses with few differing characters: what the others carry, less the choices of where those stand. */
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
