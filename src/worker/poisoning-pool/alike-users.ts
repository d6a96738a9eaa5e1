import { type CanonicalAddress, MAX_ADDRESS_LENGTH } from "../../chains/address.ts";
import { type AddressFormat, formatOf, MOST_OF_RUN, type Shape } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import type { Calibrations } from "./calibration.ts";

/** A shape to compare users by; whether it is a rare one, which counts little of a run of one character. */
interface Compared extends Shape {
  readonly isRare: boolean;
}

/** What users of one format show of themselves, shape by shape. */
interface Shown {
  readonly format: AddressFormat;
  readonly byShape: readonly { readonly shape: Compared; readonly seen: Set<number> }[];
}

/**
 * Users of one address family, found by a user who resembles one of them. Compared are the shapes that the service may
 * flag, and the rare shapes of the format, which calibration does not try. Two users that differ in a few characters
 * anywhere are not found: no search makes such a pair.
 */
export class AlikeUsers {
  readonly #family: Family;
  readonly #calibrations: Calibrations;
  /** One a format: Bitcoin has two, others have one. */
  readonly #shown: Shown[] = [];

  constructor(family: Family, calibrations: Calibrations) {
    this.#family = family;
    this.#calibrations = calibrations;
  }

  add(user: CanonicalAddress): void {
    const { format, byShape } = this.#shownLike(user);
    for (const { shape, seen } of byShape) seen.add(endsBy(shape, format, user));
  }

  /** Whether one of those added resembles `user`, who was not. */
  has(user: CanonicalAddress): boolean {
    const { format, byShape } = this.#shownLike(user);
    for (const { shape, seen } of byShape) if (seen.has(endsBy(shape, format, user))) return true;
    return false;
  }

  #shownLike(user: CanonicalAddress): Shown {
    const format = formatOf(this.#family, user);
    for (const known of this.#shown) if (known.format === format) return known;
    const shapes = comparedBy(format, this.#calibrations(this.#family, format)?.flaggedShapes ?? []);
    const shown = { format, byShape: shapes.map((shape) => ({ shape, seen: new Set<number>() })) };
    this.#shown.push(shown);
    return shown;
  }
}

function comparedBy(format: AddressFormat, flagged: readonly Shape[]): readonly Compared[] {
  if (flagged.length === 0) return [];
  const plain = flagged.map((shape) => ({ ...shape, isRare: false }));
  return loosestOf([...plain, ...format.rareShapes.map((shape) => ({ ...shape, isRare: true }))]);
}

/** Users that are alike by another shape are alike by one of these. */
function loosestOf(shapes: readonly Compared[]): readonly Compared[] {
  const isWithin = (a: Compared, b: Compared) =>
    a.prefix <= b.prefix && a.suffix <= b.suffix && (!a.isRare || b.isRare);
  return shapes.filter((shape, i) =>
    shapes.every((other, j) => i === j || !isWithin(other, shape) || (isWithin(shape, other) && i < j)),
  );
}

const ALPHANUMERIC = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** By code unit: its place among the digits and letters, so that sixteen, and those in lower case, have the lowest. */
const rank = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, ALPHANUMERIC.indexOf(String.fromCharCode(code))),
);

/**
 * What an address shows under a shape, as a number: two that are alike by it show the same, no others do. Of the longest,
 * ten characters of bech32, it has 52 bits; of hexadecimal ones, all of which begin with 0x, so few that the engine keeps it
 * without a box. Of a long run at an end a rare shape shows how long it is and where it ends.
 */
function endsBy(
  { prefix, suffix, isRare }: Compared,
  { constantPrefix, bitsPerCharacter }: AddressFormat,
  address: string,
): number {
  const isHex = bitsPerCharacter === 4;
  const base = isHex ? 16 : bitsPerCharacter === 5 ? 36 : 62;
  const skippedFirst = isRare && prefix > MOST_OF_RUN ? beyondMost(address, constantPrefix, 1) : 0;
  const skippedLast = isRare && suffix > MOST_OF_RUN ? beyondMost(address, address.length - 1, -1) : 0;
  let ends = skippedFirst + skippedLast * MAX_ADDRESS_LENGTH;
  for (let i = isHex ? constantPrefix : 0; i < constantPrefix; i++) ends = ends * base + rankAt(address, i);
  const first = constantPrefix + skippedFirst;
  for (let i = first; i < first + prefix; i++) ends = ends * base + rankAt(address, i);
  const last = address.length - skippedLast;
  for (let i = last - suffix; i < last; i++) ends = ends * base + rankAt(address, i);
  return ends;
}

function rankAt(address: string, at: number): number {
  return rank[address.charCodeAt(at)] ?? 0;
}

/** How much longer than a rare shape counts is the run from a place on. */
function beyondMost(address: string, from: number, step: 1 | -1): number {
  let run = 1;
  while (run < address.length && address.charCodeAt(from + step * run) === address.charCodeAt(from)) run++;
  return Math.max(0, run - MOST_OF_RUN);
}
