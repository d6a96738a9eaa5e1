import { unixMs } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/hash.ts";
import type { HeaderValue, OutRecord, RecordHeaders, StreamRecord } from "../../../kernel/stream.ts";
import { DeadLetterHeaders } from "../../../messages/dead-letter.ts";
import { RECORD_HEADERS } from "../../../messages/record-key.ts";
import { TICKET_SCHEMA, type TicketRecord } from "../../../messages/ticket.ts";
import { ticketIn } from "./read-ticket.ts";

/** A dead letter that can be replayed. */
export interface Letter {
  /** 64 hex digits. */
  readonly verdictId: string;
  /**
   * Revision of the verdict that was published with the dead letter. For an unreadable retry ticket: revision of the
   * verdict that was due.
   */
  readonly revision: number;
  /** Revision of the next verdict. */
  readonly nextRevision: number;
  /** Failure codes. */
  readonly reasons: readonly string[];
  /** Unix milliseconds. */
  readonly failedAt: number;
  readonly headers: DeadLetterHeaders;
  readonly bytes: Uint8Array;
  /** Headers that follow a request through many programs. */
  readonly traces: RecordHeaders;
}

/** Why a record of the dead-letter topic cannot be replayed, for operators. */
export const unfit = {
  ticket: "tickets that cannot be read (TICKET_UNREADABLE), by this version either",
  foreign: "no dead letters of Weir's",
  cut: "longer than a dead letter holds: the source named in their headers has them",
  altered: "not the bytes that their headers name",
  large: "too large for a ticket within RECORD_MAX_BYTES",
} as const;
export type Unfit = keyof typeof unfit;

const TICKET_UNREADABLE = "TICKET_UNREADABLE";

/** Reads a record of the dead-letter topic. @returns the letter, or why it cannot be replayed. */
export function readLetter({ headers, value }: StreamRecord): Letter | Unfit {
  if (headers["weir-reasons"] === TICKET_UNREADABLE) return letterOfTicket(headers, value);
  const read = DeadLetterHeaders.safeParse(headers);
  if (!read.success) return "foreign";
  const found = read.data;
  const bytes = value ?? new Uint8Array();
  const [revision, failedAt] = [Number(found["weir-revision"]), unixMs(found["weir-failed-at"])];
  if (
    !/^[0-9a-f]{64}$/.test(found["weir-verdict-id"]) ||
    !Number.isSafeInteger(revision + 1) ||
    Number.isNaN(failedAt)
  ) {
    return "foreign";
  }
  if (bytes.byteLength < Number(found["weir-bytes"])) return "cut";
  if (sha256(bytes) !== found["weir-sha256"]) return "altered";
  return {
    verdictId: found["weir-verdict-id"],
    revision,
    nextRevision: revision + 1,
    reasons: found["weir-reasons"].split(",").filter((code) => code !== ""),
    failedAt,
    headers: found,
    bytes,
    traces: tracesOf(headers),
  };
}

/**
 * Reads a retry ticket that no worker could read, for example one of a later version. Its event may have no verdict
 * yet.
 */
function letterOfTicket(headers: RecordHeaders, value: Uint8Array | undefined): Letter | Unfit {
  const ticket = ticketIn(value);
  const failedAt = unixMs(textOf(headers["weir-failed-at"]));
  if (ticket === undefined || !("topic" in ticket.source) || Number.isNaN(failedAt)) return "ticket";
  const { verdict_id: verdictId, revision, source, lane, default_id, attempt } = ticket;
  const bytes = Buffer.from(ticket.record, "base64");
  return {
    verdictId,
    revision,
    nextRevision: revision,
    reasons: [TICKET_UNREADABLE],
    failedAt,
    headers: {
      "weir-reasons": TICKET_UNREADABLE,
      "weir-verdict-id": verdictId,
      "weir-revision": String(revision),
      "weir-default-id": default_id,
      "weir-topic": source.topic,
      "weir-partition": String(source.partition),
      "weir-offset": source.offset,
      "weir-lane": lane,
      "weir-attempts": String(attempt),
      "weir-sha256": sha256(bytes),
      "weir-bytes": String(bytes.byteLength),
      "weir-failed-at": textOf(headers["weir-failed-at"]),
    },
    bytes,
    traces: tracesOf(headers),
  };
}

function textOf(header: HeaderValue | undefined): string {
  return typeof header === "string" ? header : "";
}

/** Headers that stay with the record: those that came with it, and its key. */
function tracesOf(headers: RecordHeaders): RecordHeaders {
  const isOfRecord = (name: string) => !name.startsWith("weir-") || RECORD_HEADERS.some((each) => each === name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isOfRecord(name)));
}

/**
 * Creates the retry ticket that brings a dead letter's event back at once, as the next revision of its verdict. All
 * questions are asked again, since no earlier answers are known.
 */
export function replayTicket({ verdictId, nextRevision, headers, bytes }: Letter, now: number): TicketRecord {
  return {
    schema: TICKET_SCHEMA,
    verdict_id: verdictId,
    source: {
      topic: headers["weir-topic"],
      partition: Number(headers["weir-partition"]),
      offset: headers["weir-offset"],
    },
    revision: nextRevision,
    attempt: 1,
    first_seen_at: now,
    due_at: now,
    checks: [],
    record: Buffer.from(bytes).toString("base64"),
    default_id: headers["weir-default-id"],
    lane: headers["weir-lane"],
  };
}

/** The record of the retry ticket; "large" when it would exceed `maxBytes`. */
export function replayRecord(
  letter: Letter,
  { topic, now, maxBytes }: { readonly topic: string; readonly now: number; readonly maxBytes: number },
): OutRecord<Uint8Array> | "large" {
  const value = Buffer.from(JSON.stringify(replayTicket(letter, now)));
  return value.byteLength > maxBytes ? "large" : { topic, key: letter.verdictId, value, headers: letter.traces };
}
