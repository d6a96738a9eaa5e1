import type { Clock } from "../../../kernel/clock.ts";
import { toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import { NoLeaderError } from "../topics/no-leader-error.ts";
import type { TopicsRead } from "../topics/topics-read.ts";
import type { TopicIds } from "./commit-metadata.ts";
import { areOther } from "./commit-metadata.ts";
import type { AgreesUntil, EpochLookup } from "./epoch-lookup.ts";
import type { EpochsRead } from "./epochs-read.ts";
import { askOffsets, type OffsetClient, type PartitionOffsets } from "./group-offsets.ts";
import type { EpochStart } from "./log-truncation.ts";
import { beginningOf, type GoOn, goOn, isOfOtherTopic, type StartingPoint } from "./starting-points.ts";

export interface LogLookupDeps {
  readonly kafka: OffsetClient;
  readonly groupId: string;
  readonly topics: TopicsRead;
  readonly epochs: EpochsRead;
  readonly epochLookup: EpochLookup;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * How long the brokers may fail to report a read position, milliseconds: as long as processing may stand still. Chosen.
 */
const PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 1_000;
/** Chosen: replicas of a partition without a leader are down for a minute or for hours. */
const LOOK_FOR_LEADER_MS = 5_000;
/** How long a log must seem to end before the read position, milliseconds. A new leader learns the end sooner. */
const CUT_AFTER_MS = 30_000;

/**
 * The starting point of a partition and the ids of its topic, with the known leader epochs of the records before it.
 */
export type LogStart = StartingPoint & TopicIds & { readonly epochs: readonly EpochStart[] };

/**
 * The starting points of partitions. The logs of `short` ones seem to end before the read position, which a second look
 * must confirm.
 */
export interface LogStarts {
  readonly points: readonly LogStart[];
  readonly short: readonly LogStart[];
  /** Partitions without a leader, which are looked up again. */
  readonly leaderless: readonly TopicPartition[];
}

/** The end of a lookup. */
export interface Looking {
  readonly isOver: () => boolean;
  /** Called after too long a time without a result. */
  readonly onGivenUp: (error: Error) => void;
}

/** Queries the brokers for the read positions of the partitions of a group. */
export class LogLookup {
  readonly #deps: LogLookupDeps;
  /** By partition, the time since when a log seems to end before the read position; ticks. */
  readonly #shortSince = new Map<string, number>();
  /** Topics that were logged as having the commits of another cluster. */
  readonly #mirrored = new Set<string>();

  constructor(deps: LogLookupDeps) {
    this.#deps = deps;
  }

  /** The starting points of the partitions of one topic: at once for those with a leader, and later for the others. */
  async *beginnings(topic: string, at: readonly TopicPartition[], looking: Looking): AsyncIterable<LogStarts> {
    for (let left = at; left.length > 0; ) {
      const found = await this.until(() => this.#beginnings(topic, left), looking);
      if (found === undefined) return;
      yield found;
      left = found.leaderless;
      if (left.length > 0) await this.#deps.clock.sleep(LOOK_FOR_LEADER_MS);
    }
  }

  /** @throws for all partitions when the brokers do not report one. */
  async #beginnings(topic: string, all: readonly TopicPartition[]): Promise<LogStarts> {
    const { topics } = this.#deps;
    const logs = await this.#logsOf(topic, all);
    const isLed = (each: TopicPartition) => logOf(logs, each).isLeaderless !== true;
    const at = all.filter(isLed);
    const agree = await this.#agreements(topic, at, logs);
    const found = at.map((each) => {
      const log = logOf(logs, each);
      const until = agree.get(each.partition);
      const before = topics.before(each);
      const point = beginningOf(
        each,
        { ...log, agreesUntil: until?.committed },
        { ...before, agreesUntil: until?.read },
      );
      const { topicId, clusterId } = log;
      return {
        log,
        isHeld: until?.committed !== undefined,
        point: { ...point, topicId, clusterId, epochs: this.#epochsOf(each, log) },
      };
    });
    this.#tellMirrored(
      topic,
      found.map(({ log }) => log),
    );
    // A leader that holds all records learns later how many of them its replicas hold.
    const isShort = ({ log, point, isHeld }: (typeof found)[number]) => !isHeld && point.offset > log.end;
    const pointsOf = (of: typeof found) => of.map(({ point }) => point);
    return {
      points: pointsOf(found.filter((each) => !isShort(each))),
      short: pointsOf(found.filter(isShort)),
      leaderless: all.filter((each) => !isLed(each)),
    };
  }

  /**
   * The state of a log of that topic that was read up to `at`.
   *
   * @param epochs of the read records, as far as they are known.
   * @throws while the state is unknown.
   */
  async goOn(at: PartitionOffset, topicId: string | undefined, epochs: readonly EpochStart[] = []): Promise<GoOn> {
    const { kafka, groupId, topics, epochLookup, clock } = this.#deps;
    const name = `${at.topic}/${at.partition}`;
    const log = (await askOffsets(kafka, groupId, at.topic)).get(at.partition);
    if (log?.isLeaderless === true) throw new NoLeaderError(at.topic, [at.partition]);
    const agreesUntil = areOther(topicId, log?.topicId) ? undefined : await epochLookup.agreesUntil(at, epochs);
    const isShort = log !== undefined && log.end < at.offset;
    const since = this.#shortSince.get(name) ?? clock.ticks();
    if (isShort) this.#shortSince.set(name, since);
    else this.#shortSince.delete(name);
    const found = goOn(at, log, { topicId, isCertain: clock.ticks() - since >= CUT_AFTER_MS, agreesUntil });
    if (found === "another" || found === "truncated") this.#shortSince.delete(name);
    if (found === "another" && !areOther(topicId, log?.topicId)) topics.cut(at);
    return found;
  }

  /**
   * Whether the log of a partition holds the read records up to `at`, where that is known. @throws while it is unknown.
   */
  async holds(at: PartitionOffset): Promise<boolean> {
    const { epochs, epochLookup } = this.#deps;
    const until = await epochLookup.agreesUntil(at, epochs.of(at));
    return until === undefined || until >= at.offset;
  }

  /**
   * Repeats `look` until it succeeds. A partition without a leader has no time limit.
   *
   * @returns undefined once `isOver`, or after too long a time without a result.
   */
  async until<T>(look: () => Promise<T>, { isOver, onGivenUp }: Looking): Promise<T | undefined> {
    const { clock, log } = this.#deps;
    let [since, said] = [clock.ticks(), ""];
    while (!isOver()) {
      const found = await look().catch(toError);
      if (isOver()) break;
      if (!(found instanceof Error)) return found;
      const isLeaderless = found instanceof NoLeaderError;
      if (!isLeaderless || said !== found.message)
        log.warn("the offset to continue from is not known yet", { reason: found.message });
      said = found.message;
      if (isLeaderless) since = clock.ticks();
      if (clock.ticks() >= since + PATIENCE_MS) {
        onGivenUp(found);
        break;
      }
      await clock.sleep(isLeaderless ? LOOK_FOR_LEADER_MS : LOOK_AGAIN_MS);
    }
    return undefined;
  }

  /** How far the logs of a topic hold the committed and the read records, by partition. */
  #agreements(
    topic: string,
    at: readonly TopicPartition[],
    logs: ReadonlyMap<number, PartitionOffsets>,
  ): Promise<ReadonlyMap<number, AgreesUntil>> {
    const { topics, epochs, epochLookup } = this.#deps;
    const known = at.map((each) => {
      const { topicId, next } = topics.before(each);
      const { committed, committedEpochs = [], topicId: nowId } = logOf(logs, each);
      const isRead = next !== undefined && !areOther(topicId, nowId);
      return {
        partition: each.partition,
        committed: committed === undefined ? [] : committedEpochs,
        read: isRead ? epochs.of(each) : [],
      };
    });
    return epochLookup.agreeUntil(topic, known);
  }

  /** The epochs before the position of a partition: from its commit, or else from the records that were read here. */
  #epochsOf(at: TopicPartition, { committedEpochs, topicId }: PartitionOffsets): readonly EpochStart[] {
    const { topics, epochs } = this.#deps;
    return committedEpochs ?? (areOther(topics.idOf(at), topicId) ? [] : epochs.of(at));
  }

  /** Logged once a topic: until there is a commit in this cluster, each generation begins with the mirrored commit. */
  #tellMirrored(topic: string, logs: readonly PartitionOffsets[]): void {
    const mirrored = logs.find(({ mirroredFrom }) => mirroredFrom !== undefined);
    if (mirrored === undefined || this.#mirrored.has(topic)) return;
    this.#mirrored.add(topic);
    const fields = { topic, theirs: mirrored.mirroredFrom, ours: mirrored.clusterId };
    this.#deps.log.warn("the commits come from another cluster: Weir uses their offsets unchecked", fields);
  }

  /**
   * The logs of a topic as the brokers report them. The query is repeated where the topic differs from the one that was
   * read or committed.
   */
  async #logsOf(topic: string, at: readonly TopicPartition[]): Promise<ReadonlyMap<number, PartitionOffsets>> {
    const { kafka, groupId, topics, clock } = this.#deps;
    const ask = () => askOffsets(kafka, groupId, topic);
    const logs = await ask();
    const found = at.map((each) => logOf(logs, each));
    const isOther = (log: PartitionOffsets, each: TopicPartition) =>
      isOfOtherTopic(log) || areOther(topics.idOf(each), log.topicId);
    if (!at.some((each) => isOther(logOf(logs, each), each))) return logs;
    // One broker may know the new topic before the leader of its partition does.
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
