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
  /** Ends everything that `signal` ends: what is in flight cannot be written any more, so nobody waits for it. */
  readonly abort: (reason: unknown) => void;
}

/** Its offset, or the record that is back from its ticket. */
type Place = number | InputRecord;

/** Records whose tickets were due that are asked about at once. */
const MAX_BROUGHT_BACK = 1_000;
/** A file is one partition, read in one go. */
const TOPIC = "input";
const PARTITION = 0;
const EPOCH = 1;

/**
 * Reads records as long as there is room for them, screens all of them at once, and brings back those that were put
 * off. Verdicts are written as they come, so their order is not that of the input.
 *
 * @param chunks records, as many together as are at hand: to wait for each costs as much as to read it.
 * @throws the first error of the input, the sink or a bug, after everything in flight has ended; `signal.reason` when aborted.
 */
export async function runLoop(chunks: AsyncIterable<Iterable<InputRecord>>, deps: LoopDeps): Promise<void> {
  const { signal, intake, tickets, pool, gate, clock } = deps;
  let failure: { readonly thrown: unknown } | undefined;
  let offset = 0;
  let inFlight = 0;
  let broughtBack = 0;
  let isFull = false;
  let isEnded = false;
  /** As the signal says it, which takes long to ask at every record. */
  let isStopped = signal.aborted;
  /** Whether nothing is read until there is room. */
  let isHeld = false;
  /** Made when somebody waits: most of what ends has nobody waiting for it. */
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
    // What an abort tore is no news beside its reason.
    if (signal.aborted) return;
    failure ??= { thrown };
    deps.abort(thrown);
  };
  /** Room comes only from what is settled: when all that is in flight waits for company, no more will come. */
  const expect = () => pool.expectMore(inFlight > pool.waiting);
  /** A gate is held by verdicts that wait to be written: some of what is in work ends as soon as it is not. */
  const hasNoRoom = () => isFull || tickets.isFull || gate.isHeld;
  const watch = () => {
    const { pause, resume } = intake.changes();
    if (pause.length > 0) isFull = true;
    if (resume.length > 0) isFull = false;
  };
  /** @param place where it lies; the record itself when its ticket has settled it there, and it is only back from that. */
  const settled = (place: Place) => {
    inFlight--;
    try {
      if (typeof place !== "number") {
        broughtBack--;
        tickets.release(place);
      } else {
        intake.settle({ topic: TOPIC, partition: PARTITION, offset: place, epoch: EPOCH });
        // What ends makes nothing full.
        if (isFull) watch();
      }
    } catch (thrown) {
      fail(thrown);
    }
    if (isEnded) expect();
    // Otherwise nobody could do anything about it: to wake for each record costs as much as to read one.
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
        // Counted, not the line's number: lines that need no verdict leave no gap.
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
      // What comes back is in memory as well, and outside the ledger: its ticket has settled it there.
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
