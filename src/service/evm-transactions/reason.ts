import { numberAt, toHex } from "../../evm-analysis/machine/code.ts";
import { WORD_BYTES } from "../evm/word.ts";

/** Maximum length of a reason that is repeated, characters. The author of the contract chooses the text. */
const MAX_TEXT = 120;
/**
 * Selectors of Solidity's Error(string) and Panic(uint256). Source: Solidity documentation, "Panic via assert and Error
 * via require".
 */
const [ERROR, PANIC] = ["08c379a0", "4e487b71"];

/** Why a call failed, from the bytes that it returned. The contract's own text is repeated in plain ASCII. */
export function reasonOf(returned: Uint8Array): string {
  if (returned.length === 0) return "it gives no reason";
  const selector = toHex(returned.subarray(0, 4));
  if (selector === PANIC) return `panic 0x${numberAt(returned, 4, WORD_BYTES).toString(16)}`;
  if (selector === ERROR) {
    const length = Number(numberAt(returned, 4 + WORD_BYTES, WORD_BYTES) & 0xffffn);
    const bytes = returned.subarray(4 + 2 * WORD_BYTES, 4 + 2 * WORD_BYTES + Math.min(length, MAX_TEXT));
    const text = new TextDecoder().decode(bytes).replaceAll(/[^\x20-\x7e]/g, "?");
    if (text !== "") return `"${text}"`;
  }
  return `error 0x${selector}`;
}
