import type { EpochStart } from "./log-truncation.ts";

/** The prefix of the metadata that a member commits. The brokers accept 4,096 bytes of metadata by default. */
const WITH_ID = /^t1:([\w-]{22})(?:@([!-~]{1,100}))?(?: (.*))?$/s;
/**
 * The text behind the ids: leader epochs, each with its first offset, ascending. Earlier versions read the member's
 * metadata at this position. A version without epochs takes the epochs for metadata that it does not understand.
 */
const WITH_EPOCHS = /^e(-|\d{1,10}:\d{1,16}(?:,\d{1,10}:\d{1,16})*)(?: (.*))?$/s;
/** The marker for no known epochs, where the metadata would be taken for epochs. */
const NO_EPOCHS = "e-";
const CLUSTER_ID = /^[!-~]{1,100}$/;

/** The ids of a topic and its cluster. */
export interface TopicIds {
  /** Absent: the brokers give topics no ids, or the id is unknown. */
  readonly topicId?: string | undefined;
  /** Absent: the brokers do not report the id. */
  readonly clusterId?: string | undefined;
}

/** The metadata of a commit: the id of its topic, the leader epochs of the read records, and the member's own text. */
export interface CommitMetadata extends TopicIds {
  /**
   * Leader epochs of the read records, from the epoch of the record before the offset on. Absent or empty: none is
   * known.
   */
  readonly epochs?: readonly EpochStart[] | undefined;
  /** "" for no metadata. */
  readonly metadata: string;
}

/**
 * Encodes the topic's id, since a name does not identify a topic: a recreated topic keeps its name, and its offsets
 * begin at 0 again. The cluster's id is encoded, too. Tools that mirror a group to another cluster translate its
 * offsets, and copy this metadata unchanged.
 */
export function encodeCommitMetadata({ topicId, clusterId, epochs = [], metadata }: CommitMetadata): string {
  if (topicId === undefined) return metadata;
  const cluster = clusterId !== undefined && CLUSTER_ID.test(clusterId) ? `@${clusterId}` : "";
  const words = [`t1:${topicId}${cluster}`];
  if (epochs.length > 0) words.push(`e${epochs.map(({ epoch, from }) => `${epoch}:${from}`).join()}`);
  else if (WITH_EPOCHS.test(metadata)) words.push(NO_EPOCHS);
  return (metadata === "" ? words : [...words, metadata]).join(" ");
}

/** Decodes any text. A text without a topic's id is completely the member's. */
export function decodeCommitMetadata(text: string): CommitMetadata {
  const [, topicId, clusterId, rest = ""] = WITH_ID.exec(text) ?? [];
  if (topicId === undefined) return { metadata: text };
  const [, epochs, word = ""] = WITH_EPOCHS.exec(rest) ?? [];
  return {
    topicId,
    ...(clusterId === undefined ? {} : { clusterId }),
    ...(epochs === undefined || epochs === "-" ? {} : { epochs: epochs.split(",").map(readEpoch) }),
    metadata: epochs === undefined ? rest : word,
  };
}

function readEpoch(text: string): EpochStart {
  const [epoch, from] = text.split(":");
  return { epoch: Number(epoch), from: Number(from) };
}

/** Whether the ids belong to two topics. False where one id is unknown. */
export function areOther(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
