import { canonicalAddressOn } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { findChain } from "../../chains/registry.ts";
import { accountIdIn, writtenChain } from "../../chains/written-chain.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { AddressEvent, ScreeningEvent } from "../event.ts";

/** Adds the chain of an address in CAIP-10 to an event that names no chain. Other values are returned unchanged. */
export function withStatedChain(value: object): object {
  if (Reflect.get(value, "chain_id") !== undefined || Reflect.get(value, "chainId") !== undefined) return value;
  const address: unknown = Reflect.get(value, "address");
  const account = typeof address === "string" ? accountIdIn(address.trim()) : undefined;
  return account === undefined ? value : { ...value, chain_id: account.chain };
}

/**
 * The event with the canonical id of a chain that is written in another way (`eip155:1`, `0x38`, `TRC20`), and with
 * bare addresses in place of CAIP-10. An unknown chain stays as it is written, so that the verdict names it.
 */
export function withPlainNames(event: ScreeningEvent): Result<ScreeningEvent> {
  const named = findChain(event.chain_id) === undefined ? renamed(event) : event;
  if (named.type !== "address" || !hasAccountIds(named)) return ok(named);
  const chain = findChain(named.chain_id);
  if (chain === undefined) return ok(named);
  return withoutPrefixes(named, chain);
}

function renamed(event: ScreeningEvent): ScreeningEvent {
  const chain = writtenChain(event.chain_id);
  return chain.ok ? { ...event, chain_id: chain.value.id } : event;
}

function hasAccountIds({ address, user_addresses: users = [], token_address: token = "" }: AddressEvent): boolean {
  return address.includes(":") || token.includes(":") || users.some((user) => user.includes(":"));
}

/** An address of another chain in CAIP-10 must not be compared on this chain. */
function withoutPrefixes(event: AddressEvent, chain: Chain): Result<AddressEvent> {
  const { address, user_addresses: users, token_address: token } = event;
  const [bareAddress, bareToken] = [bare(address, chain), token === undefined ? ok(undefined) : bare(token, chain)];
  if (!bareAddress.ok) return bareAddress;
  if (!bareToken.ok) return bareToken;
  const bareUsers: string[] = [];
  for (const user of users ?? []) {
    const text = bare(user, chain);
    if (!text.ok) return text;
    bareUsers.push(text.value);
  }
  return ok({
    ...event,
    address: bareAddress.value,
    ...(users === undefined ? {} : { user_addresses: bareUsers }),
    ...(bareToken.value === undefined ? {} : { token_address: bareToken.value }),
  });
}

function bare(text: string, chain: Chain): Result<string> {
  const account = accountIdIn(text);
  if (account === undefined) return ok(text);
  const stated = writtenChain(account.chain);
  if (stated.ok && stated.value.id === chain.id) {
    return ok(canonicalAddressOn(chain, account.address) === undefined ? text : account.address);
  }
  return fail(`the chain of the event is ${chain.name}, and an address names the chain ${account.chain}`);
}
