import { parseAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";
import { canonicalJson } from "../kernel/json.ts";
import { sha256Of } from "../kernel/sha256.ts";
import type { ScreeningEvent } from "./event.ts";

/**
 * The event as one text: parsed, without what does not change the question (id, tenant, lane, ref, occurred_at),
 * chain and addresses canonical where they are valid, keys sorted, number text kept.
 */
export function canonicalEvent(event: ScreeningEvent): string {
  const { id: _id, tenant: _tenant, lane: _lane, ref: _ref, occurred_at: _occurredAt, ...question } = event;
  const chain = findChain(question.chain_id);
  const canonical = (address: string) => canonicalText(chain, address);
  const shared = {
    ...question,
    chain_id: chain?.id ?? question.chain_id,
    user_addresses: question.user_addresses?.map(canonical),
  };
  if (question.type === "transaction") return canonicalJson(shared);
  const token = question.token_address;
  return canonicalJson({
    ...shared,
    address: canonical(question.address),
    token_address: token === undefined ? undefined : canonical(token),
  });
}

function canonicalText(chain: Chain | undefined, address: string): string {
  if (chain === undefined) return address;
  const parsed = parseAddress(chain.family, address);
  return parsed.ok ? parsed.value : address;
}

/**
 * SHA-256 over tenant, event id and canonical event: the same through replays, other evidence and policy changes.
 * An unreadable record has tenant "" and its raw bytes as its canonical event.
 */
export function verdictId(tenant: string, eventId: string, canonical: string | Uint8Array): string {
  return sha256Of(["weir/verdict/1", tenant, eventId, canonical]);
}
