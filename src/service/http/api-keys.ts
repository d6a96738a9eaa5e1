import type { FailureName } from "../../api/failures.ts";
import type { Secret } from "../../kernel/secret.ts";

/** True when `candidate` is one of `keys`. Every key is compared, so the duration does not reveal the matching key. */
export function isValidKey(keys: readonly Secret[], candidate: unknown): candidate is string {
  if (typeof candidate !== "string" || candidate === "") return false;
  let known = false;
  for (const key of keys) known = key.equals(candidate) || known;
  return known;
}

/**
 * Characters that no key holds. Node joins repeated headers with a comma. The meaning of bytes beyond ASCII is
 * undefined.
 */
const unlikeAKey = /[^\x20-\x7e]|,/;

/**
 * Why an unknown key is refused. The reason depends on the request alone, so an attacker that guesses keys learns no
 * more than from the status.
 */
export function refusalOf(candidate: unknown): readonly [FailureName, string?] {
  if (typeof candidate !== "string" || candidate.trim() === "") return ["missingApiKey"];
  if (unlikeAKey.test(candidate))
    return ["malformedApiKey", "X-API-KEY was sent twice, or holds a comma or characters beyond ASCII"];
  return ["unknownApiKey", "the API key that was sent is not known"];
}
