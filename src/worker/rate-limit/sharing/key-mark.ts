import { sha256, sha256Of } from "../../../kernel/hash.ts";

const SERVICE_DIGITS = 16;
const KEY_DIGITS = 3;

/**
 * By this mark processes on one control topic recognize that they share a key. The mark has 64 bits of the service and
 * 12 bits of the key. 12 bits cannot confirm a guess of the key, however short the key: one of 4,096 possible keys has
 * the same mark. Two keys with the same mark share a quota needlessly. A separate `TOPIC_CONTROL` for one of the keys
 * prevents that.
 */
export function keyMark(baseUrl: string, key: string): string {
  return `${serviceMark(baseUrl)}-${sha256Of([baseUrl, key]).slice(0, KEY_DIGITS)}`;
}

/** Whether a mark is of any key of this service. */
export function isOfService(mark: string, baseUrl: string): boolean {
  return mark.startsWith(`${serviceMark(baseUrl)}-`);
}

function serviceMark(baseUrl: string): string {
  return sha256(baseUrl).slice(0, SERVICE_DIGITS);
}
