import { openRanges } from "../../adapters/kafka/offsets/replay-ranges.ts";
import { BATCH_OVERHEAD_BYTES } from "../../adapters/kafka/topics/topic-checks.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import { DeadLetterHeaders } from "../../messages/dead-letter.ts";
import { INPUT_KEY_HEADER } from "../../messages/record-key.ts";
import { REPLY_TOPIC_HEADER } from "../../worker/consumer/output/reply-topics.ts";
import type { OffsetRange } from "../../worker/consumer/topic-range.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { KafkaEnv } from "../config/env/kafka-env.ts";
import { type KafkaSettings, kafkaSettings } from "../config/kafka-settings.ts";
import { fitTopics, partitionsOf } from "../wiring/fit-topics.ts";
import { openPublisher } from "../wiring/open-publisher.ts";
import { onceEmpty, topicReader } from "../wiring/topic-reader.ts";
import type { DeadLetterFilter } from "./dead-letter-filter.ts";
import { replayLetters } from "./replay-letters.ts";
import { ReplayTally } from "./replay-tally.ts";

export interface ReplayRunOptions {
  readonly filter: DeadLetterFilter;
  /** From the first letter that is there, and not from where the last complete replay ended. */
  readonly all: boolean;
  /** Without it, the tickets are counted and not written. */
  readonly run: boolean;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Shows the progress of the run; returns a function that ends the display. */
  readonly watch: (line: () => string) => () => void;
  readonly log: Log;
}

export interface ReplayResult {
  readonly tally: ReplayTally;
  readonly deadLetters: string;
  readonly retries: string;
  /** Records that could be read. */
  readonly letters: number;
  /** Whether the next replay begins behind these records. */
  readonly isCommitted: boolean;
}

const CLOSE_DEADLINE_MS = 5_000;

/**
 * Puts dead letters back as tickets on the first retry topic. The worker screens their events again under the next
 * revision. Dead letters that arrive during the run wait for the next run. The position moves last: after a kill, the
 * next run replays some again, under the same ids and revisions.
 *
 * @throws {ConfigInvalidError | GroupBusyError | ConsumerDeadError | OutputUnwritableError}
 */
export async function replayRun(options: ReplayRunOptions): Promise<ReplayResult> {
  const { filter, run, env, signal, log } = options;
  const settings = await kafkaSettings(readEnv(KafkaEnv, env));
  const { deadLetters, retries } = settings.topics;
  const retryTopic = retries["10s"];
  const topics = await fitTopics(settings, log, (each) => each === deadLetters || each === retryTopic);
  const ranges = await rangesOf(settings, options);
  const letters = ranges.reduce((sum, { from, end }) => sum + end - from, 0);
  const tally = new ReplayTally();
  const result = { tally, deadLetters, retries: retryTopic, letters };
  if (letters === 0) return { ...result, isCommitted: false };
  const opened = new Lifecycle();
  const ending = new AbortController();
  const unwatch = options.watch(() => `${tally.read}/${2 * letters} letters read, in two passes`);
  try {
    const partitions = partitionsOf(topics);
    const sends = {
      maxBytes: Math.floor(settings.recordMaxBytes / 2),
      maxRecordBytes: settings.recordMaxBytes + BATCH_OVERHEAD_BYTES,
      signal: AbortSignal.any([signal, ending.signal]),
    };
    const publisher = run
      ? await openPublisher({ settings, partitions, log, opened, stop: signal, ...sends })
      : undefined;
    const own = [...Object.keys(DeadLetterHeaders.shape), INPUT_KEY_HEADER];
    const replies = settings.topics.replies === undefined ? [] : [REPLY_TOPIC_HEADER];
    const headers = { names: [...settings.passedHeaders, ...replies], own };
    const groupId = groupOf(settings);
    const range = topicReader({ settings, groupId, topic: deadLetters, ranges, log, signal, headers });
    opened.onClose("consumer", () => range.stop());
    await range.start();
    await replayLetters({
      read: () => range.read(),
      filter,
      tally,
      clock: systemClock,
      topic: retryTopic,
      maxRecordBytes: settings.recordMaxBytes,
      publisher,
    });
    const isCommitted = run && filter.isOpen;
    if (isCommitted) await range.commit();
    return { ...result, isCommitted };
  } finally {
    unwatch();
    ending.abort(new Error("the run is over"));
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

function groupOf({ groupId }: KafkaSettings): string {
  return `${groupId}-replay`;
}

function rangesOf(settings: KafkaSettings, { all, signal }: ReplayRunOptions): Promise<readonly OffsetRange[]> {
  const groupId = groupOf(settings);
  return onceEmpty(settings, groupId, signal, (admin) =>
    openRanges(admin, { topic: settings.topics.deadLetters, groupId, all }),
  );
}
