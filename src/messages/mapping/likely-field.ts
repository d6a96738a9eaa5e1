import { foldedName, misnamedAmong } from "../../api/requests/misnamed-field.ts";
import { shortName } from "../../api/requests/short-name.ts";
import { addressFields } from "../event.ts";
import { directionOf } from "../unread/name-sense.ts";

/** Names of other programs for the fields of an event, as whole words in the common spelling. */
const fieldByName: Readonly<Record<string, readonly string[]>> = {
  address: [
    ...["to", "to_address", "txto", "recipient", "recipient_address", "receiver", "receiver_address", "destination"],
    ...["destination_address", "dest_address", "beneficiary", "payee", "counterparty", "counterparty_address"],
    ...["withdrawal_address", "withdraw_address", "deposit_address", "transfer_receiver"],
  ],
  user_addresses: [
    ...["from", "from_address", "sender", "sender_address", "source", "source_address", "payer", "owner"],
    ...["transfer_sender", "user_wallet"],
  ],
  chain_id: ["chain", "network", "blockchain", "chainid", "network_id", "coin", "currency", "asset", "asset_id"],
  token_address: ["contract", "contract_address", "token_contract", "token_contract_address", "mint"],
  id: ["uid", "uuid", "transfer_id", "withdrawal_id", "payment_id", "order_id", "external_id", "request_id"],
  tenant: ["customer", "client", "desk", "account_name"],
  occurred_at: [
    ...["time", "date", "datetime", "timestamp", "created_at", "block_time", "block_timestamp", "unix_timestamp"],
    ...["date_time", "time_stamp", "date(utc)", "datetime(utc)", "time(utc)"],
  ],
};

const byName = new Map<string, string>(
  Object.entries(fieldByName).flatMap(([field, names]) => names.map((name) => [squeezed(name), field] as const)),
);
/** Names that speak more clearly for their field come first: a network before an asset. */
const order: readonly string[] = [...byName.keys()];
const misnamed = misnamedAmong(addressFields);

/** The field that a name of another program most likely means. Undefined when nothing speaks for one. */
export function likelyField(name: string): string | undefined {
  const last = name.slice(name.lastIndexOf("/") + 1);
  const folded = foldedName(last);
  if (addressFields.includes(folded) && folded !== "type" && folded !== "user_address") return folded;
  const direction = directionOf(last);
  if (direction !== undefined) return direction === "to" ? "address" : "user_addresses";
  return byName.get(squeezed(last)) ?? misnamed([folded])?.meant;
}

/** The names of one field, the likeliest first. */
export function byLikelihood(names: readonly string[]): readonly string[] {
  const rank = (name: string) => order.indexOf(squeezed(name.slice(name.lastIndexOf("/") + 1)));
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/** The likeliest field of each name, where there is one, for the end of a message. */
export function likelyText(names: readonly string[]): string {
  const likely = names.flatMap((name) => {
    const field = likelyField(name);
    return field === undefined ? [] : [`${shortName(name)} -> ${field}?`];
  });
  return likely.length === 0 ? "" : `; likely: ${likely.join(", ")}`;
}

function squeezed(name: string): string {
  return foldedName(name).replace(/[^\p{L}\p{N}]/gu, "");
}
