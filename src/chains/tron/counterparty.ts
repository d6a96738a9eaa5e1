import type { CanonicalAddress } from "../address.ts";
import { type ReadCalls, readCalls, tokenCallsIn } from "./calls/calls-read.ts";
import { proceedsIn } from "./calls/proceeds.ts";
import type { TokenCall } from "./calls/token-signatures.ts";
import { addressIn, hexIn } from "./message/message-value.ts";
import type { Operation } from "./operation.ts";

/** The role of the address that gains by an operation. */
export type Role =
  /** Receives coins, tokens or an item. */
  | "recipient"
  /** May take tokens from now on. */
  | "spender"
  /** Receives the use of resources. */
  | "receiver"
  /** Receives the yield of a trade, a withdrawal or a deposit of the user. */
  | "beneficiary"
  /** Becomes the owner of a contract. */
  | "new owner"
  /** Is created. */
  | "account"
  /** The called contract, for a call with any effect. */
  | "contract";

export interface Counterparty {
  readonly address: CanonicalAddress;
  readonly role: Role;
  /** The token contract that is called, if there is one. */
  readonly token: CanonicalAddress | undefined;
}

/**
 * The address that gains by an operation. Undefined when the owner deals only with itself or with the chain. Also
 * undefined when the owner revokes a right. Otherwise a listed spender would block the revocation of its own approval
 * or delegation.
 * @param calls the calls in the operation's data, for callers that have read them already.
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

/** The calls in the data of an operation. Undefined when the operation calls no contract. */
export function callsOf({ type, value }: Operation): ReadCalls | undefined {
  return type === "TriggerSmartContract" ? readCalls(hexIn(value, "data")) : undefined;
}

function calledParty(contract: CanonicalAddress, calls: ReadCalls, owner: CanonicalAddress): Counterparty {
  if (calls.call.is === "other") {
    // Proceeds that stay with the called contract are forwarded by a later call, or belong to the caller.
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
      // An approval of 0 is a revocation. Permits and increases of 0 change nothing.
      return call.amount === 0n && call.callsSpender !== true ? undefined : { address: call.spender, role: "spender" };
    case "approve_all":
      return call.isGranted ? { address: call.spender, role: "spender" } : undefined;
    case "give_ownership":
      return { address: call.to, role: "new owner" };
    case "reduce":
      return undefined;
  }
}
