import { hex } from "@scure/base";
import { ok, type Result } from "../../../kernel/result.ts";
import { type Comparison, compareMessage, type JsonMessage, worst } from "./compare-message.ts";
import { contractMessages } from "./contract-messages.ts";
import {
  contractTypeIds,
  contractTypeOf,
  isContractType,
  isUnsupportedType,
  type SupportedType,
} from "./contract-types.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeMessage } from "./encode-message.ts";
import type { MessageType } from "./message.ts";
import { hexIn, integerIn, type MessageValue, messageIn, messagesIn, textIn } from "./message-value.ts";
import { type ContractJson, contractHead, type RawDataJson, rawData, TYPE_URL_PREFIX } from "./raw-data.ts";
import { readMessage } from "./read-message.ts";

/**
 * The result of comparing a body with the bytes that it claims. It is a `Comparison`, or `unknown`: all known members
 * agree, and the body or the bytes hold unknown members.
 */
export type BodyComparison = Comparison | "unknown";

/**
 * Compares the displayed body of a transaction with bytes, field by field. An unknown member or an unknown operation
 * type therefore hides no difference in a known member.
 */
export function compareRawData(body: RawDataJson, visible: boolean | undefined, bytes: Uint8Array): BodyComparison {
  const signed = decodeMessage(rawData, bytes);
  if (!signed.ok) return "differs";
  const around = rawData.filter(({ name }) => name !== "contract");
  const compared = compareShown(around, body, visible, signed.value, new Set(["contract"]));
  const contracts = messagesIn(signed.value, "contract");
  if (contracts.length !== body.contract.length) return "differs";
  const parts = [compared, ...body.contract.map((shown, i) => compareContract(shown, visible, contracts[i]))];
  const found = worst(parts.map(({ comparison }) => comparison));
  if (found === "differs") return found;
  // Re-encoding loses members that the tables do not know. It also changes an unusual order of members.
  const isWhole = parts.every(({ isKnown }) => isKnown) && isRewritten(rawData, signed.value, bytes);
  if (isWhole) return found;
  return parts.every(({ strays }) => strays === 0) ? "differs" : "unknown";
}

interface Part {
  readonly comparison: Comparison;
  /** Whether every member in the bytes is known. */
  readonly isKnown: boolean;
  /** The number of JSON members that the protocol tables do not know. */
  readonly strays: number;
}

const differs: Part = { comparison: "differs", isKnown: true, strays: 0 };

function compareContract(shown: ContractJson, visible: boolean | undefined, signed: MessageValue | undefined): Part {
  const parameter = signed === undefined ? undefined : messageIn(signed, "parameter");
  if (signed === undefined || parameter === undefined || !isTypeOf(shown, signed, parameter)) return differs;
  const head = compareShown(contractHead, shown, visible, signed, headNames);
  const known = knownType(shown.type);
  // The contents of an unknown type cannot be read, so they count as one unknown member.
  if (known === undefined) return { ...head, isKnown: false, strays: head.strays + 1 };
  const bytes = hex.decode(hexIn(parameter, "value"));
  const message = contractMessages[known];
  const payload = decodeMessage(message, bytes);
  if (!payload.ok) return differs;
  const value = compareShown(message, shown.parameter.value, visible, payload.value);
  return {
    comparison: worst([head.comparison, value.comparison]),
    isKnown: head.isKnown && value.isKnown && isRewritten(message, payload.value, bytes),
    strays: head.strays + value.strays,
  };
}

const headNames: ReadonlySet<string> = new Set(["type", "parameter"]);

/** Whether the type matches. The protocol states the type twice, by number and by name. */
function isTypeOf({ type, parameter: { type_url } }: ContractJson, signed: MessageValue, parameter: MessageValue) {
  const id = Number(integerIn(signed, "type"));
  // A newer type has an unknown number.
  const isId = isContractType(type) ? contractTypeIds[type] === id : contractTypeOf(id) === undefined;
  return isId && textIn(parameter, "type_url") === (type_url ?? `${TYPE_URL_PREFIX}${type}`);
}

function knownType(type: string): SupportedType | undefined {
  return isContractType(type) && !isUnsupportedType(type) ? type : undefined;
}

function compareShown(
  message: MessageType,
  json: unknown,
  visible: boolean | undefined,
  signed: MessageValue,
  elsewhere: ReadonlySet<string> = new Set(),
): Part {
  const read = readBoth(message, json, visible);
  // Unreadable JSON may be another valid spelling, so it is not reported as a forgery.
  if (!read.ok) return { comparison: "same", isKnown: false, strays: 1 };
  const { asText, asHex, strays } = read.value;
  return {
    comparison: compareMessage(message, { asText, asHex }, signed),
    isKnown: true,
    strays: strays.filter((path) => !elsewhere.has(path)).length,
  };
}

interface Read extends JsonMessage {
  /** Paths of members that the protocol tables do not know. */
  readonly strays: readonly string[];
}

function readBoth(message: MessageType, json: unknown, visible: boolean | undefined): Result<Read> {
  const asHex = readMessage(message, json, "hex");
  const asText = visible === true ? readMessage(message, json, "text") : asHex;
  if (!asHex.ok) return asHex;
  if (!asText.ok) return asText;
  return ok({ asText: asText.value.value, asHex: asHex.value.value, strays: asHex.value.strays });
}

function isRewritten(message: MessageType, value: MessageValue, bytes: Uint8Array): boolean {
  return hex.encode(encodeMessage(message, value)) === hex.encode(bytes);
}
