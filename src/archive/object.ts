import type { Steps } from "../kernel/async.ts";
import { timestamp } from "../kernel/clock.ts";
import { RunningSha256, sha256 } from "../kernel/hash.ts";
import type { TopicPartition } from "../kernel/stream.ts";
import { VERDICT_SCHEMA } from "../messages/verdict.ts";

/** The limits of an object. The first limit that is reached ends it. */
export interface CutLimits {
  readonly verdicts: number;
  readonly bytes: number;
}

export const DEFAULT_CUT: CutLimits = { verdicts: 100_000, bytes: 4 * 1024 * 1024 };

/** One verdict of a log. */
export interface LoggedVerdict {
  /** The offset in the log, from 0. A topic may lack offsets because of compaction and transaction markers. */
  readonly offset: number;
  readonly line: Uint8Array;
  /** Time of writing, Unix milliseconds. When it is absent, the verdict's own time is used. */
  readonly writtenAt?: number;
}

/**
 * The metadata that an audit needs beside the lines. Together, the objects of a partition prove that none is missing.
 */
export interface ObjectMetadata {
  readonly schema: string;
  readonly topic: string;
  readonly partition: number;
  readonly start: number;
  /**
   * Offset of the last verdict, inclusive. The next object starts at `end` + 1, whatever the next offset in the log is.
   */
  readonly end: number;
  readonly count: number;
  /** SHA-256 of the uncompressed lines, each with its line end. */
  readonly sha256: string;
  /** `chainSha256` of the previous object. Empty for the first object. */
  readonly previous_sha256: string;
}

/** An object of the store without its lines. */
export interface StoredObject {
  readonly key: string;
  readonly metadata: ObjectMetadata;
}

export interface ArchiveObject extends StoredObject {
  readonly lines: Uint8Array;
}

/** The log, and the position up to which it was cut into objects. */
export interface Position {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the next verdict to archive. */
  readonly next: number;
  /** `chainSha256` of the previous object. Empty at the beginning. */
  readonly previousSha256: string;
}

/** Bytes of lines per step. Chosen: hashing a MiB delays other work for a few milliseconds at most. */
const STEP_BYTES = 1024 * 1024;

/**
 * Makes the object of the first `count` of `verdicts`, which are consecutive from `position.next`. Its key and bytes
 * depend on the position and the verdicts alone, so a repetition gives the same object.
 * Between the steps, other work of the process can run, and verdicts may be added. Each verdict taken from `verdicts`
 * is replaced by one with its line inside the object. So no line is in memory twice.
 */
export function* objectSteps(verdicts: LoggedVerdict[], count: number, position: Position): Steps<ArchiveObject> {
  const [first, last] = [verdicts[0], verdicts[count - 1]];
  if (first === undefined || last === undefined || first.offset < position.next)
    throw new Error("an object must hold what comes after the last");
  const lines = Buffer.alloc(sizeOfFirst(verdicts, count));
  const hash = new RunningSha256();
  let [from, until] = [0, 0];
  for (const [i, verdict] of verdicts.entries()) {
    if (i === count) break;
    const start = until;
    lines.set(verdict.line, start);
    until += verdict.line.byteLength;
    verdicts[i] = { ...verdict, line: lines.subarray(start, until) };
    lines[until++] = NEWLINE;
    if (until - from < STEP_BYTES) continue;
    hash.add(lines.subarray(from, until));
    from = until;
    yield;
  }
  hash.add(lines.subarray(from, until));
  return { ...storedObject({ first, end: last.offset, count, sha256: hash.digest() }, position), lines };
}

/** The stored form of the object with the first verdict `first`. */
export function storedObject(
  { first, ...content }: Pick<ObjectMetadata, "end" | "count" | "sha256"> & { readonly first: LoggedVerdict },
  position: Position,
): StoredObject {
  return {
    key: objectKey(position, first),
    metadata: {
      schema: VERDICT_SCHEMA,
      topic: position.topic,
      partition: position.partition,
      start: position.next,
      end: content.end,
      count: content.count,
      sha256: content.sha256,
      previous_sha256: position.previousSha256,
    },
  };
}

/**
 * The hash that the next object names and the group commits: SHA-256 of a JSON array of the key and all metadata. It
 * covers the lines and their position, and by `previous_sha256` every earlier object. The order of the array is part of
 * the format. Source: docs/decisions/0014-archive-chain.md.
 */
export function chainSha256({ key, metadata }: StoredObject): string {
  const { schema, topic, partition, start, end, count, sha256: lines, previous_sha256: previous } = metadata;
  return sha256(JSON.stringify([previous, key, schema, topic, partition, start, end, count, lines]));
}

/** The position after `object`. */
export function after(object: StoredObject): Position {
  const { topic, partition, end } = object.metadata;
  return { topic, partition, next: end + 1, previousSha256: chainSha256(object) };
}

/** Unix milliseconds. From this time on, a date has more digits. */
const YEAR_10000 = 253_402_300_800_000;

const NEWLINE = "\n".charCodeAt(0);

function sizeOfFirst(verdicts: readonly LoggedVerdict[], count: number): number {
  let bytes = 0;
  for (const { line } of verdicts.slice(0, count)) bytes += line.byteLength + 1;
  return bytes;
}

/**
 * v1/<topic>/dt=<UTC date of the first verdict>/p=<partition>/<start>.ndjson.gz. Digits are padded so that keys sort.
 */
function objectKey(position: Position, first: LoggedVerdict): string {
  return `${folderOf(position, dateOf(first))}${String(position.next).padStart(20, "0")}.ndjson.gz`;
}

/** The prefix of the keys of a partition's objects with first verdicts written on `date` (UTC). */
export function folderOf({ topic, partition }: TopicPartition, date: string): string {
  return `v1/${topic}/dt=${date}/p=${String(partition).padStart(5, "0")}/`;
}

/** The UTC date of Unix milliseconds in the format of keys. Undefined for a time outside the possible range. */
export function dateOfWriting(writtenAt: number): string | undefined {
  return writtenAt >= 0 && writtenAt < YEAR_10000 ? timestamp(writtenAt).slice(0, 10) : undefined;
}

function dateOf({ line, offset, writtenAt }: LoggedVerdict): string {
  const written = writtenAt === undefined ? undefined : dateOfWriting(writtenAt);
  if (written !== undefined) return written;
  const decidedAt: unknown = Reflect.get(JSON.parse(Buffer.from(line).toString("utf8")), "decided_at");
  const date = typeof decidedAt === "string" ? decidedAt.slice(0, 10) : "";
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Error(`the verdict at offset ${offset} has no decided_at`);
  return date;
}
