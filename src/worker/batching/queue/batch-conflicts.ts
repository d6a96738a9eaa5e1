import type { ChainAddress } from "../../../api/schemas/address-poisoning.ts";
import type { CanonicalAddress } from "../../../chains/address.ts";
import type { Family } from "../../../chains/chain.ts";
import type { BatchEntry } from "../batch-entry.ts";
import type { CalibrationTable } from "../canary.ts";
import { SimilarUsers } from "./similar-users.ts";

type Who = Pick<BatchEntry, "target" | "token" | "users">;

/** An address that a request names on one chain. */
export interface Named {
  readonly item: ChainAddress;
  /** Whether the address is a user of any entry on any chain. Set only on the first `Named` of an address. */
  isUser: boolean;
  /**
   * Whether an entry on any chain asks about the address without having it as a user. Set only on the first `Named` of
   * an address.
   */
  isStrangers: boolean;
  isSentAsUser: boolean;
  /**
   * Index of the address among the targets, and among the tokens. `NOWHERE`: it is not listed there. The indexes are
   * final once the request is built.
   */
  targetAt: number;
  tokenAt: number;
  /** The same address on another chain. */
  next: Named | undefined;
}

export const NOWHERE = -1;

/**
 * The addresses that a request names in one address family, and the rule for further entries. An entry may join only if
 * it changes no answer of another entry, and no other entry changes its answer. That must hold for a service that
 * exempts addresses equal to a user, or drops users that look poisoned:
 *
 * - The target and the token of the entry are no user of another entry.
 * - The users of the entry are no target or token of another entry.
 * - No user of the entry resembles a user of another entry, by any shape that the service flags.
 * - No user of the entry resembles another of its own users. The service could drop either of the two, depending on
 *   their order, and another entry may have the dropped user.
 *
 * The rule holds within an address family, whatever the chain. Each address is looked up only twice per entry, because
 * every event passes here.
 */
export class BatchConflicts {
  readonly #family: Family;
  readonly #calibrations: CalibrationTable;
  readonly #named = new Map<CanonicalAddress, Named>();
  readonly #users: SimilarUsers;

  constructor(family: Family, calibrations: CalibrationTable) {
    this.#family = family;
    this.#calibrations = calibrations;
    this.#users = new SimilarUsers(family, calibrations);
  }

  /** Items that an entry adds on a chain. Undefined when the entry must stay out of the request. */
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
      // A user in the request was already compared with all other users of the request.
      if (named?.isUser === true) continue;
      if (this.#users.has(user)) return undefined;
      newcomers++;
    }
    return newcomers > 1 && this.#areAlike(users) ? undefined : growth;
  }

  /** Adds the addresses of an entry that `growthOf` accepts. */
  add(chainId: string, { target, token, users }: Who): void {
    for (const user of users) this.user(chainId, user);
    this.asked(chainId, target, users);
    if (token !== undefined) this.asked(chainId, token, users);
  }

  /**
   * Adds one user of an entry.
   *
   * @returns the address as the request names it on that chain.
   */
  user(chainId: string, user: CanonicalAddress): Named {
    const first = this.#firstOf(chainId, user);
    if (!first.isUser) {
      first.isUser = true;
      this.#users.add(user);
    }
    return onOrNew(chainId, first);
  }

  /**
   * Adds the target or the token of an entry.
   *
   * @returns the address as the request names it on that chain.
   */
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

  #areAlike(users: Who["users"]): boolean {
    const seen = new SimilarUsers(this.#family, this.#calibrations);
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
