import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ReadCalls } from "../../chains/tron/calls/calls-read.ts";
import { losingBy, packedData } from "../../chains/tron/calls/packed-data.ts";
import type { Counterparty } from "../../chains/tron/counterparty.ts";
import { addressIn, hexIn, messagesIn } from "../../chains/tron/message/message-value.ts";
import { namedAddresses } from "../../chains/tron/named-addresses.ts";
import type { Operation } from "../../chains/tron/operation.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { accusationText } from "../labels/standing.ts";
import type { ListedParty, TronFacts } from "./facts.ts";

/** The parts of an operation that may name an accused address. */
export interface Naming extends Pick<TronFacts, "moves" | "grants" | "payments"> {
  readonly operation: Operation;
  /** The payload of the operation, as received. */
  readonly payload: unknown;
  readonly calls: ReadCalls | undefined;
  readonly counterparty: Counterparty | undefined;
  /** The called contract. */
  readonly called: CanonicalAddress | undefined;
  /** Keys in the new permissions. */
  readonly keys: readonly CanonicalAddress[];
}

type Mention = readonly [as: string, address: CanonicalAddress | undefined];

/**
 * Lists every accused address that the operation names, pays or empowers, with its first role. Roles are checked in a
 * fixed order, the most specific first. An address that calldata names only to revoke its right is skipped.
 */
export function listedAddresses(chain: Chain, naming: Naming, labels: LabelBook): readonly ListedParty[] {
  const listed = new Map<string, ListedParty>();
  const mentions = [...mentionsIn(naming), ...packedMentions(chain, naming, labels)];
  for (const [as, address] of mentions) {
    if (address === undefined) continue;
    for (const accusation of labels.standingOf(chain, address).accusations) {
      const key = `${accusation.as} ${address}`;
      if (!listed.has(key)) listed.set(key, { address, as, kind: accusation.as, label: accusationText(accusation) });
    }
  }
  return [...listed.values()];
}

function mentionsIn({ operation, payload, calls, counterparty, called, keys, ...seen }: Naming): readonly Mention[] {
  const { owner, type, value } = operation;
  const data = calls === undefined ? "" : hexIn(value, "data");
  return [
    ["owner", owner],
    [counterparty?.role ?? "", counterparty?.address],
    ["contract", called],
    ...messagesIn(value, "votes").map((vote) => ["gets your votes", addressIn(vote, "vote_address")] as const),
    ...keys.map((address) => ["key", address] as const),
    ...namedAddresses(type, payload, data, losingBy(calls)).map((address) => ["named in the call", address] as const),
    ...seen.moves.flatMap(({ from, to }) => (from === owner ? [["receives your tokens", to] as const] : [])),
    ...seen.payments.map(({ to }) => ["receives coins", to] as const),
    ...seen.grants.flatMap(({ giver, spender, amount }) =>
      giver === owner && amount > 0n ? [["may take your tokens", spender] as const] : [],
    ),
  ];
}

function packedMentions(chain: Chain, { operation, calls }: Naming, labels: LabelBook): readonly Mention[] {
  const packed = packedData(operation, calls);
  if (packed === undefined) return [];
  return [...labels.accusedWithin(chain, packed.bytes)]
    .filter(([address, times]) => times > (packed.losing.get(address) ?? 0))
    .map(([address]) => ["packed in the call", address] as const);
}
