import { z } from "zod";

/** Raised when a field changes its meaning. */
const SCHEMA = "weir.quota-statement/1";

/** The longest statement, bytes. A longer record is no statement of Weir. */
const MAX_BYTES = 2_048;

/**
 * The state of a process that sends requests to the service. Each process publishes it on the control topic every 2 s.
 * Its times are from its own clock, and no other process relies on them.
 */
const QuotaStatement = z.object({
  schema: z.literal(SCHEMA),
  member: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "must be an id of letters, digits and dashes"),
  key: z.string().regex(/^[0-9a-f-]{1,64}$/, "must be a mark as `keyMark` makes it"),
  sequence: z.number().int().min(1).describe("Sequence number, which grows with each statement of a member."),
  demand: z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .describe("Wanted requests per second. null means as many as possible."),
  weight: z.number().min(0.01).max(1_000).describe("Weight of the member."),
  quota: z
    .object({ requests: z.number().int().min(1), window_ms: z.number().int().min(1) })
    .describe("Quota that the member was given for all members."),
  refused: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Number of 429 answers since the member started. Absent when unknown."),
  leaves: z.boolean().describe("Whether the member ends and its share becomes free."),
  sent_at: z.number().int().describe("Time in Unix milliseconds by the clock of the member, for human readers."),
});
export type QuotaStatement = z.infer<typeof QuotaStatement>;

/** The statement as the value of a record. */
export function statementBytes(statement: Omit<QuotaStatement, "schema">): Uint8Array {
  return Buffer.from(JSON.stringify({ schema: SCHEMA, ...statement }));
}

/** Reads a statement. Undefined for any other record of the topic. */
export function readStatement(value: Uint8Array | undefined): QuotaStatement | undefined {
  if (value === undefined || value.byteLength > MAX_BYTES) return undefined;
  try {
    return QuotaStatement.safeParse(JSON.parse(Buffer.from(value).toString("utf8"))).data;
  } catch {
    // A record that is no JSON is no statement; any writer of the topic may write anything.
    return undefined;
  }
}
