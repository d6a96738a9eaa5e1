import type { CanonicalAddress } from "../../address.ts";
import { parseAddress } from "../../address.ts";
import { numberAt } from "./calls-inside.ts";
import { type TokenCall, tokenSignatures } from "./token-signatures.ts";

/**
 * What calldata is: a token call, or something else. Of a broken one, whose arguments are cut or dirty, `call` is what a
 * contract makes of it that does not refuse it: those of Solidity before 0.5, of which TRON's most used tokens are.
 */
export type CallReading =
  | { readonly is: "token"; readonly name: string; readonly call: TokenCall; readonly isBroken: boolean }
  | { readonly is: "other"; readonly selector: string };

const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;
/** In front of the 20 bytes of an address; older libraries leave TRON's prefix 41 there. */
const addressPadding = /^0{22}(00|41)$/;

/**
 * Reads calldata in hex. Bytes behind the arguments are passed over, as a contract passes over them. What is not there is
 * read as zeros, and of a word that is too large for an address the end, as old compilers have it; both make it broken.
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
 * The bytes that a token call hands on to the one who is paid or allowed, in hex; empty where there are none. What does not
 * end within the calldata is there as far as it goes.
 */
export function payloadOf(data: string): string {
  const selector = data.slice(0, SELECTOR_DIGITS);
  const known = Object.hasOwn(tokenSignatures, selector) ? tokenSignatures[selector] : undefined;
  if (known?.payload === undefined) return "";
  const body = data.slice(SELECTOR_DIGITS);
  const offset = numberAt(body, known.payload * WORD_DIGITS);
  const length = offset === undefined ? undefined : numberAt(body, 2 * offset);
  // A compiler that takes it in spite of that would hand on something else.
  if (offset === undefined || length === undefined) return body;
  return body.slice(2 * offset + WORD_DIGITS, 2 * offset + WORD_DIGITS + 2 * length);
}

/** Of 20 bytes in hex, which are an address whatever they are. */
function addressOf(digits: string): CanonicalAddress {
  const address = parseAddress("tron", `41${digits}`);
  if (!address.ok) throw new Error("20 bytes in hex are an address");
  return address.value;
}
