import { runAll } from "../../kernel/async.ts";
import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/hash.ts";
import type { GroupConsumer, Publisher, StreamRecord } from "../../kernel/stream.ts";
import type { OnStrays } from "../../messages/unread/stray-address.ts";
import { ticketBytes, valueBytes } from "../answers/retained-bytes.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import type { LaneBounds } from "../offsets/lane-bounds.ts";
import { OffsetTracker } from "../offsets/offset-tracker.ts";
import type { PartitionNow, RecordDecoder } from "../ports.ts";
import type { Gate } from "../rate-limit/gate/gate.ts";
import { isPastDeadline } from "../screening/overdue-grace.ts";
import { screening } from "../screening/screener.ts";
import type { ScreenDeps } from "../screening/screening-task.ts";
import { GroupLoop, type GroupLoopDeps } from "./group-loop.ts";
import { decodedTicket, isUndecoded } from "./records/decoded-ticket.ts";
import { MalformedLog } from "./records/malformed-log.ts";
import { OwnRecord } from "./records/own-record.ts";
import { type EventMapping, readEventRecord } from "./records/read-event.ts";
import { readTicketRecord, type TicketRead } from "./records/read-ticket.ts";
import { UnreadLog } from "./records/unread-log.ts";
import { maxDelayMs, type Tier } from "./tiers.ts";
import { UntilDue } from "./until-due.ts";

export interface GroupsDeps
  extends ScreenDeps,
    Pick<GroupLoopDeps, "intake" | "laneOf" | "log" | "stop" | "drainMs" | "stuckMs" | "headStuckMs"> {
  readonly gate: Gate;
  readonly pool: ScreenDeps["pool"] & Pick<PoisoningBatcher, "waiting">;
  /** Members of the two consumer groups: `events` reads the input topics, and `retries` reads the retry topics. */
  readonly events: GroupConsumer;
  readonly retries: GroupConsumer;
  /** Reads input records of another format than JSON. Absent where all are JSON. */
  readonly decoder?: RecordDecoder;
  readonly publisher: Publisher & { readonly obstacle: string | undefined };
  readonly deadLetters: string;
  /** Fills the fields of events from other JSON, for all input topics. */
  readonly mapping?: EventMapping | undefined;
  /**
   * Limits of the retry tickets of one tier that this process holds. A ticket is held until it is due and its event is
   * answered.
   */
  readonly ticketBounds?: LaneBounds;
  /** Called with the loops of the two groups, for observation. */
  readonly onBegun: (events: GroupLoop, retries: GroupLoop<Tier>) => void;
  /** The tier of a retry topic. */
  readonly tierOf: (topic: string) => Tier;
}

/** Limits per tier, so that the tickets of one tier do not block those of another. */
const TICKETS: LaneBounds = { events: 5_000, span: 10_000, bytes: 32 * 1024 * 1024 };

/**
 * Runs a worker on topics until `stop`: screens the input events, and the events that retry tickets bring back.
 *
 * @throws {ConsumerDeadError | WorkerStuckError} or a bug. Both groups have been left by then.
 */
export function runGroups(deps: GroupsDeps): Promise<void> {
  return runAll(deps.stop, (stop) => begin(deps, stop));
}

function begin(deps: GroupsDeps, stop: AbortSignal): readonly Promise<void>[] {
  const {
    intake,
    laneOf,
    clock,
    log,
    drainMs,
    stuckMs,
    headStuckMs,
    gate,
    pool,
    ticketBounds = TICKETS,
    decoder,
  } = deps;
  const isClosed = () => gate.closed !== undefined;
  // With a small quota, an event may be queued for hours. Later events of other tenants or checks are completed
  // meanwhile.
  const isQueued = () => gate.isQueued || pool.waiting > 0;
  const obstacle = () => deps.publisher.obstacle;
  const shared = { clock, log, stop, drainMs, stuckMs, headStuckMs, isQueued, obstacle };
  const screen = screening(deps);
  const unread = new UnreadLog(log);
  const malformed = new MalformedLog(log);
  /** Number of retry tickets that are due and in flight. */
  let due = 0;
  const untilDue = new UntilDue(clock, gate.silence, stop);
  const workOn = async (work: Promise<void>): Promise<void> => {
    due++;
    try {
      await work;
    } finally {
      due--;
    }
  };
  /** The original record is no parameter. A pending async function would keep its buffer in memory. */
  const bringBackLater = async (own: OwnRecord, isOurs: () => boolean, wait: Promise<void>): Promise<void> => {
    await wait;
    const ticket = readTicketRecord(own, isOurs, deps.mapping);
    await workOn(ticket === undefined ? giveUp(own, deps) : goOn(await decodedTicket(ticket, deps.decoder)));
  };
  const goOn = ({ record, restMs, question }: TicketRead): Promise<void> => {
    if (restMs === 0) return screen(record);
    // Another process owns the record by now, and lets it go on waiting.
    if (!record.isOurs()) return Promise.resolve();
    // A duration is used, since the wall clock may be set in between.
    return deps.tickets.put({ ...record.ticket, due_at: clock.now() + restMs }, record, question);
  };
  const bringBack = (record: StreamRecord, tier: Tier, { isOurs }: PartitionNow): Promise<void> => {
    const ticket = readTicketRecord(record, isOurs, deps.mapping);
    if (ticket === undefined) return workOn(giveUp(new OwnRecord(record), deps));
    // If the wall clock was set back, the wait would be longer by that much.
    const waitMs = Math.min(ticket.dueAt - clock.now(), maxDelayMs(tier));
    if (waitMs <= 0 && !isUndecoded(ticket, deps.decoder)) return workOn(goOn(ticket));
    const wait = untilDue.wait(Math.max(0, waitMs), ticket.record.lane === "realtime");
    return bringBackLater(new OwnRecord(record), isOurs, wait);
  };
  const events = new GroupLoop({
    ...shared,
    consumer: deps.events,
    intake,
    laneOf,
    ...(decoder === undefined ? {} : { prepare: (records) => decoder.prepare(records) }),
    work: (encoded, lane, place) => {
      const record = decoder?.decode(encoded) ?? encoded;
      const onStrays: OnStrays = (strays) => unread.add(strays, record);
      const read = readEventRecord(record, lane, { place, onStrays, mapping: deps.mapping });
      if (!read.event.ok) malformed.add(read.event.detail, record);
      return screen(read);
    },
    heldBytes: valueBytes,
    isOverdue: (lane, writtenAt, now) => lane === "realtime" && isPastDeadline(writtenAt, now, deps.deadlineMs),
    isHeld: isClosed,
  });
  const retries = new GroupLoop<Tier>({
    ...shared,
    consumer: deps.retries,
    intake: new OffsetTracker<Tier>({ "10s": ticketBounds, "1m": ticketBounds, "10m": ticketBounds }),
    laneOf: deps.tierOf,
    // A retry ticket that is not due yet is no sign of a fault.
    isHeld: () => isClosed() || due === 0,
    work: bringBack,
    heldBytes: ticketBytes,
  });
  deps.onBegun(events, retries);
  return [events.run(), retries.run(), malformed.run(clock, stop)];
}

/** Keeps an unreadable retry ticket for an operator, since it may hold an event that has no verdict yet. */
async function giveUp(record: StreamRecord, deps: GroupsDeps): Promise<void> {
  const { topic, partition, offset } = record;
  const what =
    "a record of a retry topic is no ticket: it is a dead letter now, and weir replay tries to read it again";
  deps.log.error(what, { topic, partition, offset });
  await deps.publisher.publish(unreadable(record, deps));
}

function unreadable(
  { topic, partition, offset, value, headers }: StreamRecord,
  { deadLetters, clock, maxVerdictBytes }: GroupsDeps,
) {
  const bytes = value ?? new Uint8Array();
  return {
    topic: deadLetters,
    key: sha256(bytes),
    value: bytes.subarray(0, maxVerdictBytes),
    headers: {
      ...headers,
      "weir-reasons": "TICKET_UNREADABLE",
      "weir-topic": topic,
      "weir-partition": String(partition),
      "weir-offset": String(offset),
      "weir-sha256": sha256(bytes),
      "weir-failed-at": timestamp(clock.now()),
    },
  };
}
