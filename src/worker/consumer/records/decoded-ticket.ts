import { SCHEMA_HEADER } from "../../../messages/record-key.ts";
import type { RecordDecoder } from "../../ports.ts";
import { BroughtBack, type TicketRead } from "./read-ticket.ts";

/**
 * Whether a ticket brings back a record that could not be decoded. Such a ticket comes from a replay: the record of any
 * other ticket is JSON.
 */
export function isUndecoded({ record }: TicketRead, decoder: RecordDecoder | undefined): boolean {
  return decoder !== undefined && !record.event.ok;
}

/** The ticket with its record as JSON, once its schema is at hand. A record that cannot be decoded stays as it is. */
export async function decodedTicket(ticket: TicketRead, decoder: RecordDecoder | undefined): Promise<TicketRead> {
  const { record } = ticket;
  if (decoder === undefined || record.event.ok) return ticket;
  const schema = record.headers[SCHEMA_HEADER];
  const encoded = {
    ...{ topic: "", partition: 0, offset: 0, timestamp: 0, headers: {}, value: record.bytes },
    ...(schema === undefined ? {} : { formatHeaders: { [SCHEMA_HEADER]: schema } }),
  };
  await decoder.prepare([encoded]);
  const { value, fault } = decoder.decode(encoded);
  if (fault !== undefined || value === undefined) return ticket;
  return {
    ...ticket,
    record: new BroughtBack({ ...record.ticket, record: Buffer.from(value).toString("base64") }, record),
  };
}
