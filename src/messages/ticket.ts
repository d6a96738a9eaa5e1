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
    revision: z.number().int().min(0).describe("of the verdict to come"),
    attempt: z.number().int().min(1).describe("how often it was put off, this time included"),
    failures: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe("of those times, how often a failure was among the reasons; absent in tickets of earlier versions"),
    first_seen_at: z.number().int().describe("Unix milliseconds"),
    due_at: z.number().int().describe("Unix milliseconds"),
    deadline_at: z
      .number()
      .int()
      .optional()
      .describe("Unix milliseconds at which the event is UNKNOWN for the time being; absent where it can wait"),
    checks: z.array(CheckEntry).describe("answered so far"),
  })
  .meta({ id: "Ticket" });
export type Ticket = z.infer<typeof Ticket>;

/** A retry ticket in a retry topic, with the record that it brings back and the lane of that record. */
export const TicketRecord = Ticket.extend({
  record: z.base64().describe("the event's bytes"),
  default_id: z.string().describe("id of an event that brings none of its own"),
  lane: z.enum(lanes),
  rest_ms: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("milliseconds to wait beyond due_at, on a further retry topic; absent: none"),
  question: z.string().optional().describe("key of the record; with rest_ms only"),
}).meta({ id: "TicketRecord" });
export type TicketRecord = z.infer<typeof TicketRecord>;
