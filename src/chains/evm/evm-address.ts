import { fail, ok, type Result } from "../../kernel/result.ts";
import { keccak256 } from "./keccak256.ts";

const HEX_DIGITS = 40;

const LOWER = 2;
const UPPER = 4;
/** By code unit: 0 for what is no hex digit, else 1, LOWER or UPPER. */
const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const text = String.fromCharCode(code);
  if ("0123456789".includes(text)) return 1;
  if ("abcdef".includes(text)) return LOWER;
  return "ABCDEF".includes(text) ? UPPER : 0;
});
/** Chains whose checksum hashes the chain id: Rootstock and its test network. Source: EIP-1191, "Usage Table". */
const hashesChainId: ReadonlySet<string> = new Set(["30", "31"]);

const A_UPPER = "A".charCodeAt(0);
const A_LOWER = "a".charCodeAt(0);
/** The bit by which a small ASCII letter differs from its capital; decimal digits have it. */
const CASE_BIT = 0x20;

const notHex = /[^0-9a-fA-F]/;
/** The digits of the address that is read, in lower case as ASCII: every row of a list and every event passes here. */
const asciiDigits = new Uint8Array(HEX_DIGITS);

/**
 * 0x and 40 hex digits, in lower case. Digits written all in one case carry no checksum; mixed case is one, and must
 * match. Source: EIP-55.
 *
 * @param chainId of a chain whose wallets write another checksum as well.
 */
export function parseEvmAddress(text: string, chainId?: string): Result<string> {
  const kinds = kindsIn(text);
  if (kinds === 0) return fail(shapeFault(text));
  if ((kinds & UPPER) === 0) return ok(text);
  const canonical = text.toLowerCase();
  if ((kinds & LOWER) === 0 || isChecksummed(text, keccak256(asciiDigits))) return ok(canonical);
  const isOfChain = chainId !== undefined && hashesChainId.has(chainId);
  if (isOfChain && isChecksummed(text, checksumHash(canonical, chainId))) return ok(canonical);
  const rules = isOfChain ? "EIP-55 and EIP-1191 checksums do" : "EIP-55 checksum does";
  return fail(`${rules} not match: check each letter and its case`);
}

/** The kinds of digits of an address in one number, 0 when the text is no address. Leaves its digits in `asciiDigits`. */
function kindsIn(text: string): number {
  if (text.length !== HEX_DIGITS + 2 || !text.startsWith("0x")) return 0;
  let kinds = 0;
  for (let i = 0; i < HEX_DIGITS; i++) {
    const code = text.charCodeAt(i + 2);
    const kind = kindOf[code] ?? 0;
    if (kind === 0) return 0;
    kinds |= kind;
    asciiDigits[i] = code | CASE_BIT;
  }
  return kinds;
}

/** Whether the case of each letter is that of the checksum: without the text of it, for lists of a million rows. */
function isChecksummed(text: string, hash: Uint8Array): boolean {
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
  return keccak256(asciiBytes(chainId === undefined ? canonical.slice(2) : `${chainId}${canonical}`));
}

/** Whether a letter at digit `i` is a capital: the hash's digit there is 8 or more. */
function isUpper(hash: Uint8Array, i: number): boolean {
  const pair = hash[i >> 1] ?? 0;
  return ((i % 2 === 0 ? pair >> 4 : pair) & 8) !== 0;
}

/** Each address passes here several times: a pattern takes three times as long. */
export function isCanonicalEvm(text: string): boolean {
  const kinds = kindsIn(text);
  return kinds !== 0 && (kinds & UPPER) === 0;
}

/** Why a text is no address. */
function shapeFault(text: string): string {
  if (!text.startsWith("0x")) return "must start with 0x";
  const digits = text.slice(2);
  const at = digits.search(notHex);
  if (at >= 0) return `character ${at + 3} is not a hex digit`;
  return `must have ${HEX_DIGITS} hex digits after 0x, has ${digits.length}`;
}

function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
