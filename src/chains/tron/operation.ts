import { fail, ok, type Result } from "../../kernel/result.ts";
import type { CanonicalAddress } from "../address.ts";
import { contractMessages } from "./message/contract-messages.ts";
import { isContractType, isUnsupportedType, type SupportedType } from "./message/contract-types.ts";
import type { NameSpelling } from "./message/message.ts";
import { addressIn, type MessageValue } from "./message/message-value.ts";
import { readMessage } from "./message/read-message.ts";

/** One operation of a transaction, decoded. */
export interface Operation {
  readonly type: SupportedType;
  readonly owner: CanonicalAddress;
  readonly value: MessageValue;
  /** Members of the payload that the protocol tables do not know. */
  readonly strays: readonly string[];
}

/** The reason why an operation cannot be interpreted. */
export type Undecoded =
  /** A type that the protocol tables do not have. */
  | { readonly why: "unknown"; readonly type: string }
  /** A type of the protocol that cannot be analysed. */
  | { readonly why: "unsupported"; readonly type: string }
  /** A payload that does not fit its type. */
  | { readonly why: "malformed"; readonly type: string; readonly detail: string };

export type Decoded = { readonly ok: true; readonly operation: Operation } | ({ readonly ok: false } & Undecoded);

/** Addresses that an operation of a type requires. Nodes refuse the operation without them. */
const required: Partial<Readonly<Record<SupportedType, readonly string[]>>> = {
  TransferContract: ["to_address"],
  TransferAssetContract: ["to_address"],
  ParticipateAssetIssueContract: ["to_address"],
  AccountCreateContract: ["account_address"],
  DelegateResourceContract: ["receiver_address"],
  UnDelegateResourceContract: ["receiver_address"],
  TriggerSmartContract: ["contract_address"],
};

/**
 * Decodes a contract of `raw_data`. `names` is the spelling of names by the transaction's `visible`.
 *
 * @param mayBeAbsent required addresses that the caller does not need.
 */
export function decodeOperation(
  type: string,
  payload: unknown,
  names: NameSpelling,
  mayBeAbsent: ReadonlySet<string> = new Set(),
): Decoded {
  if (!isContractType(type)) return { ok: false, why: "unknown", type };
  if (isUnsupportedType(type)) return { ok: false, why: "unsupported", type };
  const read = readOperation(type, payload, names, mayBeAbsent);
  return read.ok ? { ok: true, operation: read.value } : { ok: false, why: "malformed", type, detail: read.detail };
}

function readOperation(
  type: SupportedType,
  payload: unknown,
  names: NameSpelling,
  mayBeAbsent: ReadonlySet<string>,
): Result<Operation> {
  const read = readMessage(contractMessages[type], payload, names);
  if (!read.ok) return read;
  const owner = addressIn(read.value.value, "owner_address");
  const isMissing = (field: string) => !mayBeAbsent.has(field) && addressIn(read.value.value, field) === undefined;
  const missing = required[type]?.find(isMissing);
  if (owner === undefined) return fail("owner_address: field required");
  return missing === undefined ? ok({ type, owner, ...read.value }) : fail(`${missing}: field required`);
}

/** The text of a transaction is in hex unless a node wrote it in readable form. */
export function namesBy(visible: boolean | undefined): NameSpelling {
  return visible === true ? "text" : "hex";
}
