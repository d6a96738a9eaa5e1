import { STDIN } from "../../adapters/files/input/input-bytes.ts";
import { countLines } from "../../adapters/files/input/lines.ts";
import { type RecordsOptions, readRecords, sourceName } from "../../adapters/files/input/records.ts";
import type { Unfinished } from "../../adapters/files/input/unfinished.ts";
import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { topicIdsOf } from "../../adapters/kafka/offsets/group-offsets.ts";
import { BATCH_OVERHEAD_BYTES } from "../../adapters/kafka/topics/topic-checks.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError, OutputUnwritableError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { type Log, quietLog } from "../../kernel/log.ts";
import { MAX_EVENT_BYTES } from "../../messages/event.ts";
import { UnreadAddresses } from "../../messages/unread/unread-addresses.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { KafkaEnv } from "../config/env/kafka-env.ts";
import { type KafkaSettings, kafkaSettings } from "../config/kafka-settings.ts";
import { enqueueLine } from "../terminal/progress.ts";
import { type FitTopic, fitTopics, partitionsOf } from "../wiring/fit-topics.ts";
import { openPublisher } from "../wiring/open-publisher.ts";
import { EnqueueLines } from "./enqueue-lines.ts";
import { type EnqueueTarget, type Kept, readState, stateFileOf, writeState } from "./enqueue-state.ts";
import { NOTHING } from "./enqueue-window.ts";
import { refuseUnusableName } from "./enqueued-record.ts";
import type { Rate } from "./rate.ts";

export interface EnqueueRunOptions {
  readonly input: RecordsOptions;
  /** By default the first backfill topic. */
  readonly topic?: string | undefined;
  /** By default beside the file. Standard input has no default. */
  readonly state?: string | undefined;
  readonly rate?: Rate | undefined;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Shows the progress of the run; returns a function that ends the display. */
  readonly watch: (line: () => string) => () => void;
  readonly log: Log;
  readonly onBad: (line: number, detail: string) => void;
}

export interface EnqueueResult {
  readonly topic: string;
  /** Events that this run sent. */
  readonly sent: number;
  /** Lines that are no events, including those of earlier runs. */
  readonly bad: number;
  /** Number of lines done before this run, and after it. */
  readonly before: number;
  readonly lines: number;
  readonly elapsedMs: number;
  /** Unread addresses of the whole file. Workers do not see the other columns of a CSV. */
  readonly unread: UnreadAddresses;
  /** Lines at the end of the file that may still grow. They were not sent. */
  readonly waiting?: Unfinished | undefined;
}

const CLOSE_DEADLINE_MS = 5_000;

/**
 * Writes every event of a file to an event topic. A line counts as done only after it is durable. After a kill, the
 * next run may send some lines again.
 *
 * @throws {ConfigInvalidError | InputUnreadableError | OutputUnwritableError}
 */
export async function enqueueRun(options: EnqueueRunOptions): Promise<EnqueueResult> {
  const { input, env, signal, log, onBad } = options;
  const settings = await kafkaSettings(readEnv(KafkaEnv, env));
  const topic = chosenTopic(settings, options.topic);
  const name = sourceName(input.path);
  refuseUnusableName(name);
  const total = await countLines(input.path);
  const topics = await fitTopics(settings, log, (each) => each === topic);
  const partitions = partitionsOf(topics);
  const maxRecordBytes = takenBytes(topic, topics.get(topic));
  const destination = { input: name, topic, ...(await idsOf(settings, topic)) };
  const stateFile = options.state ?? (input.path === STDIN ? undefined : stateFileOf(input.path));
  const kept: Kept = stateFile === undefined ? { enqueued: NOTHING } : await readState(stateFile, destination);
  const { enqueued: begun, goneId } = kept;
  if (goneId !== undefined) {
    const ids = { oldId: goneId, newId: destination.topicId ?? "" };
    log.warn("the topic was recreated after earlier lines were sent: Weir sends every line again", {
      topic,
      ...ids,
    });
  }
  // An unwritable state file is reported before any event is sent.
  if (stateFile !== undefined) await writeState(stateFile, destination, begun);
  const opened = new Lifecycle();
  const ending = new AbortController();
  try {
    const publisher = await openPublisher({
      settings,
      partitions,
      maxBytes: Math.floor(maxRecordBytes / 2),
      maxRecordBytes,
      log,
      opened,
      stop: signal,
      signal: ending.signal,
    });
    const clock = systemClock;
    const startedAt = clock.ticks();
    const unread = new UnreadAddresses();
    let waiting: Unfinished | undefined;
    const onUnfinished = (found: Unfinished) => {
      waiting = found;
    };
    const lines = new EnqueueLines({
      records: readRecords({ ...input, onUnread: unread.add.bind(unread), onUnfinished }),
      waiting: () => waiting,
      topic,
      begun,
      publisher,
      clock,
      rate: options.rate,
      keep: async (done) => (stateFile === undefined ? undefined : writeState(stateFile, destination, done)),
      onBad,
      stop: signal,
    });
    const elapsedMs = () => clock.ticks() - startedAt;
    const progress = () => ({ done: lines.done.lines, total, before: begun.lines, elapsedMs: elapsedMs(), waiting });
    const unwatch = options.watch(() => enqueueLine(progress()));
    try {
      await lines.run();
    } finally {
      unwatch();
    }
    if ((await idsOf(settings, topic)).topicId !== destination.topicId) throw madeAnew(topic);
    const { sent, bad, done } = lines;
    return { topic, sent, bad, before: begun.lines, lines: done.lines, elapsedMs: elapsedMs(), unread, waiting };
  } finally {
    ending.abort(new Error("the run is over"));
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

function chosenTopic({ topics }: KafkaSettings, named: string | undefined): string {
  const known = [...topics.backfill, ...topics.realtime];
  if (named !== undefined && !known.includes(named)) {
    throw new ConfigInvalidError(
      `--topic ${named}: no worker reads it; TOPICS_BACKFILL and TOPICS_REALTIME name ${known.join(", ")}`,
    );
  }
  const topic = named ?? topics.backfill[0];
  if (topic === undefined) throw new ConfigInvalidError("TOPICS_BACKFILL names no topic: name one, or give --topic");
  return topic;
}

/** Kafka's own default, for a client without the permission to read the limit. */
const DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;

/** Largest batch that the topic accepts. @throws {ConfigInvalidError} when the longest events need more. */
function takenBytes(topic: string, facts: FitTopic | undefined): number {
  const limit = facts?.settings?.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  const needed = MAX_EVENT_BYTES + BATCH_OVERHEAD_BYTES;
  if (limit >= needed) return limit;
  throw new ConfigInvalidError(
    `max.message.bytes of ${topic} is ${limit}, and the longest events need ${needed}: set it to that at least`,
  );
}

/** The kept state names the deleted topic, so the next run sends every line again. */
function madeAnew(topic: string): OutputUnwritableError {
  return new OutputUnwritableError(
    `${topic} was made anew while lines were sent: the same command sends every line again`,
  );
}

/** The ids of the cluster and the topic, from the brokers. */
async function idsOf(
  { connection }: KafkaSettings,
  topic: string,
): Promise<Pick<EnqueueTarget, "cluster" | "topicId">> {
  const admin = kafkaClient(connection, quietLog).admin();
  await admin.connect();
  try {
    const { topicId } = await topicIdsOf(admin, topic);
    return { cluster: (await admin.describeCluster()).clusterId, topicId };
  } finally {
    await admin.disconnect();
  }
}
