import { fail, type Result } from "../kernel/result.ts";
import { type CanonicalAddress, MAX_ADDRESS_LENGTH, parseAddressOn } from "./address.ts";
import { type Chain, families, familyNames } from "./chain.ts";
import { unscreenedByForm } from "./unscreened-chains.ts";

type Place = Pick<Chain, "id" | "family">;

/** Parses an address like `parseAddressOn`. The detail of a failure also says what to write instead. */
export function readAddressOn(chain: Place, text: string): Result<CanonicalAddress> {
  const parsed = parseAddressOn(chain, text);
  if (parsed.ok) return parsed;
  const advice = adviceOn(chain, text);
  return advice === undefined ? parsed : fail(`${parsed.detail}; ${advice}`);
}

/** Copied text has blanks, control characters and zero-width characters at its ends. */
const blanks = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu;
const paddedWord = /^0x0{24}([0-9a-fA-F]{40})$/;
const hexDigits = /^[0-9a-fA-F]{40}$/;
/** Text in front of an address: a chain (CAIP-10, EIP-3770) or the scheme of a payment link (EIP-681, BIP 21). */
const prefixed = /^(?:[\w-]+:){1,2}([0-9A-Za-z]+)(?:[@?/].*)?$/;
/** A label and a top-level domain, the form that ENS and other name services resolve. */
const named = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[a-z]{2,12}$/u;

/** The text to write instead of an invalid address of the chain. Undefined when there is no advice. */
function adviceOn(chain: Place, text: string): string | undefined {
  if (text.length > 2 * MAX_ADDRESS_LENGTH) return undefined;
  const bare = text.replaceAll(blanks, "");
  if (bare === "") return undefined;
  if (bare !== text) return isOf(chain, bare) ? "remove the blanks around the address" : undefined;
  if (chain.family === "evm") {
    if (hexDigits.test(text)) return "write 0x in front of the digits";
    if (text.startsWith("0X") && isOf(chain, `0x${text.slice(2)}`)) return "write 0x in place of 0X";
    const [, word] = paddedWord.exec(text) ?? [];
    if (word !== undefined) return `write the address of the padded word: 0x${word}`;
  }
  const [, behind] = prefixed.exec(text) ?? [];
  if (behind !== undefined && isOf(chain, behind)) return `write the address alone: ${behind}`;
  if (named.test(text)) return "a name must be resolved to an address first";
  const family = families.find((each) => each !== chain.family && isOf({ id: each, family: each }, text));
  if (family !== undefined) return `the text is an address of ${familyNames[family]}: correct the chain`;
  const currency = unscreenedByForm(text);
  return currency === undefined
    ? undefined
    : `the text has the form of an address of ${currency}, which Weir does not screen`;
}

function isOf(chain: Place, text: string): boolean {
  return parseAddressOn(chain, text).ok;
}
