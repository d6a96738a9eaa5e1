import type { FailureName } from "../../api/failures.ts";
import type { Secret } from "../../kernel/secret.ts";

/** True when `candidate` is one of `keys`. Every key is compared, so the time tells nothing about which one it was. */
export function isValidKey(keys: readonly Secret[], candidate: unknown): candidate is string {
  if (typeof candidate !== "string" || candidate === "") return false;
  let known = false;
  for (const key of keys) known = key.equals(candidate) || known;
  return known;
}

/** What no key holds: Node joins headers that are sent twice by a comma, and beyond ASCII their bytes may mean anything. */
const unlikeAKey = /[^\x20-\x7e]|,/;

/**
 * Why a key is refused that is none of ours. It depends on the request alone, so that whoever guesses learns no more from
 * it than from the status.
 */
export function refusalOf(candidate: unknown): readonly [FailureName, string?] {
  if (typeof candidate !== "string" || candidate.trim() === "") return ["missingApiKey"];
  if (unlikeAKey.test(candidate))
    return ["malformedApiKey", "X-API-KEY was sent twice, or holds a comma or characters beyond ASCII"];
  return ["unknownApiKey", "the API key that was sent is not known"];
}
