import { recordBytes } from "../answers/retained-bytes.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import type { TicketBook } from "../checks/ticket-book.ts";
import type { OffsetTracker } from "../offsets/offset-tracker.ts";
import type { InputRecord } from "../ports.ts";
import { Screener } from "./screener.ts";
import type { ScreenDeps } from "./screening-task.ts";

export interface LoopDeps extends ScreenDeps {
  readonly pool: Pick<PoisoningBatcher, "ask" | "askFor" | "withdraw" | "expectMore" | "waiting">;
  readonly intake: OffsetTracker;
  readonly tickets: TicketBook;
  /** Aborts `signal`: events in flight cannot be written any more, so nothing waits for them. */
  readonly abort: (reason: unknown) => void;
}

/** The offset of a record, or the record itself if its ticket brought it back. */
type Place = number | InputRecord;

/** Limit of records from due tickets that are in flight at once. */
const MAX_BROUGHT_BACK = 1_000;
/** A file counts as one partition, which is read once. */
const TOPIC = "input";
const PARTITION = 0;
const EPOCH = 1;

/**
 * Reads records while there is room, screens them concurrently, and brings back records that were put off. Verdicts are
 * written as they arrive, so their order differs from the input.
 *
 * @param chunks Records in chunks as large as are available: to await each record costs as much as to read it.
 * @throws the first error of the input or the sink, or a bug, after everything in flight has ended.
 * @throws `signal.reason` when aborted.
 */
export async function runLoop(chunks: AsyncIterable<Iterable<InputRecord>>, deps: LoopDeps): Promise<void> {
  const { signal, intake, tickets, pool, gate, clock } = deps;
  let failure: { readonly thrown: unknown } | undefined;
  let offset = 0;
  let inFlight = 0;
  let broughtBack = 0;
  let isFull = false;
  let isEnded = false;
  /** A copy of the signal's state, which is slow to read for every record. */
  let isStopped = signal.aborted;
  /** Whether reading stops until there is room. */
  let isHeld = false;
  /** Created on demand, because most ends of events have no waiter. */
  let changed: PromiseWithResolvers<void> | undefined;
  const notify = () => {
    changed?.resolve();
    changed = undefined;
  };
  const change = () => {
    changed ??= Promise.withResolvers();
    return changed.promise;
  };
  const fail = (thrown: unknown) => {
    // An error that the abort causes adds nothing to the abort's reason.
    if (signal.aborted) return;
    failure ??= { thrown };
    deps.abort(thrown);
  };
  /** Only completed events make room. If all events in flight wait in the batcher, no further question can arrive. */
  const expect = () => pool.expectMore(inFlight > pool.waiting);
  /** The gate is held while verdicts wait to be written. When that ends, some events in work will complete. */
  const hasNoRoom = () => isFull || tickets.isFull || gate.isHeld;
  const watch = () => {
    const { pause, resume } = intake.changes();
    if (pause.length > 0) isFull = true;
    if (resume.length > 0) isFull = false;
  };
  /** @param place The offset of the record, or the record itself if its ticket has already completed the offset. */
  const settled = (place: Place) => {
    inFlight--;
    try {
      if (typeof place !== "number") {
        broughtBack--;
        tickets.release(place);
      } else {
        intake.settle({ topic: TOPIC, partition: PARTITION, offset: place, epoch: EPOCH });
        // A completed record never fills the tracker.
        if (isFull) watch();
      }
    } catch (thrown) {
      fail(thrown);
    }
    if (isEnded) expect();
    // Otherwise no waiter could react, and a wake-up per record costs as much as reading one.
    if (isEnded || isHeld || typeof place !== "number" || tickets.size + broughtBack > 0) notify();
  };
  const screener = new Screener<Place>(deps, {
    settled,
    failed: (place, thrown) => {
      fail(thrown);
      settled(place);
    },
  });
  const screen = (record: InputRecord, place: Place) => {
    inFlight++;
    screener.screen(record, place);
  };
  const read = async () => {
    for await (const records of chunks) {
      for (const record of records) {
        // A counter, not the line number: lines that need no verdict leave no gap.
        const bytes = recordBytes(record);
        intake.admit({ topic: TOPIC, partition: PARTITION, offset, epoch: EPOCH, bytes });
        screen(record, offset++);
        watch();
        if (hasNoRoom()) await room();
        if (isStopped) return;
      }
    }
  };
  const room = async () => {
    isHeld = true;
    while (hasNoRoom() && !isStopped) {
      expect();
      await change();
    }
    isHeld = false;
    if (!isStopped) pool.expectMore(true);
  };
  const bringBack = async () => {
    while (!signal.aborted && !(isEnded && inFlight === 0 && tickets.size === 0)) {
      // Records from tickets also use memory, but not in the offset tracker: their offsets are already completed.
      const record = broughtBack < MAX_BROUGHT_BACK ? tickets.take(clock.ticks()) : undefined;
      if (record !== undefined) {
        broughtBack++;
        screen(record, record);
      } else if (broughtBack < MAX_BROUGHT_BACK) await nextChange();
      else await change();
    }
  };
  const nextChange = async () => {
    const { nextDueAt } = tickets;
    if (nextDueAt === undefined) return change();
    const woken = new AbortController();
    const due = clock.sleep(Math.max(0, nextDueAt - clock.ticks()), woken.signal).catch(() => undefined);
    await Promise.race([change(), due]);
    woken.abort();
  };
  const end = () => {
    isEnded = true;
    expect();
    notify();
  };
  intake.assign({ topic: TOPIC, partition: PARTITION, lane: "backfill", epoch: EPOCH, firstOffset: 0 });
  const stop = () => {
    isStopped = true;
    notify();
  };
  signal.addEventListener("abort", stop);
  await Promise.all([read().catch(fail).finally(end), bringBack()]);
  while (inFlight > 0) await change();
  signal.removeEventListener("abort", stop);
  if (failure !== undefined) throw failure.thrown;
  signal.throwIfAborted();
}
