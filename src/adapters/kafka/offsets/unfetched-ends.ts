import type { Clock } from "../../../kernel/clock.ts";
import type { TopicPartition } from "../../../kernel/stream.ts";
import type { FetchedPartitions } from "../consumer/fetched-partitions.ts";
import type { LogEnds } from "./log-ends.ts";

export interface UnfetchedEndsDeps {
  /** The partitions that the group assigned to this process. */
  readonly assigned: () => readonly TopicPartition[];
  readonly seen: Pick<FetchedPartitions, "fetchesOf" | "told">;
  /** The ends of the logs of these topics. */
  readonly ends: (topics: readonly string[]) => Promise<LogEnds>;
  readonly clock: Pick<Clock, "sleep">;
}

/** Chosen: alerts on lag wait for minutes, and each look takes a separate connection. */
const LOOK_EVERY_MS = 30_000;

/**
 * Queries the ends of partitions that were not fetched since the last look, until `stop`. A worker under backpressure
 * pauses its partitions, and would otherwise report the lag of the moment of the pause. Brokers that do not answer are
 * queried again at the next look. Never rejects.
 */
export async function watchUnfetchedEnds(
  { assigned, seen, ends, clock }: UnfetchedEndsDeps,
  stop: AbortSignal,
  everyMs = LOOK_EVERY_MS,
): Promise<void> {
  let fetchesBefore = new Map<string, number>();
  while (!stop.aborted) {
    await clock.sleep(everyMs, stop).catch(() => undefined);
    const now = assigned();
    const unfetched = now.filter((at) => fetchesBefore.get(nameOf(at)) === seen.fetchesOf(at));
    fetchesBefore = new Map(now.map((at) => [nameOf(at), seen.fetchesOf(at)]));
    if (stop.aborted || unfetched.length === 0) continue;
    const found = await ends([...new Set(unfetched.map(({ topic }) => topic))]).catch(() => undefined);
    for (const at of unfetched) {
      const end = found?.get(at.topic)?.get(at.partition);
      if (end !== undefined) seen.told(at, end.written);
    }
  }
}

/** Topic names hold no slash, so the text is unambiguous. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
