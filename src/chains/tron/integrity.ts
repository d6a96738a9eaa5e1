import { hex } from "@scure/base";
import { sha256, sha256Bytes } from "../../kernel/sha256.ts";
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
 * - `not_compared`: they are not what its body gives, but its body has members, or a type, that are not known here;
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
  const txId = known === undefined ? undefined : sha256(known);
  const report = (integrity: Integrity): IntegrityReport => ({ integrity, txId });
  if (claimedHex === "" && claimedId === "") return report("not_claimed");
  if (claimedHex !== "" && claimedId !== "" && hashOfHex(claimedHex) !== claimedId) return report("id_differs");
  if (matching !== undefined) return report("equal");
  return report(encoded.ok && encoded.value.strays.length === 0 ? "body_differs" : "not_compared");
}

/** SHA-256 of bytes in hex; of what is no hex, nothing. */
function hashOfHex(digits: string): string | undefined {
  return /^([0-9a-f]{2})*$/.test(digits) ? hex.encode(sha256Bytes(hex.decode(digits))) : undefined;
}
