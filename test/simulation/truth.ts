import type { CanonicalAddress } from "../../src/chains/address.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { findChain } from "../../src/chains/registry.ts";
import type { World } from "./scenario.ts";

export interface Item {
  readonly chain_id: string;
  readonly address: string;
}

/** What the service of a world says about a target, when it is asked beside these users. */
export function targetFlags(world: World, target: Item, users: readonly Item[]) {
  const family = findChain(target.chain_id)?.family;
  const near = users.filter(
    ({ chain_id }) =>
      chain_id === target.chain_id || (world.comparesAcrossChains && findChain(chain_id)?.family === family),
  );
  const isExempt = world.exemptsEquals && near.some(({ address }) => address === target.address);
  const isBlind = new Set(users.map(itemKey)).size > world.blindBeyondUsers;
  const imitates = ({ address }: Item) =>
    family !== undefined &&
    lookalike(family, target.address as CanonicalAddress, address as CanonicalAddress) !== undefined;
  const mimicsUser = !isExempt && !isBlind && near.some(imitates);
  const mimicsExchange = !isExempt && world.labelled.has(target.address);
  return {
    is_poisoning: flag(mimicsUser || mimicsExchange),
    mimics_user: flag(mimicsUser),
    mimics_exchange: flag(mimicsExchange),
  };
}

export function tokenFlags(world: World, { address }: Item) {
  const isCopy = world.badTokens.get(address) === "copy";
  return { is_poisoning: flag(isCopy), mimics_top_token: flag(isCopy), matched_token: isCopy ? "USDT" : "" };
}

/** A chain is the same one in whatever case it is named. */
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
