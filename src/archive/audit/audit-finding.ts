import { AppError } from "../../kernel/errors.ts";
import type { GroupPosition, StreamRecord, TopicPartition } from "../../kernel/stream.ts";
import type { Verdict } from "../../messages/verdict.ts";
import type { ReadableStore, VersionedStore } from "../object-store.ts";

/** One thing that is wrong, and where. */
export interface AuditFinding {
  /** Absent: it is about the whole topic. */
  readonly partition?: number;
  /** The object; absent when it is about what lies between objects, or after them. */
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
  /** The offsets that are in no object, where that is what was found. */
  readonly missing?: OffsetsMissing;
}

/** Offsets of a partition, both inclusive. */
export interface OffsetsMissing {
  readonly from: number;
  readonly until: number;
}

/** Verdicts that somebody knows to be lost: the topic deleted them before they were archived. */
export interface ReportedLoss extends OffsetsMissing {
  readonly partition: number;
}

/** What was looked at. */
export interface AuditCounts {
  objects: number;
  verdicts: number;
  /** Verdicts whose decision was made again, and those that another policy decided. */
  decided: number;
  otherPolicy: number;
  /** How many were decided again by each policy, by its id and hash: whoever edits a verdict may name a milder one of before. */
  readonly policies: Map<string, number>;
  /** How many of those that were not each such policy decided, by its id and hash. */
  readonly missingPolicies: Map<string, number>;
  /** How many verdicts name each set of lists, by its id. */
  readonly listSets: Map<string, number>;
  /** Verdicts with ids that no set of lists can have, or with sets beyond the most that are looked at. */
  readonly strayLists: Map<string, number>;
  /** Sets that the archive spells out as their ids say. */
  spelledOut: number;
  /** Verdicts that were compared with the topic. */
  compared: number;
  /** Losses that were known. */
  acknowledged: number;
  /** Partitions of which an object was held against the hash in the group's commit. */
  anchored: number;
  /** Offsets that the topic held when the audit began, beyond the last object and the group's commit: nobody has looked at them. */
  waiting: number;
}

/** Where the archive's group stood in a partition, and where its log ended, before the objects were listed. */
export interface AuditedPosition extends GroupPosition {
  /** The offset that came next. */
  readonly end: number;
}

/** The topic that was archived, as far as it is still kept. */
export interface AuditedTopic {
  /**
   * How messages call a log that is no topic: it keeps all that was ever written, so that nothing else need vouch for the
   * objects, and nobody commits what is archived of it.
   */
  readonly wholeLog?: string;
  readonly positions: ReadonlyMap<number, AuditedPosition>;
  /** The records from `from` to `until`, inclusive, ascending, as far as they are there. */
  records(at: TopicPartition, from: number, until: number): AsyncIterable<StreamRecord>;
  /** The first offset that is there now: `positions` may have been told long ago, and a topic deletes. */
  earliest(at: TopicPartition): Promise<number>;
}

/** What a verdict comes to when it is decided again. */
export interface DecidedAgain {
  /** Undefined when the verdict lacks what its decision depended on. */
  readonly decision: Verdict["decision"] | undefined;
  /** Checks that the policy asks about its subject, and of which it holds nothing. */
  readonly missing: readonly string[];
}

/** How sets of lists are spelled out beside the objects. */
export interface AuditedListSets {
  /** What their keys begin with. */
  readonly folder: string;
  readonly keyOf: (id: string) => string;
  /** Why a text is not what the set's id was made of; undefined when it is. */
  readonly fault: (id: string, text: string) => string | undefined;
  /** Where the worker keeps them: `log` where it has no rights in the bucket. */
  readonly keptIn: "archive" | "log";
  /** What a finding says of a set that is not there, and what to do. */
  readonly whyMissing: string;
  /** Told in place of a finding of a set that only the worker's log spells out. */
  readonly onLogged: (id: string, verdicts: number) => void;
}

export interface AuditDeps {
  readonly store: ReadableStore;
  /** Absent: the bucket keeps no versions. */
  readonly versioned?: VersionedStore;
  /** What the verdict's own subject and evidence give; undefined when it was decided by a policy that is not at hand. */
  readonly decide: (verdict: Verdict) => DecidedAgain | undefined;
  readonly listSets: AuditedListSets;
  /** Absent: nothing is compared with it. */
  readonly topic?: AuditedTopic;
  /** Gaps that are no finding, exactly as they are. */
  readonly knownLosses: readonly ReportedLoss[];
  readonly signal: AbortSignal;
  readonly onFinding: (finding: AuditFinding) => void;
  /** Told in place of `onFinding` of a gap that is known. */
  readonly onKnown: (finding: AuditFinding) => void;
  /** Told how many keys were listed before anything is read. */
  readonly onListed: (keys: number) => void;
  readonly onObject: (counts: Readonly<AuditCounts>) => void;
}

/** A finding in a partition that is known where it is found. */
export type Problem = Omit<AuditFinding, "partition">;

export type AuditReport = (problem: Problem) => void;

/** What `read` gives; what is gone or broken is told. */
export async function readable<T>(
  key: string,
  found: AuditReport,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    const value = await read();
    if (value === undefined) found({ key, finding: "object_missing", detail: "it is listed, and not there" });
    return value;
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.retryable) throw thrown;
    found({ key, finding: "object_unreadable", detail: thrown.message });
    return undefined;
  }
}
