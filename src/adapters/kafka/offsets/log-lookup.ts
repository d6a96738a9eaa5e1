import type { Clock } from "../../../kernel/clock.ts";
import { toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import type { TopicsRead } from "../topics/topics-read.ts";
import type { TopicIds } from "./commit-metadata.ts";
import { areOther } from "./commit-metadata.ts";
import { askOffsets, type OffsetClient, type PartitionOffsets } from "./group-offsets.ts";
import { beginningOf, type GoOn, goOn, isOfOtherTopic, type StartingPoint } from "./starting-points.ts";

export interface LogLookupDeps {
  readonly kafka: OffsetClient;
  readonly groupId: string;
  readonly topics: TopicsRead;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long the brokers may not say where to read on, milliseconds: as long as work may stand still. Chosen. */
const PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 1_000;
/** How long a log must seem to end before what was read, milliseconds: a leader that begins learns its end sooner. */
const CUT_AFTER_MS = 30_000;

/** Where a partition begins, and the topic that it does so in. */
export type LogStart = StartingPoint & TopicIds;

/** Where partitions begin: `short` ones have a log that seems to end before, which one more look must tell. */
export interface LogStarts {
  readonly points: readonly LogStart[];
  readonly short: readonly LogStart[];
}

/** Asks the brokers where the partitions of a group are read on. */
export class LogLookup {
  readonly #deps: LogLookupDeps;
  /** Since when a log seems to end before what was read, by partition; ticks. */
  readonly #shortSince = new Map<string, number>();
  /** Topics of which it was told that their commits are of another cluster. */
  readonly #mirrored = new Set<string>();

  constructor(deps: LogLookupDeps) {
    this.#deps = deps;
  }

  /** Where partitions of one topic begin. @throws when the brokers do not say, for all of them. */
  async beginnings(topic: string, at: readonly TopicPartition[]): Promise<LogStarts> {
    const { topics } = this.#deps;
    const logs = await this.#logsOf(topic, at);
    const found = at.map((each) => {
      const log = logOf(logs, each);
      const { topicId, clusterId } = log;
      return { log, point: { ...beginningOf(each, log, topics.before(each)), topicId, clusterId } };
    });
    this.#tellMirrored(
      topic,
      found.map(({ log }) => log),
    );
    const isShort = ({ log, point }: (typeof found)[number]) => point.offset > log.end;
    const pointsOf = (of: typeof found) => of.map(({ point }) => point);
    return { points: pointsOf(found.filter((each) => !isShort(each))), short: pointsOf(found.filter(isShort)) };
  }

  /** What has become of a log of that topic that was read up to `at`. @throws while that is not known. */
  async goOn(at: PartitionOffset, topicId: string | undefined): Promise<GoOn> {
    const { kafka, groupId, topics, clock } = this.#deps;
    const name = `${at.topic}/${at.partition}`;
    const log = (await askOffsets(kafka, groupId, at.topic)).get(at.partition);
    const isShort = log !== undefined && log.end < at.offset;
    const since = this.#shortSince.get(name) ?? clock.ticks();
    if (isShort) this.#shortSince.set(name, since);
    else this.#shortSince.delete(name);
    const found = goOn(at, log, { topicId, isCertain: clock.ticks() - since >= CUT_AFTER_MS });
    if (found !== "another") return found;
    this.#shortSince.delete(name);
    if (!areOther(topicId, log?.topicId)) topics.cut(at);
    return found;
  }

  /**
   * What `look` finds, which looks until it does.
   *
   * @returns undefined once it is over; or when nothing was found for too long, which `onGivenUp` is told.
   */
  async until<T>(
    look: () => Promise<T>,
    isOver: () => boolean,
    onGivenUp: (error: Error) => void,
  ): Promise<T | undefined> {
    const { clock, log } = this.#deps;
    const until = clock.ticks() + PATIENCE_MS;
    while (!isOver()) {
      const found = await look().catch(toError);
      if (isOver()) break;
      if (!(found instanceof Error)) return found;
      log.warn("it is not known yet where to read on", { reason: found.message });
      if (clock.ticks() >= until) {
        onGivenUp(found);
        break;
      }
      await clock.sleep(LOOK_AGAIN_MS);
    }
    return undefined;
  }

  /** Once a topic: until something is committed in this cluster, each generation begins with the mirrored commit. */
  #tellMirrored(topic: string, logs: readonly PartitionOffsets[]): void {
    const mirrored = logs.find(({ mirroredFrom }) => mirroredFrom !== undefined);
    if (mirrored === undefined || this.#mirrored.has(topic)) return;
    this.#mirrored.add(topic);
    const fields = { topic, theirs: mirrored.mirroredFrom, ours: mirrored.clusterId };
    this.#deps.log.warn("the commits are of another cluster: their offsets are taken at their word", fields);
  }

  /** What the brokers say of a topic's logs; said twice where it is another than the one that was read or committed. */
  async #logsOf(topic: string, at: readonly TopicPartition[]): Promise<ReadonlyMap<number, PartitionOffsets>> {
    const { kafka, groupId, topics, clock } = this.#deps;
    const ask = () => askOffsets(kafka, groupId, topic);
    const logs = await ask();
    const found = at.map((each) => logOf(logs, each));
    const isOther = (log: PartitionOffsets, each: TopicPartition) =>
      isOfOtherTopic(log) || areOther(topics.idOf(each), log.topicId);
    if (!at.some((each) => isOther(logOf(logs, each), each))) return logs;
    // One broker may have heard of the new topic before the leader of its partition has.
    await clock.sleep(LOOK_AGAIN_MS);
    const again = await ask();
    if (at.some((each, index) => areOther(logOf(again, each).topicId, found[index]?.topicId))) {
      throw new Error(`the brokers do not agree which topic ${topic} is`);
    }
    return again;
  }
}

function logOf(logs: ReadonlyMap<number, PartitionOffsets>, { topic, partition }: TopicPartition): PartitionOffsets {
  const log = logs.get(partition);
  if (log === undefined) throw new Error(`the brokers did not say where ${topic}/${partition} begins`);
  return log;
}
