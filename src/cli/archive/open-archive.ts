import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { KafkaGroupConsumer } from "../../adapters/kafka/consumer/group-consumer.ts";
import { offsetsOf } from "../../adapters/kafka/offsets/group-offsets.ts";
import { ArchiveMetrics, setArchiveLocation } from "../../adapters/prometheus/archive-metrics.ts";
import type { CommitMetrics } from "../../adapters/prometheus/commit-metrics.ts";
import type { MetricSet } from "../../adapters/prometheus/metric-set.ts";
import { TimedConsumer } from "../../adapters/prometheus/timed-consumer.ts";
import { BacklogWatch } from "../../archive/backlog/backlog-watch.ts";
import type { ObjectStore } from "../../archive/object-store.ts";
import { ArchiveLoop } from "../../archive/writer/archive-loop.ts";
import type { ArchiveObserver } from "../../archive/writer/archive-observer.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import { ConsumerDeadError } from "../../worker/consumer/errors.ts";
import type { ArchiveConfig, S3Config } from "../config/config.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";
import type { Health } from "../wiring/admin.ts";
import { openS3Store } from "../wiring/s3-store.ts";
import { ArchiveWatch } from "./archive-watch.ts";
import { supervise } from "./supervise.ts";

export interface ArchiveOptions {
  readonly settings: KafkaSettings;
  readonly config: S3Config & Pick<ArchiveConfig, "ARCHIVE_VERDICTS" | "ARCHIVE_BYTES" | "ARCHIVE_AGE">;
  readonly metrics: MetricSet;
  readonly commits: CommitMetrics;
  readonly log: Log;
  readonly opened: Lifecycle;
  /** Wraps the store with a condition that objects wait for before they are put. */
  readonly behind?: (store: ObjectStore) => ObjectStore;
}

const REBALANCE_MS = 60_000;
/**
 * Number of objects' worth of lines that may wait while the store is down. The process needs up to six times that
 * memory while it catches up (bench/results/README.md).
 */
const OBJECTS_IN_MEMORY = 2;

export interface OpenArchive {
  readonly health: Health;
  /** Archives the verdict topic until `stop`. @throws {ConsumerDeadError} */
  run(stop: AbortSignal): Promise<void>;
  /**
   * Archives the verdict topic until `stop`, and restarts after every failure, with a delay. It may run beside other
   * work that must not end with it. Never rejects.
   */
  keepRunning(stop: AbortSignal): Promise<void>;
}

/** Opens an archive of the verdict topic that does not run yet. @throws {ConfigInvalidError} */
export function openArchive(options: ArchiveOptions): OpenArchive {
  const { config, metrics, log, opened, behind = (objects) => objects } = options;
  const clock = systemClock;
  const store = behind(openS3Store(config, opened));
  setArchiveLocation(metrics, "here");
  const counted = new ArchiveMetrics(metrics);
  const observer: ArchiveObserver = {
    stored: (object, bytes) => {
      counted.stored(object, bytes);
      log.info("the archive wrote an object", { key: object.key, verdicts: object.metadata.count });
    },
    lost: (offsets) => counted.lost(offsets),
    failed: (step) => counted.failed(step),
  };
  const watch = new ArchiveWatch({ clock, ageMs: config.ARCHIVE_AGE });
  counted.collect(watch.gauges);
  const run = async (stop: AbortSignal) => {
    const ending = new AbortController();
    const signal = AbortSignal.any([stop, ending.signal]);
    const { loop, backlog, consumer } = oneArchive(store, observer, signal, options);
    watch.begun({ loop, consumer, backlog: backlog.backlog });
    const watching = backlog.run(signal);
    try {
      await loop.run();
    } catch (thrown) {
      if (stop.aborted) return;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new ConsumerDeadError(`the archive's consumer has ended: ${reason}`, {}, { cause: thrown });
    } finally {
      ending.abort();
      await watching;
    }
  };
  return {
    health: watch.health,
    run,
    keepRunning: (stop) =>
      supervise({
        run,
        unwell: watch.health.live,
        onEnded: ({ message: reason }, attempt, waitMs) => {
          watch.ended(reason);
          log.error("the archive stopped and starts again: screening continues", { reason, attempt, waitMs });
        },
        stop,
        clock,
        random: Math.random,
      }),
  };
}

/** One run of an archive: a consumer that has ended cannot start again. */
function oneArchive(
  store: ObjectStore,
  observer: ArchiveObserver,
  stop: AbortSignal,
  { settings, config, commits, log }: ArchiveOptions,
) {
  const { connection, topics, groupId, sessionTimeoutMs } = settings;
  const group = `${groupId}-archive`;
  const clock = systemClock;
  const shared = { clock, random: Math.random, log };
  const limits = { verdicts: config.ARCHIVE_VERDICTS, bytes: config.ARCHIVE_BYTES, ageMs: config.ARCHIVE_AGE };
  const offsets = offsetsOf(kafkaClient(connection, log), group);
  const consumer = new KafkaGroupConsumer({
    ...shared,
    kafka: kafkaClient(connection, log),
    groupId: group,
    topics: [topics.verdicts],
    sessionTimeoutMs,
    rebalanceTimeoutMs: Math.max(REBALANCE_MS, sessionTimeoutMs),
  });
  const loop = new ArchiveLoop({
    ...shared,
    consumer: new TimedConsumer(consumer, clock, (outcome, ms) => commits.commit("archive", outcome, ms)),
    offsets,
    store,
    topic: topics.verdicts,
    limits,
    maxBytes: OBJECTS_IN_MEMORY * limits.bytes,
    observer,
    stop,
  });
  const isStoreAway = () => loop.state.failing.some((step) => step === "store" || step === "objects");
  const backlog = new BacklogWatch({ offsets, topic: topics.verdicts, clock, log, isStoreAway });
  return { loop, backlog, consumer };
}
