import { hex } from "@scure/base";
import { sha256 } from "../../../kernel/hash.ts";
import { type BodyComparison, compareRawData } from "./compare-raw-data.ts";
import { contractMessages } from "./contract-messages.ts";
import { isContractType, isUnsupportedType } from "./contract-types.ts";
import { encodeRawData, type RawDataJson } from "./raw-data.ts";

/** The bytes and the hash that a transaction claims for itself. */
export interface ClaimedBytes {
  readonly txID?: string | undefined;
  readonly raw_data_hex?: string | undefined;
  readonly raw_data: RawDataJson;
  readonly visible?: boolean | undefined;
}

/**
 * Whether the displayed transaction is the one that would be signed:
 * - `equal`: the encoded body matches the claimed bytes.
 * - `id_differs`: txID is not the hash of raw_data_hex.
 * - `body_differs`: the claimed bytes or the claimed hash belong to another body.
 * - `not_compared`: all known parts of the body are in the bytes, but other parts cannot be compared. These are unknown
 *   members, an unknown type, and names with bytes that are no text. It is also the result when such a body claims a
 *   hash alone.
 * - `not_claimed`: the transaction claims neither bytes nor a hash.
 */
export type Integrity = "equal" | "id_differs" | "body_differs" | "not_compared" | "not_claimed";

export interface IntegrityReport {
  readonly integrity: Integrity;
  /**
   * SHA-256 of the encoded body: the id of the transaction on the network. Undefined when the body cannot be encoded.
   */
  readonly txId: string | undefined;
}

/**
 * Compares the body of a transaction with the bytes and the hash that it claims. The comparison is exact: no honest
 * transaction differs.
 */
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
  // When body and bytes agree, the bytes are the better source of the encoding.
  return report(integrityBy[comparison], comparison === "differs" || !encoded.ok ? known : bytes);
}

const integrityBy: Readonly<Record<BodyComparison, Integrity>> = {
  same: "equal",
  same_text: "not_compared",
  differs: "body_differs",
  unknown: "not_compared",
};

/**
 * Whether a body may have several encodings, because its names may have different spellings. A hash alone does not tell
 * which one was used.
 */
function isAmbiguous({ contract }: RawDataJson, visible: boolean | undefined): boolean {
  if (visible !== true) return false;
  return contract.some(({ type, parameter }) => {
    const message = isContractType(type) && !isUnsupportedType(type) ? contractMessages[type] : [];
    const names = message.filter(({ kind }) => kind === "name");
    return names.length > 1 || JSON.stringify(parameter.value).includes("\ufffd");
  });
}

/** The bytes of hex digits. Undefined for text that is no hex. */
function bytesOfHex(digits: string): Uint8Array | undefined {
  return /^([0-9a-f]{2})*$/.test(digits) ? hex.decode(digits) : undefined;
}
