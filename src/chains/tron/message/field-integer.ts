import { isRawNumber } from "../../../kernel/json.ts";
import { fail, ok, type Result } from "../../../kernel/result.ts";

const decimal = /^-?\d{1,20}$/;

/**
 * Reads a signed JSON integer of `bits` bits exactly. The value is a number, the preserved text of a number beyond
 * 2^53, or a decimal string.
 */
export function readInteger(json: unknown, bits: 32 | 64): Result<bigint> {
  const text = isRawNumber(json) ? json.rawJSON : typeof json === "number" ? String(json) : json;
  if (typeof text !== "string" || !decimal.test(text)) return fail(`must be an integer of ${bits} bits`);
  const value = BigInt(text);
  return BigInt.asIntN(bits, value) === value ? ok(value) : fail(`must be an integer of ${bits} bits`);
}
