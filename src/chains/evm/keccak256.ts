import { createKeccak } from "hash-wasm";

/**
 * Compiled once. WebAssembly takes a sixth of the time of JavaScript, and most addresses of an export carry a checksum.
 */
const hasher = await createKeccak(256);

/**
 * Keccak-256 as Ethereum and TRON use it, with the padding from before SHA-3. Hashes any number of bytes to 32 bytes.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest("binary");
}
