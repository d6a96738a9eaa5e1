import type { EpochStart } from "./log-truncation.ts";

/** In front of what a member says with its commit. The brokers take 4,096 bytes of metadata by default. */
const WITH_ID = /^t1:([\w-]{22})(?:@([!-~]{1,100}))?(?: (.*))?$/s;
/**
 * Behind the ids: leader epochs, each with the offset that it begins at, ascending. They stand where earlier versions read
 * the member's own word, so that a version that knows no epochs takes them for a word that it does not understand.
 */
const WITH_EPOCHS = /^e(-|\d{1,10}:\d{1,16}(?:,\d{1,10}:\d{1,16})*)(?: (.*))?$/s;
/** Where none are known and a word would be taken for some. */
const NO_EPOCHS = "e-";
const CLUSTER_ID = /^[!-~]{1,100}$/;

/** Which topic of which cluster has a name. */
export interface TopicIds {
  /** Absent: the brokers give topics none, or it is not known. */
  readonly topicId?: string | undefined;
  /** Absent: the brokers do not tell it. */
  readonly clusterId?: string | undefined;
}

/** What is committed beside an offset: which topic it is of, of which leaders its records are, and the member's own word. */
export interface CommitMetadata extends TopicIds {
  /** Leader epochs of what was read, from the one of the record before the offset on; absent or empty: none is known. */
  readonly epochs?: readonly EpochStart[] | undefined;
  /** "" for none. */
  readonly metadata: string;
}

/**
 * A name is no topic: one that is deleted and made anew keeps its name, and its offsets begin at 0 again. An id is of one
 * cluster: tools that mirror a group to another one translate its offsets, and copy this as it is.
 */
export function encodeCommitMetadata({ topicId, clusterId, epochs = [], metadata }: CommitMetadata): string {
  if (topicId === undefined) return metadata;
  const cluster = clusterId !== undefined && CLUSTER_ID.test(clusterId) ? `@${clusterId}` : "";
  const words = [`t1:${topicId}${cluster}`];
  if (epochs.length > 0) words.push(`e${epochs.map(({ epoch, from }) => `${epoch}:${from}`).join()}`);
  else if (WITH_EPOCHS.test(metadata)) words.push(NO_EPOCHS);
  return (metadata === "" ? words : [...words, metadata]).join(" ");
}

/** Of any text; what names no topic is all the member's. */
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

/** Whether these are ids of two topics. Where one is not known, that is not known either. */
export function areOther(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
