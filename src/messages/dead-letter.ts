import { z } from "zod";
import { lanes } from "./lane.ts";
import { SCHEMA_HEADER } from "./record-key.ts";

/**
 * The headers of a dead letter. Its value is the record as it arrived. The headers give the reason for the missing
 * answer and the origin of the record. They also hold everything that a retry under the same verdict id and the next
 * revision needs.
 */
export const DeadLetterHeaders = z.object({
  "weir-reasons": z.string().describe("Failure codes, separated by commas."),
  "weir-verdict-id": z.string(),
  "weir-revision": z
    .string()
    .regex(/^\d+$/)
    .describe("Revision of the UNKNOWN verdict that belongs to the dead letter."),
  "weir-default-id": z.string().describe("Id that Weir gives an event without one."),
  "weir-topic": z.string(),
  "weir-partition": z.string().regex(/^\d+$/),
  "weir-offset": z.string().regex(/^\d+$/),
  "weir-lane": z.enum(lanes),
  "weir-attempts": z.string().regex(/^\d+$/).describe("Number of retry tickets of the event before its dead letter."),
  "weir-sha256": z.string().describe("SHA-256 of the value of the record."),
  "weir-bytes": z
    .string()
    .regex(/^\d+$/)
    .describe(
      "Bytes of the value of the record. Larger than the value of the dead letter when Weir shortened the value.",
    ),
  "weir-failed-at": z.string().describe("Time of the failure, in RFC 3339."),
  "weir-key": z.string().optional().describe("Key of a record that is no event."),
  [SCHEMA_HEADER]: z
    .string()
    .optional()
    .describe("Schema of a record that could not be decoded, where a header of the record named it."),
  "weir-key-base64": z.string().optional().describe("Key of a record that is no event, for a key that is not UTF-8."),
});
export type DeadLetterHeaders = z.infer<typeof DeadLetterHeaders>;
