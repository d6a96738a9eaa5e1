import { parseExact } from "../../../kernel/json.ts";
import type { Result } from "../../../kernel/result.ts";
import type { RecordHeaders, StreamRecord } from "../../../kernel/stream.ts";
import type { ScreeningEvent } from "../../../messages/event.ts";
import type { Lane } from "../../../messages/lane.ts";
import { parseEvent } from "../../../messages/parse-event.ts";
import { TicketRecord } from "../../../messages/ticket.ts";
import { CheckEntry, type Source } from "../../../messages/verdict.ts";
import type { InputRecord } from "../../ports.ts";
import type { EventMapping } from "./read-event.ts";

const ANYBODYS = () => true;
const NO_LINE = 0;

/** A record of a retry topic. */
export interface TicketRead {
  /** The event that the retry ticket brings back. */
  readonly record: BroughtBack;
  /** Unix milliseconds. */
  readonly dueAt: number;
  /** Wait after `dueAt`, milliseconds. */
  readonly restMs: number;
  /** The question that the event waits for. */
  readonly question: string;
}

/** @returns undefined for a record that is no retry ticket. */
export function readTicketRecord(
  { value, headers }: StreamRecord,
  isOurs: () => boolean = ANYBODYS,
  mapping?: EventMapping,
): TicketRead | undefined {
  const ticket = ticketIn(value);
  if (ticket === undefined) return undefined;
  const { due_at: dueAt, rest_ms: restMs = 0, question = ticket.verdict_id } = ticket;
  return { record: new BroughtBack(ticket, { headers, isOurs, mapping }), dueAt, restMs, question };
}

/** An event that a retry ticket brings back. Its bytes are created on demand. A stored buffer would keep a whole chunk of Node's buffer pool in memory. */
export class BroughtBack implements InputRecord {
  readonly event: Result<ScreeningEvent>;
  readonly ticket: TicketRecord;
  readonly headers: RecordHeaders;
  readonly isOurs: () => boolean;
  readonly mapping: EventMapping | undefined;
  verdictId: string | undefined;
  readonly #isMapped: boolean;

  constructor(ticket: TicketRecord, { headers, isOurs, mapping }: Pick<BroughtBack, "headers" | "isOurs" | "mapping">) {
    this.ticket = ticket;
    this.headers = headers;
    this.isOurs = isOurs;
    this.mapping = mapping;
    this.verdictId = ticket.verdict_id;
    const { bytes } = this;
    const event = parseEvent(bytes);
    // A replayed dead letter may hold a record that the mapping of its time did not fit.
    this.event = event.ok || mapping === undefined ? event : mapping.event(bytes, NO_LINE, undefined);
    this.#isMapped = event !== this.event;
  }

  get source(): Source {
    return this.ticket.source;
  }

  get defaultId(): string {
    return this.ticket.default_id;
  }

  get bytes(): Uint8Array {
    if (this.#isMapped && this.event.ok) return Buffer.from(JSON.stringify(this.event.value));
    return Buffer.from(this.ticket.record, "base64");
  }

  get revision(): number {
    return this.ticket.revision;
  }

  get lane(): Lane {
    return this.ticket.lane;
  }
}

/** Reads the value of a record of a retry topic; undefined if it is no retry ticket. */
export function ticketIn(value: Uint8Array | undefined): TicketRecord | undefined {
  try {
    const parsed = TicketRecord.safeParse(withReadableChecks(parseExact(Buffer.from(value ?? []).toString("utf8"))));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Drops answers that another version of Weir wrote and this version cannot read. Their questions are asked again. */
function withReadableChecks(ticket: unknown): unknown {
  if (typeof ticket !== "object" || ticket === null) return ticket;
  const checks: unknown = Reflect.get(ticket, "checks");
  if (!Array.isArray(checks)) return ticket;
  return { ...ticket, checks: checks.filter((entry) => CheckEntry.safeParse(entry).success) };
}
