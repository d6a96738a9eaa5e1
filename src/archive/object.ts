import { VERDICT_SCHEMA } from "../events/verdict.ts";
import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/sha256.ts";

/** Where an object stops growing, whichever comes first. */
export interface CutLimits {
  readonly verdicts: number;
  readonly bytes: number;
}

export const DEFAULT_CUT: CutLimits = { verdicts: 100_000, bytes: 4 * 1024 * 1024 };

/** One verdict as it stands in its log. */
export interface LoggedVerdict {
  /** Its place there, from 0. In a topic places may be missing: what was compacted, and marks of transactions. */
  readonly offset: number;
  readonly line: Uint8Array;
  /** When it was written there, Unix milliseconds; without it the verdict's own time stands for that. */
  readonly writtenAt?: number;
}

/** What an audit needs beside the lines: together the objects of a partition prove that nothing is missing. */
export interface ObjectMetadata {
  readonly schema: string;
  readonly topic: string;
  readonly partition: number;
  readonly start: number;
  /** Offset of the last verdict, inclusive. The next object starts right after it, whatever offset comes next. */
  readonly end: number;
  readonly count: number;
  /** SHA-256 of the uncompressed lines, each with its line end. */
  readonly sha256: string;
  /** `sha256` of the object before this one; empty for the first. */
  readonly previous_sha256: string;
}

/** What a store tells of an object without its lines. */
export interface StoredObject {
  readonly key: string;
  readonly metadata: ObjectMetadata;
}

export interface ArchiveObject extends StoredObject {
  readonly lines: Uint8Array;
}

/** Which log is cut, and what it was cut into so far. */
export interface Position {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the next verdict to archive. */
  readonly next: number;
  readonly previousSha256: string;
}

/**
 * The object that holds `verdicts`, which follow one another from `position.next` on. Its name and bytes depend on the
 * position and the verdicts alone: cut again, it is the same object.
 */
export function objectOf(verdicts: readonly LoggedVerdict[], position: Position): ArchiveObject {
  const [first, last] = [verdicts[0], verdicts.at(-1)];
  if (first === undefined || last === undefined || first.offset < position.next)
    throw new Error("an object must hold what comes after the last");
  const lines = Buffer.concat(verdicts.flatMap(({ line }) => [line, newline]));
  return {
    key: objectKey(position, first),
    lines,
    metadata: {
      schema: VERDICT_SCHEMA,
      topic: position.topic,
      partition: position.partition,
      start: position.next,
      end: last.offset,
      count: verdicts.length,
      sha256: sha256(lines),
      previous_sha256: position.previousSha256,
    },
  };
}

/** The position after `object`. */
export function after(object: StoredObject): Position {
  const { topic, partition, end, sha256: previousSha256 } = object.metadata;
  return { topic, partition, next: end + 1, previousSha256 };
}

/** Unix milliseconds; from then on a date has more digits. */
const YEAR_10000 = 253_402_300_800_000;

const newline = Buffer.from("\n");

/** v1/<topic>/dt=<UTC date of the first verdict>/p=<partition>/<start>.ndjson.gz; digits are padded so that keys sort. */
function objectKey({ topic, partition, next }: Position, first: LoggedVerdict): string {
  const start = String(next).padStart(20, "0");
  return `v1/${topic}/dt=${dateOf(first)}/p=${String(partition).padStart(5, "0")}/${start}.ndjson.gz`;
}

/** The UTC date of Unix milliseconds, as keys have it; undefined for a time that no log can mean. */
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
