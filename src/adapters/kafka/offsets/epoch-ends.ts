import type { Kafka } from "kafkajs";
import { createErrorFromCode } from "kafkajs/src/protocol/error.js";
import type { Clock } from "../../../kernel/clock.ts";
import { NO_LEADER } from "../kafkajs-patches/leaderless-repair.ts";
import { askLeaders } from "../topics/moving-leaders.ts";
import { NoLeaderError } from "../topics/no-leader-error.ts";
import {
  EPOCH_END_KEY,
  EPOCH_END_VERSION,
  type EpochEndAnswer,
  type EpochRequest,
  epochEndRequest,
  readEpochEnds,
} from "../wire/epoch-end-answer.ts";
import { type OffsetCluster, offsetCluster } from "./log-ends.ts";
import type { EpochEnd } from "./log-truncation.ts";

/** By partition. A partition is absent where its leader reports no end. */
export type EpochEnds = ReadonlyMap<number, EpochEnd>;

/** A connected broker of kafkajs, as far as Weir's requests need it. */
export interface EpochBroker {
  /** The supported versions of each request. */
  readonly versions: Readonly<Record<number, { readonly maxVersion: number } | undefined>> | null;
  readonly connectionPool: {
    send(call: {
      readonly request: ReturnType<typeof epochEndRequest>;
      readonly response: {
        readonly decode: typeof readEpochEnds;
        readonly parse: (answer: Awaited<ReturnType<typeof readEpochEnds>>) => Promise<unknown>;
      };
    }): Promise<unknown>;
  };
}

/** The part of kafkajs's cluster that finds the leaders of partitions. */
export interface LeaderCluster extends Pick<OffsetCluster, "connect" | "disconnect" | "addTargetTopic"> {
  findTopicPartitionMetadata(
    topic: string,
  ): readonly { readonly partitionId: number; readonly leader: number; readonly leaderEpoch?: number }[];
  findBroker(at: { readonly nodeId: number }): Promise<EpochBroker>;
}

/**
 * Errors of a leader that does not know its election yet, or has lost it: the same request later succeeds. Where a
 * broker refuses for any other reason, such as missing permissions, the end is unknown.
 */
const passing: ReadonlySet<number> = new Set([3, 5, 6, 7, 9, 13, 56, 74, 75, 78]);

/**
 * The ends of these epochs in the logs of a topic, by partition. It retries, a bounded number of times, while leaders
 * move.
 *
 * @param asked the requested epoch, by partition.
 * @throws while a leader cannot be reached.
 */
export function epochEnds(
  kafka: Kafka,
  topic: string,
  asked: ReadonlyMap<number, number>,
  deps: { readonly clock: Pick<Clock, "sleep"> },
): Promise<EpochEnds> {
  return askLeaders(
    () => offsetCluster<LeaderCluster>(kafka),
    (cluster) => endsOfEpochs(cluster, topic, asked),
    deps,
  );
}

/** The ends that the leaders in a connected cluster report. @throws {NoLeaderError} while a partition has none. */
export async function endsOfEpochs(
  cluster: LeaderCluster,
  topic: string,
  asked: ReadonlyMap<number, number>,
): Promise<EpochEnds> {
  await cluster.addTargetTopic(topic);
  const partitions = cluster.findTopicPartitionMetadata(topic).filter(({ partitionId }) => asked.has(partitionId));
  const leaderless = partitions.filter(({ leader }) => leader === NO_LEADER);
  if (leaderless.length > 0)
    throw new NoLeaderError(
      topic,
      leaderless.map(({ partitionId }) => partitionId),
    );
  const ends = new Map<number, EpochEnd>();
  for (const [leader, led] of Map.groupBy(partitions, (each) => each.leader)) {
    const wanted = led.map(({ partitionId: partition, leaderEpoch: currentEpoch = -1 }) => {
      return { partition, currentEpoch, epoch: asked.get(partition) ?? -1 };
    });
    for (const { partition, answer } of await askOne(await cluster.findBroker({ nodeId: leader }), topic, wanted))
      ends.set(partition, answer);
  }
  return ends;
}

/** The answer of one leader; empty where it does not support the request. */
async function askOne(
  { versions, connectionPool }: EpochBroker,
  topic: string,
  asked: readonly EpochRequest[],
): Promise<readonly EpochEndAnswer[]> {
  if ((versions?.[EPOCH_END_KEY]?.maxVersion ?? -1) < EPOCH_END_VERSION) return [];
  let told: readonly EpochEndAnswer[] = [];
  const parse = async (answer: Awaited<ReturnType<typeof readEpochEnds>>) => {
    told = answer.partitions;
    return answer;
  };
  await connectionPool.send({ request: epochEndRequest(topic, asked), response: { decode: readEpochEnds, parse } });
  const refused = told.find(({ errorCode }) => passing.has(errorCode));
  if (refused !== undefined) throw createErrorFromCode(refused.errorCode);
  return told.filter(({ errorCode }) => errorCode === 0);
}
