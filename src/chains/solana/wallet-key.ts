import { keyBytes } from "./key.ts";

/** The field and the curve of Ed25519. Source: RFC 8032, section 5.1. */
const P = 2n ** 255n - 19n;
const D = 37_095_705_934_669_439_343_138_083_508_754_565_189_542_113_879_843_219_016_388_785_533_085_940_283_555n;

/**
 * Whether a private key may exist for a Solana address. A key may exist when the address is a point on the curve.
 * Addresses that programs derive for their own accounts are never on the curve. Source: Solana, "Program derived
 * addresses".
 */
export function mayHaveKey(address: string): boolean {
  const bytes = Uint8Array.from(keyBytes(address));
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`) % P;
  const squared = (y * y) % P;
  // x² is a quotient. By Euler's criterion it is a square when the product of both parts is a square.
  const product = ((squared - 1n + P) * (D * squared + 1n)) % P;
  return product === 0n || power(product, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}
