import { countText } from "../../../kernel/text.ts";
import { MAX_UNPACKED_BYTES } from "../wire/codecs.ts";
import type { CheckedItem } from "./check.ts";
import { purposesOf, type TopicPurpose, type Topics } from "./topics.ts";

/** Bytes around a record in its batch: headers of the batch and the record, 8,192 of them passed on, and the key. */
export const BATCH_OVERHEAD_BYTES = 12_288;
export const MIN_RETENTION_MS = 7 * 24 * 3_600_000;
export const MIN_REPLICATION = 3;
export const MIN_INSYNC_REPLICAS = 2;

/** A topic as the brokers describe it. */
export type TopicFacts =
  | { readonly state: "missing" }
  | { readonly state: "unreadable"; readonly why: string }
  | {
      readonly state: "there";
      readonly partitions: number;
      /** The replication factor of the partition with the fewest replicas. */
      readonly replication: number;
      /** Partitions without a leader; absent where there are none. */
      readonly leaderless?: readonly number[];
      /** Absent when this client may not read the settings. */
      readonly settings?: TopicSettings;
    };

export interface TopicSettings {
  readonly minInsyncReplicas: number;
  /** -1 means forever. */
  readonly retentionMs: number;
  /** Retention of one partition; -1 means no limit. */
  readonly retentionBytes: number;
  readonly cleanupPolicy: readonly string[];
  readonly maxMessageBytes: number;
  readonly compressionType: string;
  readonly timestampType: string;
  /** Whether a replica that lacks acknowledged records may become the leader. */
  readonly electsUnclean: boolean;
}

/** The requirements on a topic with a certain purpose. */
interface Rule {
  /** Whether Weir writes records of up to RECORD_MAX_BYTES to the topic. */
  readonly isWritten: boolean;
  /** The finding when records are deleted after less than seven days, or when only the last record of a key is kept. */
  readonly shortRetention?: Finding;
  readonly compaction?: Finding;
}

interface Finding {
  readonly ok: false | "warn";
  readonly because: string;
}

const rules: Readonly<Record<TopicPurpose, Rule>> = {
  realtime: {
    isWritten: false,
    shortRetention: { ok: "warn", because: "an event that waits for longer is lost" },
    compaction: { ok: "warn", because: "of events with one key, those that wait may be lost" },
  },
  backfill: {
    isWritten: false,
    shortRetention: { ok: "warn", because: "an event that waits for longer is lost" },
    compaction: { ok: "warn", because: "of events with one key, those that wait may be lost" },
  },
  verdicts: {
    isWritten: true,
    shortRetention: { ok: false, because: "the archive would lose verdicts when it is behind" },
    compaction: {
      // Objects that were stored and not committed would be compared with the remaining records, and stop their
      // partitions.
      ok: false,
      because: "earlier revisions and other verdicts about one subject may go before they are archived",
    },
  },
  "dead letters": {
    isWritten: true,
    shortRetention: { ok: false, because: "events that wait for an operator would be lost" },
    compaction: { ok: false, because: "of events with one key only the last would be left" },
  },
  tickets: {
    isWritten: true,
    shortRetention: { ok: false, because: "events that wait to be asked again would be lost" },
    compaction: { ok: false, because: "of events with one question only the last would be left" },
  },
  control: { isWritten: false },
  "formatted verdicts": { isWritten: true },
  replies: { isWritten: true },
};

/** One line for a topic without a fault, else one line for each fault. */
export function judgeTopics(
  topics: Topics,
  facts: ReadonlyMap<string, TopicFacts>,
  { recordMaxBytes }: { readonly recordMaxBytes: number },
): readonly CheckedItem[] {
  return purposesOf(topics).flatMap((named) => judgeTopic(named, facts.get(named[0]), { recordMaxBytes }));
}

/** The results for one topic. */
export function judgeTopic(
  [topic, purpose]: readonly [topic: string, purpose: TopicPurpose],
  found: TopicFacts = { state: "missing" },
  { recordMaxBytes }: { readonly recordMaxBytes: number },
): readonly CheckedItem[] {
  const check = `topic ${topic} (${purpose})`;
  const wrong = [...problems(topic, purpose, found, recordMaxBytes)].map((problem) => ({ check, ...problem }));
  return wrong.length > 0 ? wrong : [{ check, ok: true, detail: describe(found), remedy: "" }];
}

type Problem = Omit<CheckedItem, "check">;

function* problems(topic: string, purpose: TopicPurpose, facts: TopicFacts, recordMaxBytes: number): Iterable<Problem> {
  if (facts.state === "missing") {
    yield { ok: false, detail: "does not exist", remedy: "create it, or let weir doctor --create do it" };
    return;
  }
  if (facts.state === "unreadable") {
    yield { ok: false, detail: facts.why, remedy: "see the state of the brokers and the rights of this client" };
    return;
  }
  if (facts.leaderless !== undefined) yield noLeader(facts.leaderless);
  if (purpose === "control" && facts.partitions !== 1) {
    yield {
      ok: false,
      detail: `has ${facts.partitions} partitions, and processes that share a quota must all read one`,
      remedy: "create it again with one partition, or name another in TOPIC_CONTROL",
    };
  }
  if (facts.settings === undefined) {
    yield {
      ok: "warn",
      detail: "this client may not read the settings of the topic, so they were not checked",
      remedy: "grant this client DESCRIBE_CONFIGS on the topic",
    };
    return;
  }
  yield* replicationProblems(topic, facts.replication, facts.settings.minInsyncReplicas);
  yield* settingProblems(topic, rules[purpose], facts.settings, recordMaxBytes);
}

function noLeader(partitions: readonly number[]): Problem {
  return {
    ok: false,
    isPassing: true,
    detail: `has ${countText(partitions.length, "partition")} without a leader (${partitions.join(", ")}): nothing is read or written there`,
    remedy: "start the brokers that hold their replicas; other partitions go on meanwhile",
  };
}

function* replicationProblems(topic: string, replication: number, minInsync: number): Iterable<Problem> {
  const has = `has ${countText(replication, "replica")} and min.insync.replicas ${minInsync}`;
  if (minInsync > replication) {
    yield {
      ok: false,
      detail: `${has}: nothing can be written`,
      remedy: `set min.insync.replicas of ${topic} to at most ${Math.max(1, replication - 1)}`,
    };
  } else if (replication < MIN_REPLICATION || minInsync < MIN_INSYNC_REPLICAS) {
    yield {
      ok: "warn",
      detail: `${has}: what was acknowledged can be lost with one broker`,
      remedy: `use ${MIN_REPLICATION} replicas and min.insync.replicas ${MIN_INSYNC_REPLICAS} where that matters`,
    };
  }
}

function* settingProblems(
  topic: string,
  rule: Rule,
  settings: TopicSettings,
  recordMaxBytes: number,
): Iterable<Problem> {
  const { retentionMs, retentionBytes, cleanupPolicy, maxMessageBytes, compressionType } = settings;
  const needed = recordMaxBytes + BATCH_OVERHEAD_BYTES;
  if (rule.isWritten && maxMessageBytes < needed) {
    yield {
      ok: false,
      detail: `max.message.bytes is ${maxMessageBytes}, and records of RECORD_MAX_BYTES need ${needed}`,
      remedy: `set max.message.bytes of ${topic} to at least ${needed}, or lower RECORD_MAX_BYTES`,
    };
  }
  if (!rule.isWritten && maxMessageBytes > MAX_UNPACKED_BYTES) {
    yield {
      ok: "warn",
      detail: `max.message.bytes is ${maxMessageBytes}, and a batch that unpacks to more than ${MAX_UNPACKED_BYTES} stops its reader`,
      remedy: `set max.message.bytes of ${topic} to at most ${MAX_UNPACKED_BYTES}`,
    };
  }
  if (settings.electsUnclean) {
    yield {
      ok: rule.isWritten ? false : "warn",
      detail: "unclean.leader.election.enable is true: what was acknowledged may be lost with one broker",
      remedy: `set unclean.leader.election.enable of ${topic} to false`,
    };
  }
  const deletes = cleanupPolicy.includes("delete");
  if (rule.shortRetention !== undefined && deletes && retentionMs >= 0 && retentionMs < MIN_RETENTION_MS) {
    yield {
      ok: rule.shortRetention.ok,
      detail: `keeps records for ${span(retentionMs)}: ${rule.shortRetention.because}`,
      remedy: `set retention.ms of ${topic} to at least ${MIN_RETENTION_MS} (7 d), or to -1`,
    };
  }
  if (rule.shortRetention !== undefined && deletes && retentionBytes >= 0) {
    yield {
      ok: "warn",
      detail: `keeps at most ${retentionBytes} bytes a partition, however young: ${rule.shortRetention.because}`,
      remedy: `set retention.bytes of ${topic} to -1`,
    };
  }
  if (rule.compaction !== undefined && cleanupPolicy.includes("compact")) {
    yield {
      ok: rule.compaction.ok,
      detail: `cleanup.policy is ${cleanupPolicy.join(",")}: ${rule.compaction.because}`,
      remedy: `set cleanup.policy of ${topic} to delete`,
    };
  }
  if (!readableCompressions.includes(compressionType)) {
    yield {
      ok: false,
      detail: `compression.type is ${compressionType}, which this version cannot read`,
      remedy: `set compression.type of ${topic} to producer`,
    };
  }
}

const readableCompressions: readonly string[] = ["producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"];

function describe(facts: TopicFacts): string {
  if (facts.state !== "there" || facts.settings === undefined) return "";
  const { retentionMs, cleanupPolicy, timestampType } = facts.settings;
  const kept = retentionMs < 0 || !cleanupPolicy.includes("delete") ? "kept for ever" : `kept for ${span(retentionMs)}`;
  return `${countText(facts.partitions, "partition")}, ${countText(facts.replication, "replica")}, ${kept}, ${timestampType}`;
}

/** Whole days where the span is a multiple of a day, else hours with one decimal. */
function span(ms: number): string {
  const hours = ms / 3_600_000;
  return hours % 24 === 0 && hours > 0 ? `${hours / 24} d` : `${Math.round(hours * 10) / 10} h`;
}
