import type { IncomingHttpHeaders } from "node:http";
import { isReadable, readWait } from "./wait-text.ts";

/**
 * The wait that Retry-After asks for, milliseconds; undefined without one that can be used. RFC 9110, 10.2.3 has whole
 * seconds and dates; services send fractions and Unix times as well.
 *
 * @param serverMs Unix milliseconds, by the service's clock.
 */
export function retryAfterMs({ "retry-after": header }: IncomingHttpHeaders, serverMs: number): number | undefined {
  // A header that comes twice is a list, and means nothing.
  return typeof header === "string" ? readWait(header, serverMs) : undefined;
}

/** A Retry-After that is no wait of any form; undefined without one, and for a time that has passed. @param nowMs as above. */
export function unreadWait({ "retry-after": header }: IncomingHttpHeaders, nowMs: number): string | undefined {
  return typeof header !== "string" || header.trim() === "" || isReadable(header, nowMs) ? undefined : header;
}
