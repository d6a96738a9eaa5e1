import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf, type Shape } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import type { Calibrations } from "./calibration.ts";

/** What users of one format show of themselves, shape by shape. */
interface Shown {
  readonly format: AddressFormat;
  readonly byShape: readonly { readonly shape: Shape; readonly seen: Set<number> }[];
}

/** Users of one address family, found by whoever resembles one of them by a shape that the service may flag. */
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
    const shapes = loosestOf(this.#calibrations(this.#family, format)?.flaggedShapes ?? []);
    const shown = { format, byShape: shapes.map((shape) => ({ shape, seen: new Set<number>() })) };
    this.#shown.push(shown);
    return shown;
  }
}

/** Who is alike by another shape is alike by one of these. */
function loosestOf(shapes: readonly Shape[]): readonly Shape[] {
  const isWithin = (a: Shape, b: Shape) => a.prefix <= b.prefix && a.suffix <= b.suffix;
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
 * without a box.
 */
function endsBy(
  { prefix, suffix }: Shape,
  { constantPrefix, bitsPerCharacter }: AddressFormat,
  address: string,
): number {
  const isHex = bitsPerCharacter === 4;
  const base = isHex ? 16 : bitsPerCharacter === 5 ? 36 : 62;
  let ends = 0;
  for (let i = isHex ? constantPrefix : 0; i < constantPrefix + prefix; i++)
    ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);
  for (let i = address.length - suffix; i < address.length; i++)
    ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);
  return ends;
}
