import { formatOf } from "../../chains/address-format.ts";
import { type ChainAddress, MAX_BATCH_ITEMS, type PoisoningBatchRequest } from "../../contract/address-poisoning.ts";
import type { Random } from "../../kernel/random.ts";
import type { Calibrations, CanaryPair } from "./calibration.ts";
import { ItemMap } from "./item-map.ts";
import { KeepApart } from "./keep-apart.ts";
import type { Part } from "./part.ts";

/** Places that the canaries of one chain take: two users and two targets. */
export const CANARY_ITEMS = 4;

/** A canary pair in a request, under the chain it stands for. */
export interface Canary extends CanaryPair {
  readonly chain: Part["chain"];
}

/**
 * A request in the making: parts that may share it (keep-apart.ts), distinct users, targets and tokens sent once, and two
 * canary pairs for each chain and address format in it.
 */
export class Batch {
  readonly parts: Part[] = [];
  readonly #canaries = new Map<string, { readonly front: Canary; readonly back: Canary }>();
  readonly #calibrations: Calibrations;
  readonly #apart: KeepApart;
  readonly #users = new ItemMap<ChainAddress>();
  readonly #targets = new ItemMap<ChainAddress>();
  readonly #tokens = new ItemMap<ChainAddress>();

  constructor(calibrations: Calibrations) {
    this.#calibrations = calibrations;
    this.#apart = new KeepApart(calibrations);
  }

  get size(): number {
    return this.#users.size + this.#targets.size + this.#tokens.size;
  }

  get canaries(): readonly Canary[] {
    return [...this.#canaries.values()].flatMap(({ front, back }) => [front, back]);
  }

  /** Whether an item stands in the request, canaries included. */
  get asked() {
    const among = (items: ItemMap<ChainAddress>) => (chainId: string, address: string) => items.has(chainId, address);
    return { targets: among(this.#targets), tokens: among(this.#tokens) };
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
    const pairs = standing ?? this.#calibrations(family, format)?.canaries;
    if (pairs === undefined || this.size + this.#growth(part, standing === undefined) > MAX_BATCH_ITEMS) return false;
    if (standing === undefined) {
      if (!this.#suits(pairs.front, who) || !this.#suits(pairs.back, who)) return false;
      const [front, back] = [pairs.front, pairs.back].map((pair) => ({ ...pair, chain: part.chain }));
      if (front === undefined || back === undefined) return false;
      this.#canaries.set(place, { front, back });
      for (const { user, target } of [front, back]) this.#put(part, { users: [user], target, token: undefined });
    }
    this.#put(part, part);
    this.parts.push(part);
    return true;
  }

  /**
   * The request, each array in random order between its canaries: a service that looks at the first so many users or
   * targets only, or at the last, fails a canary before anybody else.
   */
  request(random: Random): PoisoningBatchRequest {
    const places = [...this.#canaries.values()];
    const ends = (what: "user" | "target", items: ItemMap<ChainAddress>) => ({
      first: new Set(places.map(({ front }) => items.get(front.chain.id, front[what]))),
      last: new Set(places.map(({ back }) => items.get(back.chain.id, back[what]))),
    });
    return {
      user_addresses: arranged(this.#users, ends("user", this.#users), random),
      target_addresses: arranged(this.#targets, ends("target", this.#targets), random),
      token_addresses: arranged(this.#tokens, { first: new Set(), last: new Set() }, random),
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
    let items = withCanary ? CANARY_ITEMS : 0;
    for (const user of users) if (!this.#users.has(chain.id, user)) items++;
    if (!this.#targets.has(chain.id, target)) items++;
    if (token !== undefined && !this.#tokens.has(chain.id, token)) items++;
    return items;
  }

  #put({ chain }: Part, what: Pick<Part, "users" | "target" | "token">): void {
    const put = (items: ItemMap<ChainAddress>, address: string) => {
      if (!items.has(chain.id, address)) items.set(chain.id, address, { chain_id: chain.id, address });
    };
    for (const user of what.users) put(this.#users, user);
    put(this.#targets, what.target);
    if (what.token !== undefined) put(this.#tokens, what.token);
    this.#apart.add({ family: chain.family, users: what.users, target: what.target, token: what.token });
  }
}

type Items = ReadonlySet<ChainAddress | undefined>;

/** All items in random order, but for those that come first and those that come last. */
function arranged(
  all: ItemMap<ChainAddress>,
  { first, last }: { readonly first: Items; readonly last: Items },
  random: Random,
): ChainAddress[] {
  const [front, middle, back]: ChainAddress[][] = [[], [], []];
  for (const item of all.values()) (first.has(item) ? front : last.has(item) ? back : middle)?.push(item);
  return [front, middle, back].flatMap((items = []) => shuffled(items, random));
}

/** In place; all orders are equally likely. Source: Fisher and Yates, as in Knuth, TAOCP 2, algorithm 3.4.2 P. */
function shuffled<T>(items: T[], random: Random): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [items[last], items[other]];
    if (a !== undefined && b !== undefined) [items[last], items[other]] = [b, a];
  }
  return items;
}
