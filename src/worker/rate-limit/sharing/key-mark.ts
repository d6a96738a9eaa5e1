import { sha256, sha256Of } from "../../../kernel/sha256.ts";

const SERVICE_DIGITS = 16;
const KEY_DIGITS = 3;

/**
 * By what processes on one control topic know that they share a key: of the service 64 bits, of the key 12. So little of
 * a key that nobody can tell a guess by it, however short the key: of all keys there are, one in 4,096 has the same mark.
 * Two keys that have it share a quota for nothing; a `TOPIC_CONTROL` of its own for one of them parts them.
 */
export function keyMark(baseUrl: string, key: string): string {
  return `${serviceMark(baseUrl)}-${sha256Of([baseUrl, key]).slice(0, KEY_DIGITS)}`;
}

/** Whether a mark is of a key of this service, whichever. */
export function isOfService(mark: string, baseUrl: string): boolean {
  return mark.startsWith(`${serviceMark(baseUrl)}-`);
}

function serviceMark(baseUrl: string): string {
  return sha256(baseUrl).slice(0, SERVICE_DIGITS);
}
