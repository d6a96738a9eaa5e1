import type { ChainAddress } from "../../../api/schemas/address-poisoning.ts";
import type { CanonicalAddress } from "../../../chains/address.ts";
import type { Family } from "../../../chains/chain.ts";
import type { BatchEntry } from "../batch-entry.ts";
import type { Calibrations } from "../calibration/calibration.ts";
import { AlikeUsers } from "./similar-users.ts";

type Who = Pick<BatchEntry, "target" | "token" | "users">;

/** An address that a request names on a chain. */
export interface Named {
  readonly item: ChainAddress;
  /** Whether it is anybody's user on any chain; said of the first of an address only, as is the next. */
  isUser: boolean;
  /** Whether anybody asks about it, on any chain, who does not have it for a user. */
  isStrangers: boolean;
  isSentAsUser: boolean;
  /** Where it stands among the targets, and among the tokens; `NOWHERE`: it is none. Known when the request is made. */
  targetAt: number;
  tokenAt: number;
  /** The same address on another chain. */
  next: Named | undefined;
}

export const NOWHERE = -1;

/**
 * Whom a request names in one address family, and whose addresses may stand beside them. A part may join only when it
 * changes no other part's answer, and no other its own, at a service that exempts addresses equal to any user, or drops
 * users that look poisoned:
 *
 * - its target and token are no stranger's user, and its users are no stranger's target or token;
 * - none of its users resembles a stranger's, by any shape that the service flags; nor one another: which of them counts
 *   would be a matter of their order, and they would take a user away from a stranger who has one of them, too.
 *
 * All of this holds within an address family, whatever the chain. Each address is looked up twice for each part that
 * names it, when it is weighed and when it joins: every event passes here.
 */
export class KeepApart {
  readonly #family: Family;
  readonly #calibrations: Calibrations;
  readonly #named = new Map<CanonicalAddress, Named>();
  readonly #users: AlikeUsers;

  constructor(family: Family, calibrations: Calibrations) {
    this.#family = family;
    this.#calibrations = calibrations;
    this.#users = new AlikeUsers(family, calibrations);
  }

  /** How many items `who` adds on a chain; undefined when they must stay out of a request that holds who joined. */
  growthOf(chainId: string, { target, token, users }: Who): number | undefined {
    const ofTarget = this.#named.get(target);
    if (ofTarget?.isUser === true && !users.includes(target)) return undefined;
    let growth = (on(chainId, ofTarget)?.targetAt ?? NOWHERE) === NOWHERE ? 1 : 0;
    if (token !== undefined) {
      const ofToken = this.#named.get(token);
      if (ofToken?.isUser === true && !users.includes(token)) return undefined;
      if ((on(chainId, ofToken)?.tokenAt ?? NOWHERE) === NOWHERE) growth++;
    }
    let newcomers = 0;
    for (const user of users) {
      const named = this.#named.get(user);
      if (named?.isStrangers === true) return undefined;
      if (on(chainId, named)?.isSentAsUser !== true) growth++;
      // Who is here already resembles nobody else who is.
      if (named?.isUser === true) continue;
      if (this.#users.has(user)) return undefined;
      newcomers++;
    }
    return newcomers > 1 && this.#areAlike(users) ? undefined : growth;
  }

  /** Takes in whom nothing forbids. */
  add(chainId: string, { target, token, users }: Who): void {
    for (const user of users) this.user(chainId, user);
    this.asked(chainId, target, users);
    if (token !== undefined) this.asked(chainId, token, users);
  }

  /** Takes in one user of theirs. @returns the address as it stands in the request on that chain, new or not. */
  user(chainId: string, user: CanonicalAddress): Named {
    const first = this.#firstOf(chainId, user);
    if (!first.isUser) {
      first.isUser = true;
      this.#users.add(user);
    }
    return onOrNew(chainId, first);
  }

  /** Takes in their target or token, likewise. */
  asked(chainId: string, address: CanonicalAddress, users: BatchEntry["users"]): Named {
    const first = this.#firstOf(chainId, address);
    if (!users.includes(address)) first.isStrangers = true;
    return onOrNew(chainId, first);
  }

  #firstOf(chainId: string, address: CanonicalAddress): Named {
    const known = this.#named.get(address);
    if (known !== undefined) return known;
    const named = namedAs(chainId, address);
    this.#named.set(address, named);
    return named;
  }

  /** Whether two of these users resemble each other. */
  #areAlike(users: Who["users"]): boolean {
    const seen = new AlikeUsers(this.#family, this.#calibrations);
    for (const user of users) {
      if (seen.has(user)) return true;
      seen.add(user);
    }
    return false;
  }
}

function namedAs(chainId: string, address: string): Named {
  return {
    item: { chain_id: chainId, address },
    isUser: false,
    isStrangers: false,
    isSentAsUser: false,
    targetAt: NOWHERE,
    tokenAt: NOWHERE,
    next: undefined,
  };
}

function on(chainId: string, first: Named | undefined): Named | undefined {
  let named = first;
  while (named !== undefined && named.item.chain_id !== chainId) named = named.next;
  return named;
}

function onOrNew(chainId: string, first: Named): Named {
  const known = on(chainId, first);
  if (known !== undefined) return known;
  const named = namedAs(chainId, first.item.address);
  named.next = first.next;
  first.next = named;
  return named;
}
