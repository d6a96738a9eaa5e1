import type { BatchEntry } from "../batch-entry.ts";
import { ItemMap } from "../replies/item-map.ts";

/**
 * Limit of entries that join one entry with the same users. Chosen: enough to make the item of a user cheap, without
 * delaying other tenants much.
 */
const MOST = 32;
/** Entries with more users rarely share them, and the key of their users takes memory. */
const MAX_USERS = 8;

const NOBODY: readonly never[] = [];

/**
 * Waiting entries, indexed by their users. Entries with the same users share a request cheaply: a user is sent once, so
 * a further entry costs one item, not two.
 */
export class SameUserIndex<W extends { readonly part: BatchEntry }> {
  /** Entries with one user, as most have. A lone entry is stored without a set. */
  readonly #byUser = new ItemMap<W | Set<W>>();
  /** Entries with several users, by all their users. */
  readonly #byUsers = new ItemMap<W | Set<W>>();

  /** Distinct users of the entries with one user. */
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

  /**
   * Removes `waiting`.
   *
   * @returns the oldest waiting entries with the same users.
   */
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

/** One key for equal users, nearly always an existing string. Undefined where sharing saves nothing. */
function usersOf(users: BatchEntry["users"]): string | undefined {
  if (users.length === 1) return users[0];
  return users.length === 0 || users.length > MAX_USERS ? undefined : users.join("|");
}
