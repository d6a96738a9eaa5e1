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
 * How a body compares with bytes that it claims: as `Comparison` says it, or `unknown`, where all that is known here
 * agrees and one of them holds what is not known.
 */
export type BodyComparison = Comparison | "unknown";

/**
 * Compares what the body of a transaction shows with bytes, field by field. So a member that is not known hides nothing
 * of those that are, and neither does the type of an operation.
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
  // What the tables do not hold is lost on the way back; so is another order.
  const isWhole = parts.every(({ isKnown }) => isKnown) && isRewritten(rawData, signed.value, bytes);
  if (isWhole) return found;
  return parts.every(({ strays }) => strays === 0) ? "differs" : "unknown";
}

interface Part {
  readonly comparison: Comparison;
  /** Everything in the bytes is known here. */
  readonly isKnown: boolean;
  /** What the JSON holds and the protocol here does not know. */
  readonly strays: number;
}

const differs: Part = { comparison: "differs", isKnown: true, strays: 0 };

function compareContract(shown: ContractJson, visible: boolean | undefined, signed: MessageValue | undefined): Part {
  const parameter = signed === undefined ? undefined : messageIn(signed, "parameter");
  if (signed === undefined || parameter === undefined || !isTypeOf(shown, signed, parameter)) return differs;
  const head = compareShown(contractHead, shown, visible, signed, headNames);
  const known = knownType(shown.type);
  // Nobody here knows what it holds, so it counts as a member that is not known.
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

/** The number and the name of the type, which the protocol says twice. */
function isTypeOf({ type, parameter: { type_url } }: ContractJson, signed: MessageValue, parameter: MessageValue) {
  const id = Number(integerIn(signed, "type"));
  // A later type has a number that is not known here.
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
  // What cannot be read here may be another way to write it, so nobody is called a forger for it.
  if (!read.ok) return { comparison: "same", isKnown: false, strays: 1 };
  const { asText, asHex, strays } = read.value;
  return {
    comparison: compareMessage(message, { asText, asHex }, signed),
    isKnown: true,
    strays: strays.filter((path) => !elsewhere.has(path)).length,
  };
}

interface Read extends JsonMessage {
  /** Paths of what the protocol here does not know. */
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
