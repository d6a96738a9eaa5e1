import { type CanonicalAddress, MAX_ADDRESS_LENGTH } from "../../../chains/address.ts";
import { type AddressFormat, formatOf, MOST_OF_RUN, type Shape } from "../../../chains/address-format.ts";
import type { Family } from "../../../chains/chain.ts";
import type { CalibrationTable } from "../canary.ts";

/** A shape to compare users by. A rare shape counts only a few characters of a run of one character. */
interface Compared extends Shape {
  readonly isRare: boolean;
}

/**
 * The users of one format. Two users that are alike by any shape share their first or last `ends` characters. Each
 * shape fixes that many at one end. So two look-ups clear nearly every user. One set per shape would take nine look-ups
 * on EVM.
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
 * The users of one address family, searched for a user that resembles a given user. Compared are the shapes that the
 * service may flag, and the format's rare shapes, which calibration does not try. Two users that differ in a few
 * characters anywhere are not found: no address search makes such a pair.
 */
export class SimilarUsers {
  readonly #family: Family;
  readonly #calibrations: CalibrationTable;
  /** One element per format: Bitcoin has two formats, the other families have one. */
  readonly #users: UsersOfFormat[] = [];

  constructor(family: Family, calibrations: CalibrationTable) {
    this.#family = family;
    this.#calibrations = calibrations;
  }

  add(user: CanonicalAddress): void {
    this.#usersLike(user).add(user);
  }

  /** Whether an added user resembles `user`, which is not added itself. */
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

/** Drops each shape that another shape implies. */
function loosestOf(shapes: readonly Compared[]): readonly Compared[] {
  const isWithin = (a: Compared, b: Compared) =>
    a.prefix <= b.prefix && a.suffix <= b.suffix && (!a.isRare || b.isRare);
  return shapes.filter((shape, i) =>
    shapes.every((other, j) => i === j || !isWithin(other, shape) || (isWithin(shape, other) && i < j)),
  );
}

const ALPHANUMERIC = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Rank of each code unit among digits and letters. Hexadecimal and lower-case characters have the lowest ranks. */
const rank = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, ALPHANUMERIC.indexOf(String.fromCharCode(code))),
);

/**
 * The characters that a shape compares, as a number. Two addresses have equal numbers exactly if they are alike. The
 * longest shape, ten characters of bech32, takes 52 bits. Hexadecimal shapes skip the constant 0x, and their numbers
 * are small enough for the engine to store them unboxed. For a long run at an end, a rare shape encodes the run's
 * length and the characters around its end.
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

/** By how many characters the run that starts at `from` exceeds the run of a rare shape. */
function beyondMost(address: string, from: number, step: 1 | -1): number {
  let run = 1;
  while (run < address.length && address.charCodeAt(from + step * run) === address.charCodeAt(from)) run++;
  return Math.max(0, run - MOST_OF_RUN);
}
