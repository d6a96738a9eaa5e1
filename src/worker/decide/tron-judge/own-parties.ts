import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ReadCalls } from "../../../chains/tron/calls/calls-read.ts";
import { leavesCoins } from "../../../chains/tron/calls/coins-left.ts";
import { leavesProceeds, proceedsIn } from "../../../chains/tron/calls/proceeds.ts";
import { payloadOf } from "../../../chains/tron/calls/token-call.ts";
import { addressIn, hexIn, integerIn, type MessageValue } from "../../../chains/tron/message/message-value.ts";
import type { Operation } from "../../../chains/tron/operation.ts";
import type { OwnPartiesEvidence, OwnRole } from "../../../messages/evidence.ts";
import { ownKeys } from "./own-keys.ts";

/** The one operation of a transaction, as the worker read it. */
export interface SoleOperation {
  readonly operation: Operation;
  /** The calls in its data. Undefined when it calls no contract. */
  readonly calls: ReadCalls | undefined;
  /** Whether the transaction names the operation's type twice, and differently. */
  readonly typeDiffers: boolean;
}

/** The user of an event, and the contracts that labels recognize. */
export interface OwnContext {
  readonly isUser: (address: CanonicalAddress) => boolean;
  /** Whether a list accuses an address of the user's, or it looks like the owner or another of the user's addresses. */
  readonly isDoubtful: (address: CanonicalAddress, owner: CanonicalAddress) => boolean;
  readonly isKnown: (contract: CanonicalAddress) => boolean;
  /** The site that asks for the transaction. */
  readonly dappUrl: string | undefined;
}

interface Found {
  readonly role: OwnRole;
  readonly addresses: readonly CanonicalAddress[];
}

type IsOwn = (address: CanonicalAddress) => boolean;

/**
 * The user's own addresses that a transaction deals with, when it deals with nobody else. A service cannot know them,
 * because the interface has no field for them. Undefined whenever the reading leaves anything open.
 */
export function ownPartiesOf(sole: SoleOperation, context: OwnContext): OwnPartiesEvidence | undefined {
  const { operation, typeDiffers } = sole;
  if (typeDiffers || operation.strays.length > 0) return undefined;
  const { owner, value } = operation;
  const found = partiesIn(sole, context);
  const own = [...new Set(found?.addresses)].filter((address) => address !== owner);
  if (found === undefined || own.length === 0) return undefined;
  if (own.some((address) => context.isDoubtful(address, owner))) return undefined;
  const contract = addressIn(value, "contract_address");
  return { role: found.role, own, beside: [owner, ...(contract === undefined ? [] : [contract])] };
}

function partiesIn({ operation, calls }: SoleOperation, { isUser, isKnown, dappUrl }: OwnContext): Found | undefined {
  const { type, value, owner } = operation;
  const isOwn: IsOwn = (address) => address === owner || isUser(address);
  if (type === "DelegateResourceContract") {
    const receiver = addressIn(value, "receiver_address");
    return receiver !== undefined && isOwn(receiver) ? { role: "receiver", addresses: [receiver] } : undefined;
  }
  if (type === "AccountPermissionUpdateContract") {
    // No site has a reason to propose new permissions.
    const addresses = (dappUrl ?? "") === "" ? ownKeys(value, owner, isOwn) : undefined;
    return addresses === undefined ? undefined : { role: "keys", addresses };
  }
  const contract = addressIn(value, "contract_address");
  // A selector proves nothing about a contract that no label names.
  if (calls === undefined || calls.isCut || contract === undefined || !isKnown(contract)) return undefined;
  return calls.call.is === "token"
    ? tokenParties(value, calls, owner, isOwn)
    : yieldParties(value, calls, contract, isOwn);
}

function tokenParties(
  value: MessageValue,
  { call: reading }: ReadCalls,
  owner: CanonicalAddress,
  isOwn: IsOwn,
): Found | undefined {
  const isPaid = ["call_value", "call_token_value"].some((field) => integerIn(value, field) > 0n);
  // Bytes that a token hands on are instructions. A token takes no coins.
  if (reading.is !== "token" || reading.isBroken || isPaid || payloadOf(hexIn(value, "data")) !== "") return undefined;
  const { call } = reading;
  switch (call.does) {
    case "approve":
      if (call.callsSpender === true || (call.of !== undefined && call.of !== owner)) return undefined;
      return isOwn(call.spender) ? { role: "spender", addresses: [call.spender] } : undefined;
    case "approve_all":
      return isOwn(call.spender) ? { role: "spender", addresses: [call.spender] } : undefined;
    case "transfer": {
      const { from, to } = call;
      return from !== undefined && isOwn(from) && isOwn(to) ? { role: "giver", addresses: [from, to] } : undefined;
    }
    default:
      return undefined;
  }
}

/** A service's text names at most five recipients. With so many of the user's own, it also names a stranger. */
const MAX_BENEFICIARIES = 4;

/** A call whose yield goes to the user alone, by functions of which the table names every recipient. */
function yieldParties(
  value: MessageValue,
  calls: ReadCalls,
  contract: CanonicalAddress,
  isOwn: IsOwn,
): Found | undefined {
  const isOfTable = calls.calls.every(({ payouts }) => payouts !== undefined);
  const isLeft = leavesProceeds(calls, contract) || leavesCoins(calls, integerIn(value, "call_value"));
  if (!isOfTable || isLeft) return undefined;
  const addresses = proceedsIn(calls);
  if (addresses.length > MAX_BENEFICIARIES || !addresses.every(isOwn)) return undefined;
  return { role: "beneficiary", addresses };
}
