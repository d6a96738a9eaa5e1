import { hex } from "@scure/base";
import { fail, ok, type Result } from "../../../kernel/result.ts";
import { contractMessages } from "./contract-messages.ts";
import { contractTypeIds, isContractType, isUnsupportedType } from "./contract-types.ts";
import { encodeMessage } from "./encode-message.ts";
import type { NameSpelling } from "./message.ts";
import { type MessageType, many, one } from "./message.ts";
import { integerIn, type MessageValue, messagesIn } from "./message-value.ts";
import { readMessage } from "./read-message.ts";

/** The unsigned body of a transaction, as JSON. */
export interface RawDataJson {
  readonly contract: readonly ContractJson[];
}

export interface ContractJson {
  readonly type: string;
  readonly parameter: { readonly type_url?: string | undefined; readonly value: unknown };
}

/** The possible encodings of a body, and the members that they leave out. */
export interface EncodedRawData {
  readonly candidates: readonly Uint8Array[];
  /** JSON members that the protocol tables do not know. */
  readonly strays: readonly string[];
}

export const TYPE_URL_PREFIX = "type.googleapis.com/protocol.";

/** The members of a contract beside its payload. Source: core/Tron.proto, Transaction.Contract. */
export const contractHead: MessageType = [
  one(3, "provider", "bytes"),
  one(4, "ContractName", "name"),
  one(5, "Permission_id", "int32"),
];

const contract: MessageType = [
  one(1, "type", { enum: contractTypeIds }),
  one(2, "parameter", { message: [one(1, "type_url", "text"), one(2, "value", "bytes")] }),
  ...contractHead,
];

const account: MessageType = [one(1, "name", "name"), one(2, "address", "address")];
const authority: MessageType = [one(1, "account", { message: account }), one(2, "permission_name", "name")];

/** Source: core/Tron.proto, Transaction.raw. */
export const rawData: MessageType = [
  one(1, "ref_block_bytes", "bytes"),
  one(3, "ref_block_num", "int64"),
  one(4, "ref_block_hash", "bytes"),
  one(8, "expiration", "int64"),
  many(9, "auths", { message: authority }),
  one(10, "data", "bytes"),
  many(11, "contract", { message: contract }),
  one(12, "scripts", "bytes"),
  one(14, "timestamp", "int64"),
  one(18, "fee_limit", "int64"),
];

/** The members of a body beside its contracts, and of one contract beside its payload. */
export interface Envelope {
  readonly body: MessageValue;
  readonly head: MessageValue;
  /** Members of the body and the contract that the protocol tables do not know. */
  readonly strays: readonly string[];
}

/** Reads the members that surround the payload of one contract. */
export function readEnvelope(body: RawDataJson, of: ContractJson): Result<Envelope> {
  const bodyFields = rawData.filter(({ name }) => name !== "contract");
  const readBody = readMessage(bodyFields, body, "hex");
  if (!readBody.ok) return fail(`raw_data.${readBody.detail}`);
  const readHead = readMessage(contractHead, of, "hex");
  if (!readHead.ok) return fail(`raw_data.contract[0].${readHead.detail}`);
  const strays = [
    ...readBody.value.strays.filter((path) => path !== "contract"),
    ...readHead.value.strays.filter((path) => path !== "type" && path !== "parameter"),
  ];
  return ok({ body: readBody.value.value, head: readHead.value.value, strays });
}

/**
 * Encodes the body of a transaction as the bytes that are signed. There may be several candidates, because JSON does
 * not determine the bytes. A name that a node wrote with `visible` may be text or hex. The entries of a map have no
 * order of their own.
 *
 * @returns the reason when the body cannot be encoded, for example because its type is unknown.
 */
export function encodeRawData(body: RawDataJson, visible: boolean | undefined): Result<EncodedRawData> {
  const spellings: readonly NameSpelling[] = visible === true ? ["text", "hex"] : ["hex"];
  const candidates: Uint8Array[] = [];
  const strays = new Set<string>();
  for (const names of spellings) {
    for (const order of hasMap(body) ? [asGiven, byText] : [asGiven]) {
      const encoded = encodeWith(body, names, order);
      if (!encoded.ok) return encoded;
      candidates.push(encoded.value.bytes);
      for (const stray of encoded.value.strays) strays.add(stray);
    }
  }
  return ok({ candidates, strays: [...strays] });
}

/** Only proposals contain a map. */
function hasMap({ contract }: RawDataJson): boolean {
  return contract.some(({ type }) => type === "ProposalCreateContract");
}

/** Puts the entries of maps in the order in which they are encoded. */
type EntryOrder = (value: MessageValue) => MessageValue;

function encodeWith(
  body: RawDataJson,
  names: NameSpelling,
  order: EntryOrder,
): Result<{ readonly bytes: Uint8Array; readonly strays: readonly string[] }> {
  const strays: string[] = [];
  const contracts: unknown[] = [];
  for (const each of body.contract) {
    if (!isContractType(each.type) || isUnsupportedType(each.type)) return fail(`no payload of ${each.type} is known`);
    const message = contractMessages[each.type];
    const payload = readMessage(message, each.parameter.value, names);
    if (!payload.ok) return payload;
    strays.push(...payload.value.strays);
    const value = hex.encode(encodeMessage(message, order(payload.value.value)));
    const type_url = each.parameter.type_url ?? `${TYPE_URL_PREFIX}${each.type}`;
    contracts.push({ ...each, parameter: { type_url, value } });
  }
  const read = readMessage(rawData, { ...body, contract: contracts }, names);
  if (!read.ok) return read;
  return ok({ bytes: encodeMessage(rawData, read.value.value), strays: [...strays, ...read.value.strays] });
}

/** The order in which java-tron encodes a map that was read from JSON. */
function asGiven(value: MessageValue): MessageValue {
  return value;
}

/** The order of protobuf for JavaScript: by the text of the keys. */
function byText(value: MessageValue): MessageValue {
  const entries = messagesIn(value, "parameters");
  if (entries.length < 2) return value;
  const keyOf = (entry: MessageValue) => String(integerIn(entry, "key"));
  const fields = new Map(value.fields);
  fields.set(
    "parameters",
    entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  );
  return { fields };
}
