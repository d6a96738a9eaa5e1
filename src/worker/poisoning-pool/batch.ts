import { formatOf } from "../../chains/address-format.ts";
import { type ChainAddress, MAX_BATCH_ITEMS, type PoisoningBatchRequest } from "../../contract/address-poisoning.ts";
import type { Random } from "../../kernel/random.ts";
import type { Calibrations, CanaryPair } from "./calibration.ts";
import { KeepApart } from "./keep-apart.ts";
import { itemKey, type Part } from "./part.ts";

/** A canary pair in a request, under the chain it stands for. */
export interface Canary extends CanaryPair {
  readonly chain: Part["chain"];
}

/**
 * A request in the making: parts that may share it (keep-apart.ts), distinct users, targets and tokens sent once, and a
 * canary pair for each chain and address format in it.
 */
export class Batch {
  readonly parts: Part[] = [];
  readonly #canaries = new Map<string, Canary>();
  readonly #calibrations: Calibrations;
  readonly #apart: KeepApart;
  readonly #users = new Map<string, ChainAddress>();
  readonly #targets = new Map<string, ChainAddress>();
  readonly #tokens = new Map<string, ChainAddress>();

  constructor(calibrations: Calibrations) {
    this.#calibrations = calibrations;
    this.#apart = new KeepApart(calibrations);
  }

  get size(): number {
    return this.#users.size + this.#targets.size + this.#tokens.size;
  }

  get canaries(): readonly Canary[] {
    return [...this.#canaries.values()];
  }

  /** Whether not even a part with one new item would still fit. */
  get isFull(): boolean {
    return this.size >= MAX_BATCH_ITEMS;
  }

  /** Takes `part` in when it may share this request and fits. @returns whether it did. */
  add(part: Part): boolean {
    const { family } = part.chain;
    const who = { family, target: part.target, token: part.token, users: part.users };
    if (this.#apart.forbids(who)) return false;
    const format = formatOf(family, part.target);
    const place = `${part.chain.id}|${format.constantPrefix}`;
    const standing = this.#canaries.get(place);
    const canary = standing ?? this.#calibrations(family, format)?.canaries.find((pair) => this.#suits(pair, who));
    if (canary === undefined || this.size + this.#growth(part, standing === undefined) > MAX_BATCH_ITEMS) return false;
    if (standing === undefined) {
      this.#canaries.set(place, { ...canary, chain: part.chain });
      this.#put(part, { users: [canary.user], target: canary.target, token: undefined });
    }
    this.#put(part, part);
    this.parts.push(part);
    return true;
  }

  /**
   * The request, each array in random order, but with the canaries last: a service that looks at the first so many
   * users or targets only, or stops after a while, fails them before anybody else.
   */
  request(random: Random): PoisoningBatchRequest {
    const users = new Set(this.canaries.map(({ chain, user }) => itemKey(chain, user)));
    const targets = new Set(this.canaries.map(({ chain, target }) => itemKey(chain, target)));
    return {
      user_addresses: shuffled(this.#users, users, random),
      target_addresses: shuffled(this.#targets, targets, random),
      token_addresses: shuffled(this.#tokens, new Set(), random),
    };
  }

  /** Whether a pair may stand beside everything here, and beside the part that brings it. */
  #suits(pair: CanaryPair, who: Parameters<KeepApart["forbids"]>[0]): boolean {
    const stranger = { family: who.family, target: pair.target, token: undefined, users: [pair.user] };
    if (this.#apart.forbids(stranger)) return false;
    const both = new KeepApart(this.#calibrations);
    both.add(who);
    return !both.forbids(stranger);
  }

  #growth({ chain, users, target, token }: Part, withCanary: boolean): number {
    let items = withCanary ? 2 : 0;
    for (const user of users) if (!this.#users.has(itemKey(chain, user))) items++;
    if (!this.#targets.has(itemKey(chain, target))) items++;
    if (token !== undefined && !this.#tokens.has(itemKey(chain, token))) items++;
    return items;
  }

  #put({ chain }: Part, what: Pick<Part, "users" | "target" | "token">): void {
    const put = (items: Map<string, ChainAddress>, address: string) => {
      const key = itemKey(chain, address);
      if (!items.has(key)) items.set(key, { chain_id: chain.id, address });
    };
    for (const user of what.users) put(this.#users, user);
    put(this.#targets, what.target);
    if (what.token !== undefined) put(this.#tokens, what.token);
    this.#apart.add({ family: chain.family, users: what.users, target: what.target, token: what.token });
  }
}

/** All items in random order, those of `last` behind the others. */
function shuffled(all: ReadonlyMap<string, ChainAddress>, last: ReadonlySet<string>, random: Random): ChainAddress[] {
  const places = Array.from(all, ([key, item]) => ({ item, at: (last.has(key) ? 1 : 0) + random() }));
  return places.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
