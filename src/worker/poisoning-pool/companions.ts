import type { Part } from "./part.ts";

/** Who comes along with one part: as much as makes a user's place cheap, and no tenant's turn much longer. */
const MOST = 32;
/** Parts of more users seldom have company, and their text takes memory. */
const MAX_USERS = 8;

/**
 * What waits, by its users: whoever has those of another travels with it for one place in place of two, since a user
 * stands in a request once.
 */
export class Companions<W extends { readonly part: Part }> {
  /** One alone, which most are, stands without a set of its own. */
  readonly #byUsers = new Map<string, W | Set<W>>();

  add(waiting: W): void {
    const key = usersOf(waiting.part);
    if (key === undefined) return;
    const known = this.#byUsers.get(key);
    if (known === undefined) this.#byUsers.set(key, waiting);
    else if (known instanceof Set) known.add(waiting);
    else if (known !== waiting) this.#byUsers.set(key, new Set([known, waiting]));
  }

  remove(waiting: W): void {
    const key = usersOf(waiting.part);
    if (key === undefined) return;
    const known = this.#byUsers.get(key);
    if (known === waiting) this.#byUsers.delete(key);
    else if (known instanceof Set && known.delete(waiting) && known.size === 0) this.#byUsers.delete(key);
  }

  /** The first of those with the same users that wait, as they came. */
  of({ part }: W): readonly W[] {
    const known = this.#byUsers.get(usersOf(part) ?? "");
    if (known === undefined) return [];
    return known instanceof Set ? [...known.values().take(MOST)] : [known];
  }
}

/** One text for the same users on the same chain; undefined where company is of no use. */
function usersOf({ chain, users }: Part): string | undefined {
  return users.length === 0 || users.length > MAX_USERS ? undefined : `${chain.id}|${users.join("|")}`;
}
