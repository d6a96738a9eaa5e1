import { timestamp } from "../../kernel/clock.ts";
import { runAll } from "../../kernel/run-all.ts";
import { sha256 } from "../../kernel/sha256.ts";
import type { GroupConsumer, Publisher, StreamRecord } from "../../kernel/stream.ts";
import { ticketBytes, valueBytes } from "../answers/retained-bytes.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import type { LaneBounds } from "../offsets/lane-bounds.ts";
import { OffsetTracker } from "../offsets/offset-tracker.ts";
import type { PartitionNow } from "../ports.ts";
import type { Gate } from "../rate-limit/gate/gate.ts";
import { isPastDeadline } from "../screening/overdue-grace.ts";
import { screening } from "../screening/screener.ts";
import type { ScreenDeps } from "../screening/screening-task.ts";
import { GroupLoop, type GroupLoopDeps } from "./group-loop.ts";
import { MalformedLog } from "./records/malformed-log.ts";
import { OwnRecord } from "./records/own-record.ts";
import { readEventRecord } from "./records/read-event.ts";
import { readTicketRecord, type TicketRead } from "./records/read-ticket.ts";
import { UnreadLog } from "./records/unread-log.ts";
import { maxDelayMs, type Tier } from "./tiers.ts";
import { UntilDue } from "./until-due.ts";

export interface GroupsDeps
  extends ScreenDeps,
    Pick<GroupLoopDeps, "intake" | "laneOf" | "log" | "stop" | "drainMs" | "stuckMs" | "headStuckMs"> {
  readonly gate: Gate;
  readonly pool: ScreenDeps["pool"] & Pick<PoisoningBatcher, "waiting">;
  /** Members of the two groups: of those who read the input topics, and of those who read the retry topics. */
  readonly events: GroupConsumer;
  readonly retries: GroupConsumer;
  readonly publisher: Publisher & { readonly obstacle: string | undefined };
  readonly deadLetters: string;
  /** Tickets of one tier that this process holds until they are due, and are answered. */
  readonly ticketBounds?: LaneBounds;
  /** Told of the two groups' loops, to be looked at. */
  readonly onBegun: (events: GroupLoop, retries: GroupLoop<Tier>) => void;
  /** Which tier a retry topic is. */
  readonly tierOf: (topic: string) => Tier;
}

/** Those of one tier must not keep another's from being read. */
const TICKETS: LaneBounds = { events: 5_000, span: 10_000, bytes: 32 * 1024 * 1024 };

/**
 * Runs a worker on topics, until `stop`: screens what comes in, and what its tickets bring back.
 *
 * @throws {ConsumerDeadError | WorkerStuckError} or a bug; then both groups have been left.
 */
export function runGroups(deps: GroupsDeps): Promise<void> {
  return runAll(deps.stop, (stop) => begin(deps, stop));
}

function begin(deps: GroupsDeps, stop: AbortSignal): readonly Promise<void>[] {
  const { intake, laneOf, clock, log, drainMs, stuckMs, headStuckMs, gate, pool, ticketBounds = TICKETS } = deps;
  const isClosed = () => gate.closed !== undefined;
  // Where a quota is small, an event may wait in line for hours while later ones of other tenants or checks are settled.
  const isQueued = () => gate.isQueued || pool.waiting > 0;
  const obstacle = () => deps.publisher.obstacle;
  const shared = { clock, log, stop, drainMs, stuckMs, headStuckMs, isQueued, obstacle };
  const screen = screening(deps);
  const unread = new UnreadLog(log);
  const malformed = new MalformedLog(log);
  /** Tickets whose time has come, and that are worked on. */
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
  /** The record is no parameter of what waits: that keeps what it is called with. */
  const bringBackLater = async (own: OwnRecord, isOurs: () => boolean, wait: Promise<void>): Promise<void> => {
    await wait;
    const ticket = readTicketRecord(own, isOurs);
    await workOn(ticket === undefined ? giveUp(own, deps) : goOn(ticket));
  };
  const goOn = ({ record, restMs, question }: TicketRead): Promise<void> => {
    if (restMs === 0) return screen(record);
    // Another process has it by now, and lets it wait on.
    if (!record.isOurs()) return Promise.resolve();
    // A duration, since a wall clock may be set in between.
    return deps.tickets.put({ ...record.ticket, due_at: clock.now() + restMs }, record, question);
  };
  const bringBack = (record: StreamRecord, tier: Tier, { isOurs }: PartitionNow): Promise<void> => {
    const ticket = readTicketRecord(record, isOurs);
    if (ticket === undefined) return workOn(giveUp(new OwnRecord(record), deps));
    // By a wall clock that was set back since it would wait as long as that.
    const waitMs = Math.min(ticket.dueAt - clock.now(), maxDelayMs(tier));
    if (waitMs <= 0) return workOn(goOn(ticket));
    const wait = untilDue.wait(waitMs, ticket.record.lane === "realtime");
    return bringBackLater(new OwnRecord(record), isOurs, wait);
  };
  const events = new GroupLoop({
    ...shared,
    consumer: deps.events,
    intake,
    laneOf,
    work: (record, lane, place) => {
      const read = readEventRecord(record, lane, { place, onStrays: (strays) => unread.add(strays, record) });
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
    // A ticket that waits for its time is no sign of a fault.
    isHeld: () => isClosed() || due === 0,
    work: bringBack,
    heldBytes: ticketBytes,
  });
  deps.onBegun(events, retries);
  return [events.run(), retries.run(), malformed.run(clock, stop)];
}

/** Keeps what is no ticket for an operator: an event may be in it that has no verdict yet. */
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
