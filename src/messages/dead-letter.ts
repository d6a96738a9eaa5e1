import { z } from "zod";
import { lanes } from "./lane.ts";

/**
 * The headers of a dead letter. Its value is the record as it arrived. The headers give the reason for the missing
 * answer and the origin of the record. They also hold everything that a retry under the same verdict id and the next
 * revision needs.
 */
export const DeadLetterHeaders = z.object({
  "weir-reasons": z.string().describe("failure codes, comma-separated"),
  "weir-verdict-id": z.string(),
  "weir-revision": z.string().regex(/^\d+$/).describe("of the UNKNOWN verdict that went with it"),
  "weir-default-id": z.string().describe("id of an event that brings none of its own"),
  "weir-topic": z.string(),
  "weir-partition": z.string().regex(/^\d+$/),
  "weir-offset": z.string().regex(/^\d+$/),
  "weir-lane": z.enum(lanes),
  "weir-attempts": z.string().regex(/^\d+$/).describe("how often the event was put off before it was given up"),
  "weir-sha256": z.string().describe("of the value"),
  "weir-bytes": z.string().regex(/^\d+$/).describe("of the record; more than the value has when it was cut"),
  "weir-failed-at": z.string().describe("RFC 3339"),
  "weir-key": z.string().optional().describe("key of a record that is no event"),
  "weir-key-base64": z.string().optional().describe("as weir-key, of a key that is no UTF-8"),
});
export type DeadLetterHeaders = z.infer<typeof DeadLetterHeaders>;
