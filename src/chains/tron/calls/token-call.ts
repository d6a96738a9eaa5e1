import type { CanonicalAddress } from "../../address.ts";
import { parseAddress } from "../../address.ts";
import { numberAt } from "./calls-inside.ts";
import { type TokenCall, tokenSignatures } from "./token-signatures.ts";

/**
 * The meaning of calldata: a token call, or another call. A broken call has truncated arguments or non-zero padding.
 * For a broken call, `call` is the reading of a contract that does not refuse it. Solidity before 0.5 does not refuse
 * it, and TRON's most used tokens were compiled with it.
 */
export type CallReading =
  | { readonly is: "token"; readonly name: string; readonly call: TokenCall; readonly isBroken: boolean }
  | { readonly is: "other"; readonly selector: string };

const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;
/** The padding in front of the 20 bytes of an address. Older libraries leave TRON's prefix 41 there. */
const addressPadding = /^0{22}(00|41)$/;

/**
 * Reads calldata in hex. Bytes behind the arguments are ignored, as contracts ignore them. A missing argument reads as
 * zeros. A word that is too large for an address reads as its last 20 bytes, as in old compilers. A missing argument
 * and a large word both make the call broken.
 */
export function readTokenCall(data: string): CallReading {
  const selector = data.slice(0, SELECTOR_DIGITS);
  const known = Object.hasOwn(tokenSignatures, selector) ? tokenSignatures[selector] : undefined;
  if (known === undefined) return { is: "other", selector };
  const [name = ""] = known.signature.split("(");
  const word = (index: number) => {
    const given = data.slice(SELECTOR_DIGITS + index * WORD_DIGITS).slice(0, WORD_DIGITS);
    return given.padEnd(WORD_DIGITS, "0");
  };
  const isWhole = data.length >= SELECTOR_DIGITS + known.words * WORD_DIGITS;
  const isBroken = !isWhole || !known.addresses.every((index) => addressPadding.test(word(index).slice(0, 24)));
  const address = (index: number) => addressOf(word(index).slice(24));
  return { is: "token", name, call: known.read({ address, integer: (index) => BigInt(`0x${word(index)}`) }), isBroken };
}

/**
 * The bytes that a token call forwards to the recipient or spender, in hex. Empty when there are none. A payload beyond
 * the end of the calldata is truncated.
 */
export function payloadOf(data: string): string {
  const selector = data.slice(0, SELECTOR_DIGITS);
  const known = Object.hasOwn(tokenSignatures, selector) ? tokenSignatures[selector] : undefined;
  if (known?.payload === undefined) return "";
  const body = data.slice(SELECTOR_DIGITS);
  const offset = numberAt(body, known.payload * WORD_DIGITS);
  const length = offset === undefined ? undefined : numberAt(body, 2 * offset);
  // Without a valid offset and length the payload is unknown, so the whole body is returned.
  if (offset === undefined || length === undefined) return body;
  return body.slice(2 * offset + WORD_DIGITS, 2 * offset + WORD_DIGITS + 2 * length);
}

/** The address of 20 bytes in hex. Every 20 bytes are a valid address. */
function addressOf(digits: string): CanonicalAddress {
  const address = parseAddress("tron", `41${digits}`);
  if (!address.ok) throw new Error("20 bytes in hex are an address");
  return address.value;
}
