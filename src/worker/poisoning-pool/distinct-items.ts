import { ItemMap } from "./item-map.ts";
import type { Part } from "./part.ts";

/** How many items a request for all of these parts would hold: distinct users, targets and tokens, each counted once. */
export class DistinctItems {
  readonly #users = new ItemMap<number>();
  readonly #targets = new ItemMap<number>();
  readonly #tokens = new ItemMap<number>();

  get size(): number {
    return this.#users.size + this.#targets.size + this.#tokens.size;
  }

  add(part: Part): void {
    this.#count(part, 1);
  }

  remove(part: Part): void {
    this.#count(part, -1);
  }

  #count({ chain, target, token, users }: Part, by: 1 | -1): void {
    for (const user of users) count(this.#users, chain.id, user, by);
    count(this.#targets, chain.id, target, by);
    if (token !== undefined) count(this.#tokens, chain.id, token, by);
  }
}

/** Who was not in takes nothing out. */
function count(counts: ItemMap<number>, chainId: string, address: string, by: 1 | -1): void {
  const now = (counts.get(chainId, address) ?? 0) + by;
  if (now > 0) counts.set(chainId, address, now);
  else counts.delete(chainId, address);
}
