import type { BatchEntry } from "../batch-entry.ts";
import { ItemMap } from "../replies/item-map.ts";

/** Items of one request for all these entries. Each distinct user, target and token counts once. */
export class DistinctItems {
  readonly #users = new ItemMap<true>();
  readonly #targets = new ItemMap<true>();
  readonly #tokens = new ItemMap<true>();

  get size(): number {
    return this.#users.size + this.#targets.size + this.#tokens.size;
  }

  add({ chain, target, token, users }: BatchEntry): void {
    for (const user of users) this.#users.set(chain.id, user, true);
    this.#targets.set(chain.id, target, true);
    if (token !== undefined) this.#tokens.set(chain.id, token, true);
  }
}
