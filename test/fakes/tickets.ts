import { sha256 } from "../../src/kernel/hash.ts";
import type { Ticket } from "../../src/messages/ticket.ts";

/** The first ticket of the event on line `line` of events.ndjson; a test may change its fields. */
export function ticketOf(own: Partial<Ticket> = {}, line = 1): Ticket {
  const start = Date.UTC(2026, 0, 1);
  const { due_at = start + 60_000 } = own;
  return {
    schema: "weir.ticket/1",
    verdict_id: sha256(String(line)),
    source: { file: "events.ndjson", line },
    revision: 0,
    attempt: 1,
    first_seen_at: Math.min(start, due_at - 60_000),
    due_at,
    checks: [],
    ...own,
  };
}
