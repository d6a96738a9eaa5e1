/** In front of what a member says with its commit. The brokers take 4,096 bytes of metadata by default. */
const WITH_ID = /^t1:([\w-]{22})(?: (.*))?$/s;

/** What is committed beside an offset: which topic it is of, and the member's own word. */
export interface CommitMetadata {
  /** Absent: an earlier version, another program or a cluster without topic ids committed it. */
  readonly topicId?: string | undefined;
  /** "" for none. */
  readonly metadata: string;
}

/** A name is no topic: one that is deleted and made anew keeps its name, and its offsets begin at 0 again. */
export function encodeCommitMetadata({ topicId, metadata }: CommitMetadata): string {
  if (topicId === undefined) return metadata;
  return metadata === "" ? `t1:${topicId}` : `t1:${topicId} ${metadata}`;
}

/** Of any text; what names no topic is all the member's. */
export function decodeCommitMetadata(text: string): CommitMetadata {
  const [, topicId, metadata = ""] = WITH_ID.exec(text) ?? [];
  return topicId === undefined ? { metadata: text } : { topicId, metadata };
}
