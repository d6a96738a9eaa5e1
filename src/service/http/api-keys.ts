import type { Secret } from "../../kernel/secret.ts";

/** True when `candidate` is one of `keys`. Every key is compared, so the time tells nothing about which one it was. */
export function isKnownKey(keys: readonly Secret[], candidate: unknown): candidate is string {
  if (typeof candidate !== "string" || candidate === "") return false;
  let known = false;
  for (const key of keys) known = key.equals(candidate) || known;
  return known;
}
