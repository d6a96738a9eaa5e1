import { fail, ok, type Result } from "../../kernel/result.ts";
import { keccak256 } from "./keccak256.ts";

const HEX_DIGITS = 40;

const LOWER = 2;
const UPPER = 4;
/** Indexed by code unit: 0 for a character that is no hex digit, otherwise 1, LOWER or UPPER. */
const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const text = String.fromCharCode(code);
  if ("0123456789".includes(text)) return 1;
  if ("abcdef".includes(text)) return LOWER;
  return "ABCDEF".includes(text) ? UPPER : 0;
});
/** Chains that hash the chain id into the checksum: Rootstock and its test network. Source: EIP-1191, "Usage Table". */
const hashesChainId: ReadonlySet<string> = new Set(["30", "31"]);

const A_UPPER = "A".charCodeAt(0);
const A_LOWER = "a".charCodeAt(0);
/** The bit by which a lower-case ASCII letter differs from its capital. Decimal digits have this bit set. */
const CASE_BIT = 0x20;

const notHex = /[^0-9a-fA-F]/;
/**
 * The digits of the current address, in lower case as ASCII. A shared buffer saves an allocation for every list row and
 * every event.
 */
const asciiDigits = new Uint8Array(HEX_DIGITS);

/**
 * Parses 0x and 40 hex digits to lower case. Digits in one case carry no checksum. Mixed case is a checksum and must
 * match. Source: EIP-55.
 *
 * @param chainId a chain with wallets that write another checksum as well.
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

/**
 * The kinds of all digits of an address in one number, or 0 when the text is no address. Leaves the digits in
 * `asciiDigits`.
 */
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

/**
 * Whether the case of each letter matches the checksum. It does not build the checksum text, because lists have a
 * million rows.
 */
function isChecksummed(text: string, hash: Uint8Array): boolean {
  for (let i = 0; i < HEX_DIGITS; i++) {
    const code = text.charCodeAt(i + 2);
    if (code >= A_UPPER && code >= A_LOWER === isUpper(hash, i)) return false;
  }
  return true;
}

/**
 * The mixed-case form of a canonical address. The case of the letters is a checksum. Source: EIP-55, and EIP-1191 with
 * a chain id.
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

/** A letter at digit `i` is a capital when the hash has 8 or more at that digit. */
function isUpper(hash: Uint8Array, i: number): boolean {
  const pair = hash[i >> 1] ?? 0;
  return ((i % 2 === 0 ? pair >> 4 : pair) & 8) !== 0;
}

/** A loop instead of a pattern: each address passes here several times, and a pattern takes three times as long. */
export function isCanonicalEvm(text: string): boolean {
  const kinds = kindsIn(text);
  return kinds !== 0 && (kinds & UPPER) === 0;
}

/** The reason why a text is not an address. */
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
