import type { ScreeningEvent } from "../../messages/event.ts";
import type { InputRecord } from "../ports.ts";
import { jsonSize } from "./json-size.ts";

/**
 * Estimated memory for work on a record: a constant, and a multiple of the record's size. The multiple covers the
 * record as it arrived and as it was parsed. The estimate is large enough for nearly every record, and exact for none.
 * Measured: an event of 170 bytes holds 720 bytes before its first question. Events of 3 to 45 kB hold 1.1 to 2.7 times
 * their size. An event from a file, which does not keep its raw bytes, holds 250 bytes, or 800 to 1,000 with a ticket.
 * With 500 to 5,500 users it holds 1.7 times its line. Tickets of 0.6 to 72 kB hold 3.2 to 4.8 times their size,
 * because they also contain the event as text.
 */
const EVENT = { beside: 1_024, copies: 3 } as const;
const TICKET = { beside: 2_048, copies: 5 } as const;
/**
 * Memory for each piece of an event beside its text, once the event is parsed and planned, bytes. Many short pieces
 * hold a larger multiple of their line than any long piece. Measured: 10,000 users of four characters hold 5.8 times
 * their line, 9,500 `{}` in a `ref` hold 21 times, and as many fields of one object hold 5.5 times.
 */
const PIECE = { user: 40, other: 64 } as const;
/** The pieces of an ordinary event or answer, which the other estimates already include. */
const ORDINARY_PIECES = 16;
const NOTHING = new Uint8Array();
/** Measured: answers of 0.1 to 54 kB as JSON hold 0.8 to 1.5 times their size. */
const ANSWER_COPIES = 2;

/**
 * Estimated memory of an event in work, bytes.
 *
 * @param sizeBytes Size of the event's record, bytes.
 */
export function eventBytes(sizeBytes: number): number {
  return EVENT.beside + EVENT.copies * sizeBytes;
}

/**
 * Estimated memory of an unparsed event, bytes. The event may consist of many small pieces.
 *
 * @param value The record as it arrived.
 */
export function valueBytes(value: Uint8Array = NOTHING): number {
  return countedBytes(value, EVENT);
}

/** Estimated memory of an unparsed ticket once it is parsed, bytes. A waiting ticket holds less. */
export function ticketBytes(value: Uint8Array = NOTHING): number {
  return countedBytes(value, TICKET);
}

function countedBytes(value: Uint8Array, { beside, copies }: typeof EVENT | typeof TICKET): number {
  return beside + byPieces(copies, value.byteLength, piecesBefore(value));
}

/** A multiple of the length, or the length plus its pieces if there are many small pieces. */
function byPieces(copies: number, length: number, pieces: number): number {
  return Math.max(copies * length, length + PIECE.other * (pieces - ORDINARY_PIECES));
}

/**
 * Counts the characters that begin another piece. Within a text they are counted too, which only raises the estimate.
 */
function piecesBefore(value: Uint8Array): number {
  let pieces = 0;
  for (let i = 0; i < value.length; i++) {
    const c = value[i];
    if (c === 0x2c || c === 0x5b || c === 0x7b) pieces++;
  }
  return pieces;
}

/** Estimated memory of a parsed record, bytes. */
export function recordBytes(record: Pick<InputRecord, "event" | "bytes" | "sizeBytes">): number {
  const { event } = record;
  // A default value in the destructuring above would read bytes that may have been released.
  const sizeBytes = record.sizeBytes ?? record.bytes.byteLength;
  if (!event.ok) return eventBytes(sizeBytes);
  return Math.max(eventBytes(sizeBytes), EVENT.beside + sizeBytes + pieceBytes(event.value));
}

/** Nearly every event has few users and no transaction, and then nothing has to be counted. */
function pieceBytes(event: ScreeningEvent): number {
  const { user_addresses, ref } = event;
  const users = user_addresses === undefined ? 0 : user_addresses.length;
  const others =
    (ref === undefined ? 0 : jsonSize(ref).pieces) +
    (event.type === "transaction" ? jsonSize(event.transaction).pieces : 0);
  return PIECE.user * users + PIECE.other * others;
}

/** Estimated memory of one or several answers, bytes. The whole answer is traversed. */
export function answerBytes(answer: unknown): number {
  const { characters, pieces } = jsonSize(answer);
  return byPieces(ANSWER_COPIES, characters, pieces);
}
