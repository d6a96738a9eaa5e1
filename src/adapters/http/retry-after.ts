import type { IncomingHttpHeaders } from "node:http";
import { readWait } from "./wait-text.ts";

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
