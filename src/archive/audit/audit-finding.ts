import { AppError } from "../../kernel/errors.ts";
import type { GroupPosition, StreamRecord, TopicPartition } from "../../kernel/stream.ts";
import type { Verdict } from "../../messages/verdict.ts";
import type { ReadableStore, VersionedStore } from "../object-store.ts";

/** One defect of the archive, and its place. */
export interface AuditFinding {
  /** Absent when the finding concerns the whole topic. */
  readonly partition?: number;
  /** The key of the object. Absent when the finding concerns offsets between or after objects. */
  readonly key?: string;
  readonly finding:
    | "nothing_archived"
    | "nothing_committed"
    | "alien_key"
    | "partition_unknown"
    | "put_again"
    | "deleted"
    | "object_missing"
    | "object_unreadable"
    | "key_mismatch"
    | "gap"
    | "overlap"
    | "chain_broken"
    | "commit_mismatch"
    | "not_anchored"
    | "beginning_missing"
    | "end_missing"
    | "hash_mismatch"
    | "count_mismatch"
    | "not_a_verdict"
    | "other_decision"
    | "evidence_left_out"
    | "check_missing"
    | "policy_missing"
    | "lists_missing"
    | "lists_changed"
    | "lists_unreadable"
    | "log_missing"
    | "not_in_topic";
  readonly detail: string;
  /** The offsets without an object, for a finding about a gap. */
  readonly missing?: OffsetsMissing;
}

/** Offsets of a partition, both inclusive. */
export interface OffsetsMissing {
  readonly from: number;
  readonly until: number;
}

/** Lost verdicts that an operator has acknowledged: the topic deleted them before they were archived. */
export interface ReportedLoss extends OffsetsMissing {
  readonly partition: number;
}

/** The extent of an audit. */
export interface AuditCounts {
  objects: number;
  verdicts: number;
  /** Verdicts with a repeated decision (`decided`), and verdicts of another policy (`otherPolicy`). */
  decided: number;
  otherPolicy: number;
  /** Repeated decisions by id and hash of the policy. An edited verdict may name an older, milder policy. */
  readonly policies: Map<string, number>;
  /** Verdicts without a repeated decision, by id and hash of the missing policy. */
  readonly missingPolicies: Map<string, number>;
  /** Verdicts by the id of their set of lists. */
  readonly listSets: Map<string, number>;
  /** Verdicts with invalid ids of list sets, or with sets beyond the limit of the audit. */
  readonly strayLists: Map<string, number>;
  /** List sets that the archive holds with a content that matches the id. */
  spelledOut: number;
  /** Verdicts that were compared with the topic. */
  compared: number;
  /** Losses that an operator has acknowledged. */
  acknowledged: number;
  /** Partitions with an object that was compared with the hash in the group's commit. */
  anchored: number;
  /**
   * Offsets of the topic at the start of the audit beyond the last object and the group's commit. The audit does not
   * cover them.
   */
  waiting: number;
}

/**
 * The position of the archive's group in a partition, and the end of its log. Both date from before the listing of the
 * objects.
 */
export interface AuditedPosition extends GroupPosition {
  /** The next offset of the log. */
  readonly end: number;
}

/** The archived topic, as far as its records still exist. */
export interface AuditedTopic {
  /**
   * The name, in messages, of a log that is no topic. Such a log keeps everything that was written, so it alone vouches
   * for the objects. No group commits its archived offsets.
   */
  readonly wholeLog?: string;
  readonly positions: ReadonlyMap<number, AuditedPosition>;
  /** The existing records from `from` to `until`, inclusive, ascending. */
  records(at: TopicPartition, from: number, until: number): AsyncIterable<StreamRecord>;
  /** The first offset that exists now. `positions` may be older, and a topic deletes records. */
  earliest(at: TopicPartition): Promise<number>;
}

/** The result of deciding a verdict again. */
export interface DecidedAgain {
  /** Undefined when the verdict lacks the data that its decision depended on. */
  readonly decision: Verdict["decision"] | undefined;
  /** Checks that the policy requires for the subject, but that the verdict lacks. */
  readonly missing: readonly string[];
}

/** How list sets are stored beside the objects. */
export interface AuditedListSets {
  /** The prefix of their keys. */
  readonly folder: string;
  readonly keyOf: (id: string) => string;
  /** The reason why a text does not match the id of a set. Undefined when it matches. */
  readonly fault: (id: string, text: string) => string | undefined;
  /** The place where the worker stores list sets. It is `log` when the worker has no rights in the bucket. */
  readonly keptIn: "archive" | "log";
  /** The cause and the remedy, for a finding about a missing set. */
  readonly whyMissing: string;
  /** Called instead of a finding for a set that exists only in the worker's log. */
  readonly onLogged: (id: string, verdicts: number) => void;
}

export interface AuditDeps {
  readonly store: ReadableStore;
  /** Absent when the bucket keeps no versions. */
  readonly versioned?: VersionedStore;
  /** Decides a verdict again from its own subject and evidence. Undefined when its policy is not available. */
  readonly decide: (verdict: Verdict) => DecidedAgain | undefined;
  readonly listSets: AuditedListSets;
  /** Absent when the objects are not compared with a topic. */
  readonly topic?: AuditedTopic;
  /** Gaps that are no finding. A gap must match exactly. */
  readonly knownLosses: readonly ReportedLoss[];
  readonly signal: AbortSignal;
  readonly onFinding: (finding: AuditFinding) => void;
  /** Called instead of `onFinding` for an acknowledged gap. */
  readonly onKnown: (finding: AuditFinding) => void;
  /** Called with the number of listed keys before any object is read. */
  readonly onListed: (keys: number) => void;
  readonly onObject: (counts: Readonly<AuditCounts>) => void;
}

/** A finding without its partition, which the caller adds. */
export type Problem = Omit<AuditFinding, "partition">;

export type AuditReport = (problem: Problem) => void;

/** The value of `read`. A missing or broken object is reported as a finding. */
export async function readable<T>(
  key: string,
  found: AuditReport,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    const value = await read();
    if (value === undefined) found({ key, finding: "object_missing", detail: "the object is listed but missing" });
    return value;
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.retryable) throw thrown;
    found({ key, finding: "object_unreadable", detail: thrown.message });
    return undefined;
  }
}
