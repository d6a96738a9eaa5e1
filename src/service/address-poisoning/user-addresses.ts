import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { isNumbered } from "../../chains/numbered-address.ts";
import { LookalikeIndex } from "../lookalikes/lookalike-index.ts";
import type { ServiceSubject } from "../subject.ts";

/**
 * The users of one request, by family. An EVM user is the same on every chain.
 *
 * Invariant: adding users never removes a flag. A target that equals one user does not imitate that user, but still
 * imitates every other user that it resembles. The worker relies on it when it puts the users of many events into one
 * request.
 */
export class UserAddresses {
  readonly #indexByFamily: ReadonlyMap<Family, LookalikeIndex>;

  constructor(users: readonly ServiceSubject[]) {
    const distinctByFamily = new Map<Family, Set<CanonicalAddress>>();
    for (const { chain, address } of users) {
      const distinct = distinctByFamily.get(chain.family);
      if (distinct === undefined) distinctByFamily.set(chain.family, new Set([address]));
      else distinct.add(address);
    }
    this.#indexByFamily = new Map(
      distinctByFamily.entries().map(([family, distinct]) => [family, LookalikeIndex.of(family, [...distinct])]),
    );
  }

  /**
   * True when the target is a lookalike of any user of its family. Numbered addresses are never lookalikes, because no
   * search produced them. Endings of EVM launchpads count as well, because users search for the same endings (`8888`)
   * for their own wallets.
   */
  areImitatedBy({ chain, address }: ServiceSubject): boolean {
    if (isNumbered(chain.family, address)) return false;
    return this.#indexByFamily.get(chain.family)?.hasLookalike(address) ?? false;
  }
}
