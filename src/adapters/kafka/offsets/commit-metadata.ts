/** In front of what a member says with its commit. The brokers take 4,096 bytes of metadata by default. */
const WITH_ID = /^t1:([\w-]{22})(?:@([!-~]{1,100}))?(?: (.*))?$/s;
const CLUSTER_ID = /^[!-~]{1,100}$/;

/** Which topic of which cluster has a name. */
export interface TopicIds {
  /** Absent: the brokers give topics none, or it is not known. */
  readonly topicId?: string | undefined;
  /** Absent: the brokers do not tell it. */
  readonly clusterId?: string | undefined;
}

/** What is committed beside an offset: which topic it is of, and the member's own word. */
export interface CommitMetadata extends TopicIds {
  /** "" for none. */
  readonly metadata: string;
}

/**
 * A name is no topic: one that is deleted and made anew keeps its name, and its offsets begin at 0 again. An id is of one
 * cluster: tools that mirror a group to another one translate its offsets, and copy this as it is.
 */
export function encodeCommitMetadata({ topicId, clusterId, metadata }: CommitMetadata): string {
  if (topicId === undefined) return metadata;
  const cluster = clusterId !== undefined && CLUSTER_ID.test(clusterId) ? `@${clusterId}` : "";
  return `t1:${topicId}${cluster}${metadata === "" ? "" : ` ${metadata}`}`;
}

/** Of any text; what names no topic is all the member's. */
export function decodeCommitMetadata(text: string): CommitMetadata {
  const [, topicId, clusterId, metadata = ""] = WITH_ID.exec(text) ?? [];
  if (topicId === undefined) return { metadata: text };
  return clusterId === undefined ? { topicId, metadata } : { topicId, clusterId, metadata };
}

/** Whether these are ids of two topics. Where one is not known, that is not known either. */
export function areOther(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
