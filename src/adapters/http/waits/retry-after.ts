import type { IncomingHttpHeaders } from "node:http";
import { isReadable, readWait } from "./wait-text.ts";

/**
 * The wait of Retry-After, milliseconds; undefined without a usable header. RFC 9110, 10.2.3 has whole seconds and
 * dates. Services also send fractions and Unix times.
 *
 * @param serverMs Unix milliseconds, by the service's clock.
 */
export function retryAfterMs({ "retry-after": header }: IncomingHttpHeaders, serverMs: number): number | undefined {
  // A repeated header is a list, and has no meaning.
  return typeof header === "string" ? readWait(header, serverMs) : undefined;
}

/**
 * The text of a Retry-After that is no wait in any form. Undefined without a header, and for a time that has passed.
 * @param nowMs Unix milliseconds, by the service's clock.
 */
export function unreadWait({ "retry-after": header }: IncomingHttpHeaders, nowMs: number): string | undefined {
  return typeof header !== "string" || header.trim() === "" || isReadable(header, nowMs) ? undefined : header;
}
