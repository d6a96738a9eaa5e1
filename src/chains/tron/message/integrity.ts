import { hex } from "@scure/base";
import { sha256 } from "../../../kernel/sha256.ts";
import { type BodyComparison, compareRawData } from "./compare-raw-data.ts";
import { contractMessages } from "./contract-messages.ts";
import { isContractType, isUnsupportedType } from "./contract-types.ts";
import { encodeRawData, type RawDataJson } from "./raw-data.ts";

/** What a transaction says of its own bytes. */
export interface ClaimedBytes {
  readonly txID?: string | undefined;
  readonly raw_data_hex?: string | undefined;
  readonly raw_data: RawDataJson;
  readonly visible?: boolean | undefined;
}

/**
 * Whether what a transaction shows is what would be signed:
 * - `equal`: its body, written as bytes, is what it claims;
 * - `id_differs`: its txID is not the hash of its own raw_data_hex;
 * - `body_differs`: the bytes or the hash that it claims are those of another body;
 * - `not_compared`: all of its body that is known here is in the bytes, but it has members, or a type, that are not, or
 *   a name whose bytes are no text; or it claims a hash alone, which may be that of such a body;
 * - `not_claimed`: it claims neither.
 */
export type Integrity = "equal" | "id_differs" | "body_differs" | "not_compared" | "not_claimed";

export interface IntegrityReport {
  readonly integrity: Integrity;
  /** SHA-256 of the body as bytes, when it could be written: what the network will call the transaction. */
  readonly txId: string | undefined;
}

/** Compares the body of a transaction with the bytes and the hash that it claims. Exact: no honest one differs. */
export function integrityOf({ txID, raw_data_hex, raw_data, visible }: ClaimedBytes): IntegrityReport {
  const claimedHex = raw_data_hex?.replace(/^0x/i, "").toLowerCase() ?? "";
  const claimedId = txID?.replace(/^0x/i, "").toLowerCase() ?? "";
  const encoded = encodeRawData(raw_data, visible);
  const candidates = encoded.ok ? encoded.value.candidates : [];
  const matching = candidates.find((bytes) =>
    claimedHex === "" ? sha256(bytes) === claimedId : hex.encode(bytes) === claimedHex,
  );
  const known = matching ?? candidates[0];
  const report = (integrity: Integrity, bytes = known): IntegrityReport => ({
    integrity,
    txId: bytes === undefined ? undefined : sha256(bytes),
  });
  if (claimedHex === "" && claimedId === "") return report("not_claimed");
  const bytes = bytesOfHex(claimedHex);
  if (claimedHex !== "" && claimedId !== "" && (bytes === undefined || sha256(bytes) !== claimedId))
    return report("id_differs");
  if (matching !== undefined) return report("equal");
  if (claimedHex === "") {
    const isOne = encoded.ok && encoded.value.strays.length === 0 && !isAmbiguous(raw_data, visible);
    return report(isOne ? "body_differs" : "not_compared");
  }
  const comparison = bytes === undefined ? "differs" : compareRawData(raw_data, visible, bytes);
  // Where they agree, the bytes say better than the body how it is written.
  return report(integrityBy[comparison], comparison === "differs" || !encoded.ok ? known : bytes);
}

const integrityBy: Readonly<Record<BodyComparison, Integrity>> = {
  same: "equal",
  same_text: "not_compared",
  differs: "body_differs",
  unknown: "not_compared",
};

/** Whether a body may be other bytes than all of its names in one spelling: a hash alone does not say which. */
function isAmbiguous({ contract }: RawDataJson, visible: boolean | undefined): boolean {
  if (visible !== true) return false;
  return contract.some(({ type, parameter }) => {
    const message = isContractType(type) && !isUnsupportedType(type) ? contractMessages[type] : [];
    const names = message.filter(({ kind }) => kind === "name");
    return names.length > 1 || JSON.stringify(parameter.value).includes("\ufffd");
  });
}

/** Of what is no hex, nothing. */
function bytesOfHex(digits: string): Uint8Array | undefined {
  return /^([0-9a-f]{2})*$/.test(digits) ? hex.decode(digits) : undefined;
}
