import type { BatchEntry } from "../batch-entry.ts";
import { ItemMap } from "../replies/item-map.ts";

/** Who comes along with one part: as much as makes a user's place cheap, and no tenant's turn much longer. */
const MOST = 32;
/** Parts of more users seldom have company, and their text takes memory. */
const MAX_USERS = 8;

const NOBODY: readonly never[] = [];

/**
 * What waits, by its users: whoever has those of another travels with it for one place in place of two, since a user
 * stands in a request once.
 */
export class SameUserIndex<W extends { readonly part: BatchEntry }> {
  /** By the only user that most have; who waits alone with that, as nearly all do, stands without a set of its own. */
  readonly #byUser = new ItemMap<W | Set<W>>();
  /** By all of several users. */
  readonly #byUsers = new ItemMap<W | Set<W>>();

  /** Distinct users of those with one. */
  get onlyUsers(): number {
    return this.#byUser.size;
  }

  add(waiting: W): void {
    const { chain, users } = waiting.part;
    const key = usersOf(users);
    if (key === undefined) return;
    const all = this.#all(users);
    const known = all.get(chain.id, key);
    if (known === undefined) all.set(chain.id, key, waiting);
    else if (known instanceof Set) known.add(waiting);
    else if (known !== waiting) all.set(chain.id, key, new Set([known, waiting]));
  }

  /** Takes `waiting` out. @returns the first of those with the same users that wait, as they came. */
  leave(waiting: W): readonly W[] {
    const { chain, users } = waiting.part;
    const key = usersOf(users);
    if (key === undefined) return NOBODY;
    const all = this.#all(users);
    const known = all.get(chain.id, key);
    if (known === undefined) return NOBODY;
    if (known === waiting) {
      all.delete(chain.id, key);
      return NOBODY;
    }
    if (!(known instanceof Set)) return [known];
    known.delete(waiting);
    if (known.size === 0) all.delete(chain.id, key);
    return [...known.values().take(MOST)];
  }

  #all({ length }: BatchEntry["users"]): ItemMap<W | Set<W>> {
    return length === 1 ? this.#byUser : this.#byUsers;
  }
}

/** One text for the same users, nearly always one that is there already; undefined where company is of no use. */
function usersOf(users: BatchEntry["users"]): string | undefined {
  if (users.length === 1) return users[0];
  return users.length === 0 || users.length > MAX_USERS ? undefined : users.join("|");
}
