import type { Clock } from "../../kernel/clock.ts";
import { OutputUnwritableError } from "../../kernel/errors.ts";
import type { Publisher, StreamRecord } from "../../kernel/stream.ts";
import { NewestLetters } from "../../worker/consumer/records/newest-letters.ts";
import { readLetter, replayRecord } from "../../worker/consumer/records/replay-ticket.ts";
import type { DeadLetterFilter } from "./dead-letter-filter.ts";
import type { ReplayTally } from "./replay-tally.ts";

export interface ReplayDeps {
  /** Every readable record, from the first; called twice. */
  readonly read: () => AsyncIterable<StreamRecord>;
  readonly filter: DeadLetterFilter;
  readonly tally: ReplayTally;
  readonly clock: Clock;
  /** The retry topic for the tickets. */
  readonly topic: string;
  readonly maxRecordBytes: number;
  /** Absent: the tickets are counted and not written. */
  readonly publisher?: Publisher | undefined;
}

/** Tickets in flight at once. */
const MAX_TICKETS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** How long the brokers may accept no record, milliseconds. */
const PATIENCE_MS = 120_000;

/**
 * Makes tickets of dead letters. Of several dead letters of one verdict, only the newest counts, if the filter takes
 * it. Resolves once every ticket is durable. The topic is read twice, so that no dead letter is kept in memory.
 */
export async function replayLetters({ read, filter, tally, clock, ...to }: ReplayDeps): Promise<void> {
  const newest = new NewestLetters();
  for await (const record of read()) {
    tally.read++;
    const letter = readLetter(record);
    if (typeof letter !== "string") newest.see(letter, filter.takes(letter));
  }
  let pending: Promise<void>[] = [];
  let bytes = 0;
  for await (const record of read()) {
    tally.read++;
    const letter = readLetter(record);
    if (typeof letter === "string") tally.skip(letter);
    else if (filter.isHopeless(letter)) tally.skip("hopeless");
    else if (!filter.takes(letter)) tally.skip("other");
    else if (!newest.take(letter)) tally.skip("older");
    else {
      const ticket = replayRecord(letter, { topic: to.topic, now: clock.now(), maxBytes: to.maxRecordBytes });
      if (ticket === "large") tally.skip(ticket);
      else {
        tally.replay(letter);
        if (to.publisher !== undefined) pending.push(to.publisher.publish(ticket));
        bytes += ticket.value.byteLength;
      }
    }
    if (pending.length < MAX_TICKETS && bytes < MAX_BYTES) continue;
    await durable(pending, clock);
    [pending, bytes] = [[], 0];
  }
  await durable(pending, clock);
}

async function durable(pending: readonly Promise<void>[], clock: Clock): Promise<void> {
  const done = new AbortController();
  const patience = clock.sleep(PATIENCE_MS, done.signal).then(
    () => {
      const what = `the brokers did not take all tickets for ${PATIENCE_MS / 1_000} s`;
      throw new OutputUnwritableError(`${what}: see to them; the same command begins anew where this one began`);
    },
    () => undefined,
  );
  try {
    if (pending.length > 0) await Promise.race([Promise.all(pending), patience]);
  } finally {
    done.abort();
  }
}
