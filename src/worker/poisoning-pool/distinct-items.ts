import { itemKey, type Part } from "./part.ts";

/** How many items a request for all of these parts would hold: distinct users, targets and tokens, each counted once. */
export class DistinctItems {
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#counts.size;
  }

  add(part: Part): void {
    for (const key of keysOf(part)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(part: Part): void {
    for (const key of keysOf(part)) {
      const count = this.#counts.get(key) ?? 0;
      if (count > 1) this.#counts.set(key, count - 1);
      else this.#counts.delete(key);
    }
  }
}

function keysOf({ chain, target, token, users }: Part): string[] {
  const keys = users.map((user) => `u${itemKey(chain, user)}`);
  keys.push(`t${itemKey(chain, target)}`);
  if (token !== undefined) keys.push(`k${itemKey(chain, token)}`);
  return keys;
}
