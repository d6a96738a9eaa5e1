import type { Clock } from "../../../kernel/clock.ts";
import type { Publisher } from "../../../kernel/stream.ts";
import type { Ticket, TicketRecord } from "../../../messages/ticket.ts";
import type { InputRecord, TicketSink } from "../../ports.ts";
import { MAX_DELAY_MS, type Tier, tierOf } from "../tiers.ts";

export interface TicketsDeps {
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly topics: Readonly<Record<Tier, string>>;
  readonly maxRecordBytes: number;
}

/**
 * Writes retry tickets to the retry topic of their delay. The key is the open question, so that all events that wait
 * for one answer meet in one partition.
 */
export class TicketPublisher implements TicketSink {
  readonly comesFirst = true;
  readonly #deps: TicketsDeps;

  constructor(deps: TicketsDeps) {
    this.#deps = deps;
  }

  async put(ticket: Ticket, record: InputRecord, question: string): Promise<void> {
    const { publisher, clock, topics, maxRecordBytes } = this.#deps;
    const now = clock.now();
    const dueAt = Math.min(ticket.due_at, now + MAX_DELAY_MS);
    const restMs = ticket.due_at - dueAt;
    const full: TicketRecord = {
      ...ticket,
      due_at: dueAt,
      ...(restMs > 0 ? { rest_ms: restMs, question } : { rest_ms: undefined, question: undefined }),
      record: Buffer.from(record.bytes).toString("base64"),
      default_id: record.defaultId,
      lane: record.lane ?? "backfill",
    };
    await publisher.publish({
      topic: topics[tierOf(dueAt - now)],
      key: question,
      value: encoded(full, maxRecordBytes),
      headers: record.headers ?? {},
    });
  }
}

/** The event matters more than the answers so far. If both do not fit, the answers are dropped and asked again. */
function encoded(ticket: TicketRecord, maxBytes: number): Uint8Array {
  const value = Buffer.from(JSON.stringify(ticket));
  return value.byteLength <= maxBytes ? value : Buffer.from(JSON.stringify({ ...ticket, checks: [] }));
}
