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
  /** Members of the payload that the protocol does not know. */
  readonly strays: readonly string[];
}

/** Why an operation has no meaning that could be told. */
export type Undecoded =
  /** A type that is not in the protocol as it is known here. */
  | { readonly why: "unknown"; readonly type: string }
  /** A type of the protocol that nothing can be said about. */
  | { readonly why: "unsupported"; readonly type: string }
  /** A payload that is none of its type. */
  | { readonly why: "malformed"; readonly type: string; readonly detail: string };

export type Decoded = { readonly ok: true; readonly operation: Operation } | ({ readonly ok: false } & Undecoded);

/** Addresses without which an operation of a type has no meaning, and no node takes it. */
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
 * Decodes what a contract of `raw_data` says it is. `names` is the spelling of names by the transaction's `visible`.
 *
 * @param mayBeAbsent required addresses that the caller can do without.
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

/** A transaction's text is in hex unless a node wrote it for people. */
export function namesBy(visible: boolean | undefined): NameSpelling {
  return visible === true ? "text" : "hex";
}
