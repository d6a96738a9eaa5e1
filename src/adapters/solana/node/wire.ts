import type { Message } from "../../../chains/solana/message/message.ts";

const SIGNATURE_BYTES = 64;

/** The transaction with signatures of zeros: the node does not check signatures. */
export function wireOf({ bytes, signers }: Message): Uint8Array {
  const wire = new Uint8Array(1 + signers * SIGNATURE_BYTES + bytes.length);
  wire[0] = signers;
  wire.set(bytes, 1 + signers * SIGNATURE_BYTES);
  return wire;
}
