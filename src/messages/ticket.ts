import { z } from "zod";
import { lanes } from "./lane.ts";
import { CheckEntry, Source } from "./verdict.ts";

/** Raised when a field changes its meaning. */
export const TICKET_SCHEMA = "weir.ticket/1";

/** The most retries of an event after failures. Source: docs/decisions/0006-pacing.md. */
export const MAX_FAILURES = 10;
/** The longest time of retrying an event, whatever the reason, milliseconds. */
export const MAX_TICKET_AGE_MS = 86_400_000;

/** A durable record for a later retry of an event, with the answers received up to now. */
export const Ticket = z
  .object({
    schema: z.literal(TICKET_SCHEMA),
    verdict_id: z.string(),
    source: Source,
    revision: z.number().int().min(0).describe("Revision of the coming verdict."),
    attempt: z.number().int().min(1).describe("Number of retry tickets of the event, with this one."),
    failures: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe("Number of these tickets with a failure among the reasons. Absent in tickets of earlier versions."),
    first_seen_at: z.number().int().describe("Time when Weir first read the event, in Unix milliseconds."),
    due_at: z.number().int().describe("Time when the ticket is due, in Unix milliseconds."),
    deadline_at: z
      .number()
      .int()
      .optional()
      .describe(
        "Deadline in Unix milliseconds, at which the event gets a provisional UNKNOWN verdict. Absent where the event can wait.",
      ),
    checks: z.array(CheckEntry).describe("Checks that have an answer."),
  })
  .meta({ id: "Ticket" });
export type Ticket = z.infer<typeof Ticket>;

/** A retry ticket in a retry topic, with the record that it brings back and the lane of that record. */
export const TicketRecord = Ticket.extend({
  record: z.base64().describe("Bytes of the event."),
  default_id: z.string().describe("Id that Weir gives an event without one."),
  lane: z.enum(lanes),
  rest_ms: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Milliseconds to wait after due_at, on a further retry topic. Absent without a further wait."),
  question: z.string().optional().describe("Key of the record. Present with rest_ms only."),
}).meta({ id: "TicketRecord" });
export type TicketRecord = z.infer<typeof TicketRecord>;
