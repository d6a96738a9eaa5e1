import type { ScreeningEvent } from "../../messages/event.ts";
import type { InputRecord } from "../ports.ts";
import { jsonSize } from "./json-size.ts";

/**
 * What work on a record holds: so many bytes beside those that it came in, and so many times these, as it came and as it was
 * read. It is to be enough for nearly every record, and is no measure of any. Measured: an event of 170 bytes holds 720
 * before anything is asked about it, those of 3 to 45 kB hold 1.1 to 2.7 times that. An event of a file, which does not keep
 * what it came as, holds 250 bytes, 800 to 1,000 with a ticket, and with 500 to 5,500 users 1.7 times its line.
 * Tickets of 0.6 to 72 kB hold 3.2 to 4.8 times that, since the event is in there as a text, too.
 */
const EVENT = { beside: 1_024, copies: 3 } as const;
const TICKET = { beside: 2_048, copies: 5 } as const;
/**
 * What each piece of an event holds beside its text, once it was read and planned: many short ones hold more times their
 * line than any that is longer. Measured: 10,000 users of four characters hold 5.8 times it, 9,500 `{}` in a `ref` 21 times,
 * as many fields of one object 5.5 times.
 */
const PIECE = { user: 40, other: 64 } as const;
/** Of an event's own fields, or an answer's, which are counted with it. */
const ORDINARY_PIECES = 16;
const NOTHING = new Uint8Array();
/** Measured: answers of 0.1 to 54 kB as JSON hold 0.8 to 1.5 times that. */
const ANSWER_COPIES = 2;

/** What an event in work holds, bytes. @param sizeBytes of the record that it came in. */
export function eventBytes(sizeBytes: number): number {
  return EVENT.beside + EVENT.copies * sizeBytes;
}

/** The same of one that has yet to be read, which may be of many small pieces. @param value as it came. */
export function valueBytes(value: Uint8Array = NOTHING): number {
  return countedBytes(value, EVENT);
}

/** What a ticket that has yet to be read holds once it is, bytes; while it waits, it is less. */
export function ticketBytes(value: Uint8Array = NOTHING): number {
  return countedBytes(value, TICKET);
}

function countedBytes(value: Uint8Array, { beside, copies }: typeof EVENT | typeof TICKET): number {
  return beside + byPieces(copies, value.byteLength, piecesBefore(value));
}

/** So many times the length, or the length and its pieces, where there are many and small ones. */
function byPieces(copies: number, length: number, pieces: number): number {
  return Math.max(copies * length, length + PIECE.other * (pieces - ORDINARY_PIECES));
}

/** What begins another piece: also within a text, where it counts for nothing. */
function piecesBefore(value: Uint8Array): number {
  let pieces = 0;
  for (let i = 0; i < value.length; i++) {
    const c = value[i];
    if (c === 0x2c || c === 0x5b || c === 0x7b) pieces++;
  }
  return pieces;
}

/** The same of one that was read. */
export function recordBytes(record: Pick<InputRecord, "event" | "bytes" | "sizeBytes">): number {
  const { event } = record;
  // Not by a default in the line above, which would ask for bytes that may have been let go.
  const sizeBytes = record.sizeBytes ?? record.bytes.byteLength;
  if (!event.ok) return eventBytes(sizeBytes);
  return Math.max(eventBytes(sizeBytes), EVENT.beside + sizeBytes + pieceBytes(event.value));
}

/** Nearly every event has neither many users nor a transaction: then there is nothing to be looked through. */
function pieceBytes(event: ScreeningEvent): number {
  const { user_addresses, ref } = event;
  const users = user_addresses === undefined ? 0 : user_addresses.length;
  const others =
    (ref === undefined ? 0 : jsonSize(ref).pieces) +
    (event.type === "transaction" ? jsonSize(event.transaction).pieces : 0);
  return PIECE.user * users + PIECE.other * others;
}

/** What an answer holds, or several do, bytes. It reads all of it. */
export function answerBytes(answer: unknown): number {
  const { characters, pieces } = jsonSize(answer);
  return byPieces(ANSWER_COPIES, characters, pieces);
}
