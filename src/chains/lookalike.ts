import type { CanonicalAddress } from "./address.ts";
import { type AddressFormat, formatOf, type Shape } from "./address-format.ts";
import type { Family } from "./chain.ts";

/**
 * What two addresses share: characters at each end, common endings included, as a reader sees them; and how much
 * information, in bits, these matches carry, for which common endings count nothing.
 */
export interface Overlap {
  readonly prefix: number;
  readonly suffix: number;
  readonly bits: number;
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
  return { prefix, suffix, bits: matchedBits(format, prefix, countedSuffix(format, a, b, suffix)) };
}

/**
 * What two canonical addresses have in common when one can be taken for the other: they differ, and one of the shapes of
 * their format holds, or one of those for a common ending that both have. Symmetric.
 */
export function lookalike(family: Family, a: CanonicalAddress, b: CanonicalAddress): Overlap | undefined {
  if (a === b) return undefined;
  const format = formatOf(family, a);
  const { constantPrefix, shapes, sameEndingShapes } = format;
  const prefix = equalLeading(a, b) - constantPrefix;
  const equal = equalTrailing(a, b, Math.min(a.length, b.length) - constantPrefix);
  const suffix = countedSuffix(format, a, b, equal);
  const holds = (shape: Shape) => prefix >= shape.prefix && suffix >= shape.suffix;
  const alike = shapes.some(holds) || (sameEndingShapes.some(holds) && haveSameEnding(format, a, b));
  return alike ? overlap(family, a, b) : undefined;
}

function haveSameEnding({ endingOf }: AddressFormat, a: CanonicalAddress, b: CanonicalAddress): boolean {
  const ending = endingOf(a);
  return ending !== "" && ending === endingOf(b);
}

/** Of so many equal characters at the end, those that are no common ending. */
function countedSuffix({ endingOf }: AddressFormat, a: CanonicalAddress, b: CanonicalAddress, equal: number): number {
  const ending = equal === 0 ? "" : endingOf(a);
  if (ending === "") return equal;
  const other = endingOf(b);
  if (other === "") return equal;
  return ending === other ? Math.max(0, equal - ending.length) : 0;
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
