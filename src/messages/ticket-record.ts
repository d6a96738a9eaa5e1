import { z } from "zod";
import { lanes } from "./lane.ts";
import { Ticket } from "./ticket.ts";

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
