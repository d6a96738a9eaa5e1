import { type CanonicalAddress, MAX_ADDRESS_LENGTH } from "../../../chains/address.ts";
import { type AddressFormat, formatOf, MOST_OF_RUN, type Shape } from "../../../chains/address-format.ts";
import type { Family } from "../../../chains/chain.ts";
import type { Calibrations } from "../calibration/calibration.ts";

/** A shape to compare users by; whether it is a rare one, which counts little of a run of one character. */
interface Compared extends Shape {
  readonly isRare: boolean;
}

/**
 * The users of one format. Two that are alike by any shape have their first or their last `ends` characters in common: of
 * each shape, one end has that many. So two look-ups clear nearly every user, where a set a shape takes nine on EVM.
 */
class UsersOfFormat {
  readonly format: AddressFormat;
  readonly #shapes: readonly Compared[];
  readonly #ends: number;
  readonly #firsts = new Set<number>();
  readonly #lasts = new Set<number>();
  readonly #users: { readonly user: CanonicalAddress; readonly first: number; readonly last: number }[] = [];

  constructor(format: AddressFormat, shapes: readonly Compared[]) {
    this.format = format;
    this.#shapes = shapes;
    this.#ends = Math.min(...shapes.map(({ prefix, suffix }) => Math.max(prefix, suffix)));
  }

  add(user: CanonicalAddress): void {
    if (this.#shapes.length === 0) return;
    const [first, last] = [this.#first(user), this.#last(user)];
    this.#firsts.add(first);
    this.#lasts.add(last);
    this.#users.push({ user, first, last });
  }

  hasAlike(user: CanonicalAddress): boolean {
    if (this.#users.length === 0) return false;
    const [first, last] = [this.#first(user), this.#last(user)];
    if (!this.#firsts.has(first) && !this.#lasts.has(last)) return false;
    const candidates = this.#users.filter((other) => other.first === first || other.last === last);
    return candidates.some((other) => this.#areAlike(user, other.user));
  }

  #areAlike(user: CanonicalAddress, other: CanonicalAddress): boolean {
    const { format } = this;
    return this.#shapes.some((shape) => endsBy(shape, format, user) === endsBy(shape, format, other));
  }

  #first(user: CanonicalAddress): number {
    return endsBy({ prefix: this.#ends, suffix: 0, isRare: false }, this.format, user);
  }

  #last(user: CanonicalAddress): number {
    const { length } = user;
    let last = 0;
    for (let i = length - this.#ends; i < length; i++) last = last * ALPHANUMERIC.length + rankAt(user, i);
    return last;
  }
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
  readonly #users: UsersOfFormat[] = [];

  constructor(family: Family, calibrations: Calibrations) {
    this.#family = family;
    this.#calibrations = calibrations;
  }

  add(user: CanonicalAddress): void {
    this.#usersLike(user).add(user);
  }

  /** Whether one of those added resembles `user`, who was not. */
  has(user: CanonicalAddress): boolean {
    return this.#usersLike(user).hasAlike(user);
  }

  #usersLike(user: CanonicalAddress): UsersOfFormat {
    const format = formatOf(this.#family, user);
    for (const known of this.#users) if (known.format === format) return known;
    const shapes = comparedBy(format, this.#calibrations(this.#family, format)?.flaggedShapes ?? []);
    const users = new UsersOfFormat(format, shapes);
    this.#users.push(users);
    return users;
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
