import { base58 } from "@scure/base";
import type { CanonicalAddress } from "../../src/chains/address.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import type { Decision } from "../../src/messages/decision.ts";
import { imitation } from "../support/random-addresses.ts";
import { type Item, tokenKind, Users } from "./truth.ts";

/** A written event, and its correct result with a service that answers everything. */
export interface ChaosEvent {
  /** For an unreadable event: its SHA-256. */
  readonly name: string;
  readonly value: string;
  readonly decision: Decision;
  readonly target: Item | undefined;
  readonly users: readonly Item[];
  readonly token: Item | undefined;
}

const evmChains = ["1", "56", "137"];
/** Users and targets that many events share, by chain. */
const SHARED = 40;
const TOKENS = 24;
/** Records that are no events, each broken in its own way. */
const broken = [
  (id: string) => `{ ${id}`,
  (id: string) => `"${id}"`,
  (id: string) => `{"id":"${id}","type":"address","chain_id":"1"}`,
  (id: string) => `{"id":"${id}","type":"address","chain_id":"1","address":"0x`,
  (id: string) => `{"id":"${id}","type":"adress","chain_id":"1","address":"0x00"}`,
];

/** Makes events by a seed, so that a run can be repeated. */
export class EventMaker {
  readonly #random: () => number;
  readonly #seed: number;
  readonly #tokens: readonly string[];
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ 0x2545f491);
    this.#tokens = Array.from({ length: TOKENS }, (_, i) => `0x${sha256(`token ${i}`).slice(0, 40)}`);
  }

  next(): ChaosEvent {
    const id = `event-${this.#count++}`;
    if (this.#chance(0.03)) {
      const value = this.#pick(broken)(id);
      return {
        name: sha256(Buffer.from(value)),
        value,
        decision: "UNKNOWN",
        target: undefined,
        users: [],
        token: undefined,
      };
    }
    const chain_id = this.#chance(0.1) ? "solana" : this.#pick(evmChains);
    const users = this.#chance(0.15) ? [] : this.#users(chain_id);
    const target = { chain_id, address: this.#target(chain_id, users) };
    const token = chain_id === "1" && this.#chance(0.2) ? { chain_id, address: this.#pick(this.#tokens) } : undefined;
    const value = JSON.stringify({
      id,
      type: "address",
      chain_id,
      address: target.address,
      ...(users.length === 0 ? {} : { user_addresses: users.map(({ address }) => address) }),
      ...(token === undefined ? {} : { token_address: token.address }),
    });
    return { name: id, value, decision: decisionOn(target, users, token), target, users, token };
  }

  #users(chain_id: string): readonly Item[] {
    const addresses = Array.from({ length: this.#chance(0.2) ? 3 : 1 }, () =>
      this.#chance(0.15) ? this.#shared("user", chain_id) : this.#fresh(chain_id),
    );
    return [...new Set(addresses)].map((address) => ({ chain_id, address }));
  }

  /** One target in twenty imitates the event's own user. Some imitate a user of other events, which must not count. */
  #target(chain_id: string, [user]: readonly Item[]): string {
    if (user !== undefined && this.#chance(0.05)) return this.#imitationOf(user);
    if (this.#chance(0.02)) return this.#imitationOf({ chain_id, address: this.#shared("user", chain_id) });
    // An address that other events have as their user.
    if (this.#chance(0.02)) return this.#shared("user", chain_id);
    return this.#chance(0.08) ? this.#shared("target", chain_id) : this.#fresh(chain_id);
  }

  #imitationOf({ chain_id, address }: Item): string {
    if (chain_id !== "solana")
      return imitation("evm", address as CanonicalAddress, { prefix: 5, suffix: 5 }, this.#random);
    for (;;) {
      const copy = imitation("solana", address as CanonicalAddress, { prefix: 5, suffix: 5 }, this.#random);
      if (base58.decode(copy).length === 32) return copy;
    }
  }

  #fresh(chain_id: string): string {
    return addressOf(chain_id, `${this.#seed} ${this.#random()} ${this.#random()}`);
  }

  #shared(role: string, chain_id: string): string {
    return addressOf(chain_id, `${role} ${Math.floor(this.#random() * SHARED)}`);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

function addressOf(chain_id: string, text: string): string {
  const hash = sha256(`${chain_id} ${text}`);
  return chain_id === "solana" ? base58.encode(Buffer.from(hash, "hex")) : `0x${hash.slice(0, 40)}`;
}

function decisionOn(target: Item, users: readonly Item[], token: Item | undefined): Decision {
  const kind = token === undefined ? "plain" : tokenKind(token.address);
  if (new Users(users).areImitatedBy(target) || kind === "honeypot" || kind === "copy") return "BLOCK";
  return kind === "owner" ? "WARN" : "ALLOW";
}
