import { parseEvent } from "../../events/event.ts";
import { TicketRecord } from "../../events/ticket-record.ts";
import { CheckEntry } from "../../events/verdict.ts";
import { parseExact } from "../../kernel/json.ts";
import type { StreamRecord } from "../../kernel/stream.ts";
import type { InputRecord } from "../ports.ts";

/** A record of a retry topic: the event that it brings back, and when it is due (Unix milliseconds); undefined for what is no ticket. */
export function readTicketRecord({
  value,
  headers,
}: StreamRecord): { readonly record: InputRecord; readonly dueAt: number } | undefined {
  const ticket = ticketIn(value);
  if (ticket === undefined) return undefined;
  const bytes = Buffer.from(ticket.record, "base64");
  const record = {
    source: ticket.source,
    defaultId: ticket.default_id,
    bytes,
    event: parseEvent(bytes),
    revision: ticket.revision,
    lane: ticket.lane,
    headers,
    verdictId: ticket.verdict_id,
    ticket,
  };
  return { record, dueAt: ticket.due_at };
}

/** A record of a retry topic as it stands there; undefined for what is no ticket. */
export function ticketIn(value: Uint8Array | undefined): TicketRecord | undefined {
  try {
    const parsed = TicketRecord.safeParse(withReadableChecks(parseExact(Buffer.from(value ?? []).toString("utf8"))));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Without the answers that another version of Weir wrote and this one cannot read: they are asked for again. */
function withReadableChecks(ticket: unknown): unknown {
  if (typeof ticket !== "object" || ticket === null) return ticket;
  const checks: unknown = Reflect.get(ticket, "checks");
  if (!Array.isArray(checks)) return ticket;
  return { ...ticket, checks: checks.filter((entry) => CheckEntry.safeParse(entry).success) };
}
