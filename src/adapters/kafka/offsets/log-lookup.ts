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

/** How long the brokers may not say where to read on, milliseconds: as long as work may stand still. Chosen. */
const PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 1_000;
/** Chosen: replicas of a partition without a leader are away for a minute or for hours. */
const LOOK_FOR_LEADER_MS = 5_000;
/** How long a log must seem to end before what was read, milliseconds: a leader that begins learns its end sooner. */
const CUT_AFTER_MS = 30_000;

/** Where a partition begins, the topic that it does so in, and the leader epochs of what lies before, as far as is known. */
export type LogStart = StartingPoint & TopicIds & { readonly epochs: readonly EpochStart[] };

/** Where partitions begin: `short` ones have a log that seems to end before, which one more look must tell. */
export interface LogStarts {
  readonly points: readonly LogStart[];
  readonly short: readonly LogStart[];
  /** These have no leader, and are looked for again. */
  readonly leaderless: readonly TopicPartition[];
}

/** Until when something is looked for. */
export interface Looking {
  readonly isOver: () => boolean;
  /** Told when nothing was found for too long. */
  readonly onGivenUp: (error: Error) => void;
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

  /** Where partitions of one topic begin: those that have a leader at once, and others when they do. */
  async *beginnings(topic: string, at: readonly TopicPartition[], looking: Looking): AsyncIterable<LogStarts> {
    for (let left = at; left.length > 0; ) {
      const found = await this.until(() => this.#beginnings(topic, left), looking);
      if (found === undefined) return;
      yield found;
      left = found.leaderless;
      if (left.length > 0) await this.#deps.clock.sleep(LOOK_FOR_LEADER_MS);
    }
  }

  /** @throws when the brokers do not say, for all of them. */
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
    // A leader that holds all of it learns later how much of that others hold.
    const isShort = ({ log, point, isHeld }: (typeof found)[number]) => !isHeld && point.offset > log.end;
    const pointsOf = (of: typeof found) => of.map(({ point }) => point);
    return {
      points: pointsOf(found.filter((each) => !isShort(each))),
      short: pointsOf(found.filter(isShort)),
      leaderless: all.filter((each) => !isLed(each)),
    };
  }

  /**
   * What has become of a log of that topic that was read up to `at`.
   *
   * @param epochs what was read of it, as far as is known.
   * @throws while that is not known.
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

  /** Whether the log of a partition holds what was read of it up to `at`, where that is known. @throws while it is not. */
  async holds(at: PartitionOffset): Promise<boolean> {
    const { epochs, epochLookup } = this.#deps;
    const until = await epochLookup.agreesUntil(at, epochs.of(at));
    return until === undefined || until >= at.offset;
  }

  /**
   * What `look` finds, which looks until it does: for as long as it takes where a partition has no leader.
   *
   * @returns undefined once it is over; or when nothing was found for too long.
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
        log.warn("it is not known yet where to read on", { reason: found.message });
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

  /** How far the logs of a topic hold what was committed, and what was read here, by partition. */
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

  /** What a partition is read behind: as its commit says, or else as it was read here. */
  #epochsOf(at: TopicPartition, { committedEpochs, topicId }: PartitionOffsets): readonly EpochStart[] {
    const { topics, epochs } = this.#deps;
    return committedEpochs ?? (areOther(topics.idOf(at), topicId) ? [] : epochs.of(at));
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
