import type { Kafka } from "kafkajs";
import type { Clock } from "../../../kernel/clock.ts";
import type { PartitionOffset } from "../../../kernel/stream.ts";
import { countText } from "../../../kernel/text.ts";
import { connectionFailure } from "../consumer/connection-failure.ts";
import { endsIn, type LogEnd, type LogEnds, type OffsetCluster, offsetCluster } from "../offsets/log-ends.ts";
import type { CheckedItem } from "./check.ts";
import { askLeaders } from "./moving-leaders.ts";
import { protocolErrorOf } from "./topic-facts.ts";

/** A topic with records that wait for the end of a transaction. */
export interface OpenTransactionBacklog {
  readonly topic: string;
  /** Offsets from the first one of the transaction to the end of the log, summed over all blocked partitions. */
  readonly records: number;
  readonly partitions: readonly number[];
  /** The last stable offset of the first blocked partition. */
  readonly first: PartitionOffset;
}

/** Chosen: a transaction of a stream processor lasts 100 ms by default, and one that outlives this time is reported. */
const LOOK_AGAIN_MS = 3_000;
const CHECK = "open transactions";

/**
 * Checks whether records lie behind a transaction that stays open. Consumers do not receive such records, so their
 * events are not screened.
 */
export async function checkTransactions(
  kafka: Kafka,
  topics: readonly string[],
  { clock }: { readonly clock: Pick<Clock, "sleep"> },
): Promise<readonly CheckedItem[]> {
  try {
    return await askLeaders(
      () => offsetCluster(kafka),
      async (cluster) => {
        const before = await endsOfKnown(cluster, topics);
        if (openTransactionBacklog(before, before).length === 0) return [nothingHeld];
        await clock.sleep(LOOK_AGAIN_MS);
        return judgeHeldBack(openTransactionBacklog(before, await endsOfKnown(cluster, topics)));
      },
      { clock },
    );
  } catch (thrown) {
    const { detail, remedy } = connectionFailure(thrown);
    return [{ check: CHECK, ok: "warn", detail: `the ends of the topics are not known: ${detail}`, remedy }];
  }
}

const nothingHeld: CheckedItem = { check: CHECK, ok: true, detail: "none holds records back", remedy: "" };

/** The backlogs at two looks with the same first open transaction of a partition. */
export function openTransactionBacklog(before: LogEnds, after: LogEnds): readonly OpenTransactionBacklog[] {
  const found: OpenTransactionBacklog[] = [];
  for (const [topic, partitions] of after) {
    const held = [...partitions].flatMap(([partition, { written, readable }]) => {
      const earlier = before.get(topic)?.get(partition);
      const stands = earlier !== undefined && earlier.written > earlier.readable && earlier.readable === readable;
      return stands && written > readable ? [{ partition, offset: readable, records: written - readable }] : [];
    });
    const [first] = held;
    if (first === undefined) continue;
    found.push({
      topic,
      records: held.reduce((sum, { records }) => sum + records, 0),
      partitions: held.map(({ partition }) => partition),
      first: { topic, partition: first.partition, offset: first.offset },
    });
  }
  return found;
}

function judgeHeldBack(held: readonly OpenTransactionBacklog[]): readonly CheckedItem[] {
  if (held.length === 0) return [nothingHeld];
  return held.map(({ topic, records, partitions, first }) => ({
    check: `${CHECK} ${topic}`,
    ok: "warn",
    detail: `${countText(records, "record")} in ${countText(partitions.length, "partition")} cannot be read: a transaction is open from ${first.topic}/${first.partition}/${first.offset} on`,
    remedy: "have its producer end it; `kafka-transactions.sh find-hanging` and `abort` end one whose producer is gone",
  }));
}

/** Leaves out topics that do not exist or are not visible: other checks report them. */
async function endsOfKnown(cluster: OffsetCluster, topics: readonly string[]): Promise<LogEnds> {
  const ends = new Map<string, ReadonlyMap<number, LogEnd>>();
  for (const topic of topics) {
    try {
      for (const [name, each] of await endsIn(cluster, [topic])) ends.set(name, each);
    } catch (thrown) {
      if (!untold.has(protocolErrorOf(thrown) ?? "")) throw thrown;
    }
  }
  return ends;
}

const untold: ReadonlySet<string> = new Set(["UNKNOWN_TOPIC_OR_PARTITION", "TOPIC_AUTHORIZATION_FAILED"]);
