import { keccak_256 } from "@noble/hashes/sha3.js";
import { fail, ok, type Result } from "../kernel/result.ts";

const HEX_DIGITS = 40;

/** By code unit: whether it is a digit of a canonical address. */
const isDigit = Uint8Array.from({ length: 128 }, (_, code) =>
  Number("0123456789abcdef".includes(String.fromCharCode(code))),
);
/** Chains whose checksum hashes the chain id: Rootstock and its test network. Source: EIP-1191, "Usage Table". */
const hashesChainId: ReadonlySet<string> = new Set(["30", "31"]);

const A_UPPER = "A".charCodeAt(0);
const A_LOWER = "a".charCodeAt(0);

const notHex = /[^0-9a-fA-F]/;
const lowerLetter = /[a-f]/;
const upperLetter = /[A-F]/;

/**
 * 0x and 40 hex digits, in lower case. Digits written all in one case carry no checksum; mixed case is one, and must
 * match. Source: EIP-55.
 *
 * @param chainId of a chain whose wallets write another checksum as well.
 */
export function parseEvmAddress(text: string, chainId?: string): Result<string> {
  if (isCanonicalEvm(text)) return ok(text);
  const fault = shapeFault(text);
  if (fault !== undefined) return fail(fault);
  const canonical = text.toLowerCase();
  const digits = text.slice(2);
  const mixedCase = lowerLetter.test(digits) && upperLetter.test(digits);
  if (!mixedCase || isChecksummed(text, canonical)) return ok(canonical);
  const isOfChain = chainId !== undefined && hashesChainId.has(chainId);
  if (isOfChain && isChecksummed(text, canonical, chainId)) return ok(canonical);
  const rules = isOfChain ? "EIP-55 and EIP-1191 checksums do" : "EIP-55 checksum does";
  return fail(`${rules} not match: check each letter and its case`);
}

/** Whether the case of each letter is that of the checksum: without the text of it, for lists of a million rows. */
function isChecksummed(text: string, canonical: string, chainId?: string): boolean {
  const hash = checksumHash(canonical, chainId);
  for (let i = 0; i < HEX_DIGITS; i++) {
    const code = text.charCodeAt(i + 2);
    if (code >= A_UPPER && code >= A_LOWER === isUpper(hash, i)) return false;
  }
  return true;
}

/**
 * The mixed-case form of a canonical address, in which the case of the letters is a checksum. Source: EIP-55, and
 * EIP-1191 with a chain id.
 */
export function toChecksumAddress(canonical: string, chainId?: string): string {
  const hash = checksumHash(canonical, chainId);
  let text = "0x";
  for (let i = 0; i < HEX_DIGITS; i++) {
    const digit = canonical.charAt(i + 2);
    text += isUpper(hash, i) ? digit.toUpperCase() : digit;
  }
  return text;
}

function checksumHash(canonical: string, chainId: string | undefined): Uint8Array {
  return keccak_256(asciiBytes(chainId === undefined ? canonical.slice(2) : `${chainId}${canonical}`));
}

/** Whether a letter at digit `i` is a capital: the hash's digit there is 8 or more. */
function isUpper(hash: Uint8Array, i: number): boolean {
  const pair = hash[i >> 1] ?? 0;
  return ((i % 2 === 0 ? pair >> 4 : pair) & 8) !== 0;
}

/** Each address passes here several times: a pattern takes three times as long. */
export function isCanonicalEvm(text: string): boolean {
  if (text.length !== HEX_DIGITS + 2 || !text.startsWith("0x")) return false;
  for (let i = 2; i < text.length; i++) if (isDigit[text.charCodeAt(i)] !== 1) return false;
  return true;
}

function shapeFault(text: string): string | undefined {
  if (!text.startsWith("0x")) return "must start with 0x";
  const digits = text.slice(2);
  const at = digits.search(notHex);
  if (at >= 0) return `character ${at + 3} is not a hex digit`;
  if (digits.length !== HEX_DIGITS) return `must have ${HEX_DIGITS} hex digits after 0x, has ${digits.length}`;
  return undefined;
}

function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
