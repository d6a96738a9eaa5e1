import { canonicalAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";
import { canonicalJson } from "../kernel/json.ts";
import { sha256Of } from "../kernel/sha256.ts";
import type { AddressEvent, ScreeningEvent } from "./event.ts";

/**
 * The event as one text: parsed, without what does not change the question (id, tenant, lane, ref, occurred_at),
 * chain and addresses canonical where they are valid, keys sorted, number text kept.
 */
export function canonicalEvent(event: ScreeningEvent): string {
  const chain = findChain(event.chain_id);
  if (event.type === "address") return canonicalAddressEvent(event, chain);
  const { id: _id, tenant: _tenant, lane: _lane, ref: _ref, occurred_at: _occurredAt, ...question } = event;
  return canonicalJson({
    ...question,
    chain_id: chain?.id ?? question.chain_id,
    user_addresses: question.user_addresses?.map((address) => canonicalText(chain, address)),
  });
}

/** `canonicalJson` of it, without its copies and its sorting: nearly all events are such, and their keys are known. */
function canonicalAddressEvent(event: AddressEvent, chain: Chain | undefined): string {
  const { checks, token_address: token, user_address: one, user_addresses: users } = event;
  let text = `{"address":${quoted(chain, event.address)},"chain_id":${chain === undefined ? JSON.stringify(event.chain_id) : `"${chain.id}"`}`;
  if (checks !== undefined) text += `,"checks":${canonicalJson(checks)}`;
  if (token !== undefined) text += `,"token_address":${quoted(chain, token)}`;
  text += ',"type":"address"';
  if (one !== undefined) text += `,"user_address":${JSON.stringify(one)}`;
  if (users === undefined) return `${text}}`;
  text += ',"user_addresses":[';
  for (let i = 0; i < users.length; i++) text += `${i === 0 ? "" : ","}${quoted(chain, users[i] ?? "")}`;
  return `${text}]}`;
}

/** As `JSON.stringify` writes it: what is valid has nothing in it that is escaped. */
function quoted(chain: Chain | undefined, address: string): string {
  const canonical = chain === undefined ? undefined : canonicalAddress(chain.family, address);
  return canonical === undefined ? JSON.stringify(address) : `"${canonical}"`;
}

function canonicalText(chain: Chain | undefined, address: string): string {
  return (chain === undefined ? undefined : canonicalAddress(chain.family, address)) ?? address;
}

/**
 * SHA-256 over tenant, event id and canonical event: the same through replays, other evidence and policy changes.
 * An unreadable record has tenant "" and its raw bytes as its canonical event.
 */
export function verdictId(tenant: string, eventId: string, canonical: string | Uint8Array): string {
  return sha256Of(["weir/verdict/1", tenant, eventId, canonical]);
}
