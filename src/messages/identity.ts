import { canonicalAddressOn } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";
import { PartsSha256 } from "../kernel/hash.ts";
import { canonicalJson } from "../kernel/json.ts";
import type { AddressEvent, ScreeningEvent } from "./event.ts";

/** A sink for the pieces of a text. */
interface Pieces {
  add(piece: string): void;
}

/**
 * The event as one canonical text. Fields that do not change the question are left out (id, tenant, lane, ref,
 * occurred_at). Chain and addresses are canonical where they are valid, keys are sorted, and the text of numbers is
 * kept.
 */
export function canonicalEvent(event: ScreeningEvent): string {
  let text = "";
  const add = (piece: string) => {
    text += piece;
  };
  addCanonical(event, { add });
  return text;
}

function addCanonical(event: ScreeningEvent, to: Pieces): void {
  const chain = findChain(event.chain_id);
  if (event.type === "address") {
    addAddressEvent(event, chain, to);
    return;
  }
  const { id: _id, tenant: _tenant, lane: _lane, ref: _ref, occurred_at: _occurredAt, ...question } = event;
  to.add(
    canonicalJson({
      ...question,
      chain_id: chain?.id ?? question.chain_id,
      user_addresses: question.user_addresses?.map((address) => canonicalText(chain, address)),
    }),
  );
}

/**
 * Writes the `canonicalJson` of an address event without its copies and its sorting. Nearly all events have this type,
 * and their keys are known.
 */
function addAddressEvent(event: AddressEvent, chain: Chain | undefined, to: Pieces): void {
  const { checks, token_address: token, user_address: one, user_addresses: users } = event;
  to.add('{"address":');
  addAddress(event.address, chain, to);
  to.add(',"chain_id":');
  if (chain === undefined) to.add(JSON.stringify(event.chain_id));
  else addQuoted(chain.id, to);
  if (checks !== undefined) to.add(`,"checks":${canonicalJson(checks)}`);
  if (token !== undefined) {
    to.add(',"token_address":');
    addAddress(token, chain, to);
  }
  to.add(',"type":"address"');
  if (one !== undefined) to.add(`,"user_address":${JSON.stringify(one)}`);
  if (users !== undefined) {
    to.add(',"user_addresses":[');
    for (let i = 0; i < users.length; i++) {
      if (i > 0) to.add(",");
      addAddress(users[i] ?? "", chain, to);
    }
    to.add("]");
  }
  to.add("}");
}

/** Writes an address like `JSON.stringify`. A valid address contains nothing to escape. */
function addAddress(address: string, chain: Chain | undefined, to: Pieces): void {
  const canonical = chain === undefined ? undefined : canonicalAddressOn(chain, address);
  if (canonical === undefined) to.add(JSON.stringify(address));
  else addQuoted(canonical, to);
}

function addQuoted(text: string, to: Pieces): void {
  to.add('"');
  to.add(text);
  to.add('"');
}

function canonicalText(chain: Chain | undefined, address: string): string {
  return (chain === undefined ? undefined : canonicalAddressOn(chain, address)) ?? address;
}

const hashed = new PartsSha256();

/**
 * SHA-256 over tenant, event id and canonical event. It stays equal through replays, changed evidence and policy
 * changes. An unreadable record has the tenant "", and its raw bytes are its canonical event.
 *
 * @param canonical the event, or its canonical text or bytes.
 */
export function verdictId(tenant: string, eventId: string, canonical: ScreeningEvent | string | Uint8Array): string {
  hashed.clear();
  beginPart("weir/verdict/1");
  beginPart(tenant);
  beginPart(eventId);
  hashed.begin();
  if (typeof canonical === "string" || canonical instanceof Uint8Array) hashed.add(canonical);
  else addCanonical(canonical, hashed);
  return hashed.digest();
}

function beginPart(text: string): void {
  hashed.begin();
  hashed.add(text);
}
