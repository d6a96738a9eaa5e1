import { base58 } from "@scure/base";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { base58Fault } from "../base58.ts";

const KEY_BYTES = 32;
/** The length of the text of 32 zero bytes, the system program. */
const MIN_LENGTH = 32;
const MAX_LENGTH = 44;

/**
 * Base58 of exactly 32 bytes. The format has no checksum, so a mistyped character mostly gives another valid address.
 * Text and bytes correspond one to one (each leading 1 is one zero byte). Therefore every text that decodes is
 * canonical.
 */
export function parseSolanaAddress(text: string): Result<string> {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) {
    return fail(`must have ${MIN_LENGTH} to ${MAX_LENGTH} characters, has ${text.length}`);
  }
  const fault = base58Fault(text);
  if (fault !== undefined) return fail(fault);
  const { length } = base58.decode(text);
  return length === KEY_BYTES ? ok(text) : fail(`must decode to ${KEY_BYTES} bytes, has ${length}`);
}
