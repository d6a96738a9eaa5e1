import type { StreamRecord } from "../../kernel/stream.ts";

/**
 * What work on a record holds: so many bytes beside its value, and so many times that, as it came and as it was read. It is
 * to be enough for nearly every record, and is no measure of any. Measured: an event of 170 bytes holds 720 before anything
 * is asked about it, those of 3 to 45 kB hold 1.1 to 2.7 times that; tickets of 0.6 to 72 kB hold 3.2 to 4.8 times that,
 * since the event is in there as a text, too.
 */
const EVENT = { beside: 1_024, copies: 3 } as const;
const TICKET = { beside: 2_048, copies: 5 } as const;

/** What an event in work holds, bytes. */
export function eventBytes({ value }: StreamRecord): number {
  return EVENT.beside + EVENT.copies * (value?.byteLength ?? 0);
}

/** What a ticket holds once it is read, bytes; while it waits, it is less. */
export function ticketBytes({ value }: StreamRecord): number {
  return TICKET.beside + TICKET.copies * (value?.byteLength ?? 0);
}
