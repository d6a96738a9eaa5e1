import { formatOf, type Shape } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import type { Calibrations } from "./calibration.ts";
import type { Part } from "./part.ts";

type Who = Pick<Part, "target" | "token" | "users"> & { readonly family: Family };

/**
 * Whose addresses may stand in one request. A part may join only when it changes no other part's answer, and no other
 * its own, at a service that exempts addresses equal to any user, or drops users that look poisoned:
 *
 * - its target and token are no stranger's user, and its users are no stranger's target or token;
 * - none of its users resembles a stranger's, by any shape that the service flags.
 *
 * Both hold within an address family, whatever the chain.
 */
export class KeepApart {
  readonly #calibrations: Calibrations;
  /** Users by family and address, with how many parts they belong to. */
  readonly #users = new Set<string>();
  /** Targets and tokens, with the parts that ask about them. */
  readonly #asked = new Map<string, Who[]>();
  /** Users by what they show of themselves under each flagged shape. */
  readonly #alike = new Map<string, Set<string>>();

  constructor(calibrations: Calibrations) {
    this.#calibrations = calibrations;
  }

  add(who: Who): void {
    const { family } = who;
    for (const user of who.users) {
      const key = `${family}|${user}`;
      if (this.#users.has(key)) continue;
      this.#users.add(key);
      for (const ends of this.#endsOf(family, user)) {
        const others = this.#alike.get(ends);
        if (others === undefined) this.#alike.set(ends, new Set([user]));
        else others.add(user);
      }
    }
    for (const address of askedOf(who)) {
      const key = `${family}|${address}`;
      const others = this.#asked.get(key);
      if (others === undefined) this.#asked.set(key, [who]);
      else others.push(who);
    }
  }

  /** Whether `who` must stay out of a request that holds what was added. */
  forbids(who: Who): boolean {
    const { family, users } = who;
    if (askedOf(who).some((address) => this.#users.has(`${family}|${address}`) && !users.includes(address)))
      return true;
    return users.some((user) => {
      if (this.#asked.get(`${family}|${user}`)?.some((other) => !other.users.includes(user))) return true;
      return this.#endsOf(family, user).some((ends) => {
        const alike = this.#alike.get(ends);
        if (alike === undefined || (alike.size === 1 && alike.has(user))) return false;
        return [...alike].some((other) => other !== user && !users.includes(other as typeof user));
      });
    });
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

/** What an address shows under a shape: two that are alike by it show the same. */
function endsBy({ prefix, suffix }: Shape, constantPrefix: number, address: string): string {
  const head = address.slice(0, constantPrefix + prefix);
  return `${prefix}+${suffix}|${head}|${suffix === 0 ? "" : address.slice(-suffix)}`;
}
