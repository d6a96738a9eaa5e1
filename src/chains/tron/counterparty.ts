import type { CanonicalAddress } from "../address.ts";
import { type ReadCalls, readCalls, tokenCallsIn } from "./calls/calls-read.ts";
import { proceedsIn } from "./calls/proceeds.ts";
import type { TokenCall } from "./calls/token-signatures.ts";
import { addressIn, hexIn } from "./message/message-value.ts";
import type { Operation } from "./operation.ts";

/** What an operation makes of the one who gains by it. */
export type Role =
  /** Gets coins, tokens or an item. */
  | "recipient"
  /** May take tokens from now on. */
  | "spender"
  /** Gets the use of resources. */
  | "receiver"
  /** Gets what a trade, a withdrawal or a deposit of the user's yields. */
  | "beneficiary"
  /** Becomes the owner of a contract. */
  | "new owner"
  /** Is created. */
  | "account"
  /** Is called, with whatever effect. */
  | "contract";

export interface Counterparty {
  readonly address: CanonicalAddress;
  readonly role: Role;
  /** The token contract that is called, when one is. */
  readonly token: CanonicalAddress | undefined;
}

/**
 * Who gains by an operation. Nobody where the owner deals with himself or the chain, or takes back what he gave: to
 * revoke an approval from a thief, or a delegation, must not be stopped because he is one.
 * @param calls what the data of a call holds, for whoever has read it already.
 */
export function counterpartyOf(operation: Operation, calls = callsOf(operation)): Counterparty | undefined {
  const { type, value, owner } = operation;
  const by = (role: Role, field: string): Counterparty | undefined => {
    const address = addressIn(value, field);
    return address === undefined || address === owner ? undefined : { address, role, token: undefined };
  };
  switch (type) {
    case "TransferContract":
    case "TransferAssetContract":
    case "ParticipateAssetIssueContract": {
      const address = addressIn(value, "to_address");
      return address === undefined ? undefined : { address, role: "recipient", token: undefined };
    }
    case "AccountCreateContract":
      return by("account", "account_address");
    case "FreezeBalanceContract":
    case "DelegateResourceContract":
      return by("receiver", "receiver_address");
    case "TriggerSmartContract": {
      const contract = addressIn(value, "contract_address");
      return contract === undefined || calls === undefined ? undefined : calledParty(contract, calls, owner);
    }
    default:
      return undefined;
  }
}

/** What the data of a call holds; undefined for what calls no contract. */
export function callsOf({ type, value }: Operation): ReadCalls | undefined {
  return type === "TriggerSmartContract" ? readCalls(hexIn(value, "data")) : undefined;
}

function calledParty(contract: CanonicalAddress, calls: ReadCalls, owner: CanonicalAddress): Counterparty {
  if (calls.call.is === "other") {
    // What stays with the called contract is passed on by a later call, or is his who called it.
    const [other] = proceedsIn(calls).filter((address) => address !== owner && address !== contract);
    if (other !== undefined) return { address: other, role: "beneficiary", token: contract };
    const gaining = tokenCallsIn(calls).flatMap(({ call }) => gainingBy(call) ?? []);
    const hidden = gaining.find(({ address }) => address !== owner);
    if (hidden !== undefined) return { ...hidden, token: contract };
    return { address: contract, role: "contract", token: undefined };
  }
  const gaining = gainingBy(calls.call.call);
  return { ...(gaining ?? { address: contract, role: "contract" }), token: contract };
}

export function gainingBy(call: TokenCall): Pick<Counterparty, "address" | "role"> | undefined {
  switch (call.does) {
    case "transfer":
      return { address: call.to, role: "recipient" };
    case "approve":
      // To approve of nothing is to revoke; permits and increases of nothing change nothing.
      return call.amount === 0n && call.callsSpender !== true ? undefined : { address: call.spender, role: "spender" };
    case "approve_all":
      return call.isGranted ? { address: call.spender, role: "spender" } : undefined;
    case "give_ownership":
      return { address: call.to, role: "new owner" };
    case "reduce":
      return undefined;
  }
}
