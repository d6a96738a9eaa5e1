import { DeadLetterHeaders } from "../../events/dead-letter.ts";
import { TICKET_SCHEMA } from "../../events/ticket.ts";
import type { TicketRecord } from "../../events/ticket-record.ts";
import { unixMs } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/sha256.ts";
import type { OutRecord, RecordHeaders, StreamRecord } from "../../kernel/stream.ts";

/** A dead letter that can be asked again. */
export interface Letter {
  /** 64 hex digits. */
  readonly verdictId: string;
  /** Of the verdict that went with it. */
  readonly revision: number;
  /** Failure codes. */
  readonly reasons: readonly string[];
  /** Unix milliseconds. */
  readonly failedAt: number;
  readonly headers: DeadLetterHeaders;
  readonly bytes: Uint8Array;
  /** Those that follow a request through many programs. */
  readonly traces: RecordHeaders;
}

/** Why a record of the dead-letter topic cannot be asked again; for people. */
export const unfit = {
  ticket: "tickets that could not be read (TICKET_UNREADABLE)",
  foreign: "no dead letters of Weir's",
  cut: "longer than a dead letter holds: the source named in their headers has them",
  altered: "not the bytes that their headers name",
  large: "too large for a ticket within RECORD_MAX_BYTES",
} as const;
export type Unfit = keyof typeof unfit;

/** A record of the dead-letter topic as a letter, or why it is none that can be asked again. */
export function readLetter({ headers, value }: StreamRecord): Letter | Unfit {
  if (headers["weir-reasons"] === "TICKET_UNREADABLE") return "ticket";
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
    reasons: found["weir-reasons"].split(",").filter((code) => code !== ""),
    failedAt,
    headers: found,
    bytes,
    traces: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("weir-"))),
  };
}

/**
 * The ticket that brings a letter's event back at once, as the next revision of the same verdict. It is asked as anew:
 * nothing that was answered is known any more.
 */
export function replayTicket({ verdictId, revision, headers, bytes }: Letter, now: number): TicketRecord {
  return {
    schema: TICKET_SCHEMA,
    verdict_id: verdictId,
    source: {
      topic: headers["weir-topic"],
      partition: Number(headers["weir-partition"]),
      offset: headers["weir-offset"],
    },
    revision: revision + 1,
    attempt: 1,
    first_seen_at: now,
    due_at: now,
    checks: [],
    record: Buffer.from(bytes).toString("base64"),
    default_id: headers["weir-default-id"],
    lane: headers["weir-lane"],
  };
}

/** The record that holds it; too large when it would be longer than a record may be. */
export function replayRecord(
  letter: Letter,
  { topic, now, maxBytes }: { readonly topic: string; readonly now: number; readonly maxBytes: number },
): OutRecord | "large" {
  const value = Buffer.from(JSON.stringify(replayTicket(letter, now)));
  return value.byteLength > maxBytes ? "large" : { topic, key: letter.verdictId, value, headers: letter.traces };
}
