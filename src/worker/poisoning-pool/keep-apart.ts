import { formatOf, type Shape } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import type { Calibrations } from "./calibration.ts";
import { ItemMap } from "./item-map.ts";
import type { Part } from "./part.ts";

type Who = Pick<Part, "target" | "token" | "users"> & { readonly family: Family };

/**
 * Whose addresses may stand in one request. A part may join only when it changes no other part's answer, and no other
 * its own, at a service that exempts addresses equal to any user, or drops users that look poisoned:
 *
 * - its target and token are no stranger's user, and its users are no stranger's target or token;
 * - none of its users resembles a stranger's, by any shape that the service flags; nor one another: which of them counts
 *   would be a matter of their order, and they would take a user away from a stranger who has one of them, too.
 *
 * All of this holds within an address family, whatever the chain.
 */
export class KeepApart {
  readonly #calibrations: Calibrations;
  /** Users by family and address. */
  readonly #users = new ItemMap<true>();
  /** Targets and tokens by family and address, with the parts that ask about them. */
  readonly #asked = new ItemMap<Who[]>();
  /** The one user that shows this of itself under a flagged shape. */
  readonly #alike = new Map<string, string>();

  constructor(calibrations: Calibrations) {
    this.#calibrations = calibrations;
  }

  /** Takes in whom nothing forbids. */
  add(who: Who): void {
    const { family } = who;
    for (const user of who.users) {
      if (this.#users.has(family, user)) continue;
      this.#users.set(family, user, true);
      for (const ends of this.#endsOf(family, user)) this.#alike.set(ends, user);
    }
    for (const address of askedOf(who)) {
      const others = this.#asked.get(family, address);
      if (others === undefined) this.#asked.set(family, address, [who]);
      else others.push(who);
    }
  }

  /** Whether `who` must stay out of a request that holds what was added. */
  forbids(who: Who): boolean {
    const { family, users } = who;
    if (askedOf(who).some((address) => this.#users.has(family, address) && !users.includes(address))) return true;
    if (this.#areAlike(family, users)) return true;
    return users.some((user) => {
      if (this.#asked.get(family, user)?.some((other) => !other.users.includes(user))) return true;
      // Who is here already resembles nobody else who is.
      if (this.#users.has(family, user)) return false;
      return this.#endsOf(family, user).some((ends) => (this.#alike.get(ends) ?? user) !== user);
    });
  }

  /** Whether two of these users resemble each other. */
  #areAlike(family: Family, users: Who["users"]): boolean {
    if (users.length < 2) return false;
    const seen = new Set<string>();
    return users.some((user) =>
      this.#endsOf(family, user).some((ends) => {
        if (seen.has(ends)) return true;
        seen.add(ends);
        return false;
      }),
    );
  }

  #endsOf(family: Family, address: Who["target"]): readonly string[] {
    const format = formatOf(family, address);
    const shapes = this.#calibrations(family, format)?.flaggedShapes ?? [];
    const { constantPrefix } = format;
    return shapes.map((shape) => endsBy(shape, constantPrefix, address));
  }
}

function askedOf({ target, token }: Who): readonly Who["target"][] {
  return token === undefined || token === target ? [target] : [target, token];
}

/**
 * What an address shows under a shape: two that are alike by it show the same. Short, since each user of each request is
 * looked for by it: the engine stores a text of twelve characters at once, and a longer one in pieces.
 */
function endsBy({ prefix, suffix }: Shape, constantPrefix: number, address: string): string {
  const head = address.slice(0, constantPrefix + prefix);
  return `${prefix}${suffix}${head}${suffix === 0 ? "" : address.slice(-suffix)}`;
}
