import type { CanonicalAddress } from "../../src/chains/address.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { findChain } from "../../src/chains/registry.ts";
import type { World } from "./scenario.ts";

export interface Item {
  readonly chain_id: string;
  readonly address: string;
}

/** The flags of a world's service for a target, in a request with these users. */
export function targetFlags(world: World, target: Item, users: readonly Item[]) {
  const family = findChain(target.chain_id)?.family;
  const near = users.filter(
    ({ chain_id }) =>
      chain_id === target.chain_id || (world.comparesAcrossChains && findChain(chain_id)?.family === family),
  );
  const isExempt = world.exemptsEquals && near.some(({ address }) => address === target.address);
  const isBlind = users.length > world.blindBeyondUsers && new Set(users.map(itemKey)).size > world.blindBeyondUsers;
  const mimicsUser = !isExempt && !isBlind && imitatesAny(target, near);
  const mimicsExchange = !isExempt && world.labelled.has(target.address);
  return {
    is_poisoning: flag(mimicsUser || mimicsExchange),
    mimics_user: flag(mimicsUser),
    mimics_exchange: flag(mimicsExchange),
  };
}

/** Whether the target looks like one of these addresses without being equal. */
export function imitatesAny({ chain_id, address: target }: Item, users: readonly Item[]): boolean {
  const family = findChain(chain_id)?.family;
  if (family === undefined) return false;
  return users.some(
    ({ address }) => lookalike(family, target as CanonicalAddress, address as CanonicalAddress) !== undefined,
  );
}

/** The same address on another chain is another contract. On this chain every token is as it should be. */
const CHAIN_OF_GOOD_TOKENS = "56";

/** The name of each chain at the service, and the name in a mix-up. Only the service knows these names. */
const names: Readonly<Record<string, readonly [own: string, mistaken: string]>> = {
  "1": ["eth", "bsc"],
  "56": ["bep20", "1"],
};

/** `<chain_prefix>:<address>`. @param isMixedUp whether the name of another chain is used. */
export function prefixed({ chain_id, address }: Item, isMixedUp = false): string {
  const [own = chain_id, mistaken = ""] = names[chain_id] ?? [];
  return `${isMixedUp ? mistaken : own}:${address}`;
}

/** The fault of a token. Undefined when it has none. */
export function tokenKind(world: World, { chain_id, address }: Item) {
  return chain_id === CHAIN_OF_GOOD_TOKENS ? undefined : world.badTokens.get(address);
}

export function tokenFlags(world: World, token: Item) {
  const isCopy = tokenKind(world, token) === "copy";
  return { is_poisoning: flag(isCopy), mimics_top_token: flag(isCopy), matched_token: isCopy ? "USDT" : "" };
}

/** Names of chains are equal in any case of letters. */
export function itemKey({ chain_id, address }: Item): string {
  return `${chain_id.toLowerCase()}|${address}`;
}

const raisable = ["is_poisoning", "mimics_user", "mimics_exchange", "mimics_top_token"];

export function isRaised(flags: object): boolean {
  return raisable.some((name) => Reflect.get(flags, name) === "1");
}

function flag(raised: boolean): "0" | "1" {
  return raised ? "1" : "0";
}
