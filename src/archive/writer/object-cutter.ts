import type { Steps } from "../../kernel/async.ts";
import {
  type ArchiveObject,
  after,
  type LoggedVerdict,
  type ObjectMetadata,
  objectSteps,
  type Position,
} from "../object.ts";
import { type ExistingObject, StandingCheck } from "./standing-check.ts";

/** The limits at which an object is cut. The first limit that is reached counts. */
export interface ArchiveLimits {
  readonly verdicts: number;
  /** Uncompressed bytes of lines. */
  readonly bytes: number;
  /** The longest time that a verdict waits for its object, milliseconds. */
  readonly ageMs: number;
}

/** A topic without new records for this long has been read to its end. */
const QUIET_MS = 10_000;

/**
 * The verdicts of one partition that wait for an object, and the rules for cutting objects. Pure: the caller passes the
 * time, milliseconds from any origin.
 */
export class ObjectCutter {
  readonly #limits: ArchiveLimits;
  #position: Position;
  #pending: LoggedVerdict[] = [];
  /** The time of reading and the time of writing of each waiting verdict. */
  #since: { readonly readAt: number; readonly writtenAt: number }[] = [];
  #bytes = 0;
  /**
   * Offsets at which reading continues after lost offsets, ascending. Each one applies after the waiting verdicts below
   * it.
   */
  #jumps: number[] = [];
  /**
   * The comparison with an existing object under the next key that is longer than the verdicts read. It continues as
   * more verdicts come.
   */
  #check: StandingCheck | undefined;
  #dropped: { readonly oldestAt: number | undefined } | undefined;

  constructor(position: Position, limits: ArchiveLimits) {
    this.#position = position;
    this.#limits = limits;
  }

  get position(): Position {
    return this.#position;
  }

  /** Bytes of the waiting lines. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Time of writing of the first waiting verdict, Unix milliseconds. Undefined while none waits, or when the time is
   * unknown.
   */
  get oldestAt(): number | undefined {
    return this.#dropped?.oldestAt ?? this.#check?.oldestAt ?? this.#pending[0]?.writtenAt;
  }

  /**
   * The latest time to cut an object. Undefined while nothing waits. The wait of a verdict counts from its time of
   * writing. So a new generation of the group does not restart it. While a backlog is read, the wait counts from the
   * time of reading. Otherwise each delivery would become an object.
   */
  get dueAt(): number | undefined {
    const { ageMs } = this.#limits;
    const [oldest] = this.#since;
    const newest = this.#since.at(-1);
    if (oldest === undefined || newest === undefined) return undefined;
    const caughtUpAt = newest.readAt - newest.writtenAt < ageMs ? newest.readAt : newest.readAt + QUIET_MS;
    return Math.min(oldest.readAt + ageMs, Math.max(oldest.writtenAt + ageMs, caughtUpAt));
  }

  /** Adds a verdict that was written `age` milliseconds ago. A verdict that is archived already is ignored. */
  add(verdict: LoggedVerdict, now: number, age = 0): void {
    if (verdict.offset < this.#position.next) return;
    if (this.#check?.take(verdict) === true) return;
    this.#pending.push(verdict);
    this.#since.push({ readAt: now, writtenAt: now - Math.max(0, age) });
    this.#bytes += sizeOf(verdict);
  }

  /**
   * The verdicts below `until` were lost. They are in no object. The current object is cut before the lost offsets. The
   * next object starts at `until`, which shows as a gap.
   *
   * @returns the first lost offset. Undefined when none is lost.
   */
  skipTo(until: number): number | undefined {
    const last = this.#pending.at(-1)?.offset ?? this.#check?.last ?? -1;
    const from = Math.max(this.#position.next, this.#jumps.at(-1) ?? 0, last + 1);
    if (until <= from) return undefined;
    this.#jumps.push(until);
    this.#jump();
    return from;
  }

  /**
   * The next object to store, made in steps. Between the steps, verdicts may be added or lost. Undefined while the
   * object may still grow. With `atOnce`, any waiting verdict is enough for an object.
   */
  next(now: number, atOnce = false): Steps<ArchiveObject> | undefined {
    const isDue = (this.dueAt ?? Number.POSITIVE_INFINITY) <= now;
    const [until = Number.POSITIVE_INFINITY] = this.#jumps;
    if (
      !isDue &&
      !atOnce &&
      until === Number.POSITIVE_INFINITY &&
      this.#pending.length < this.#limits.verdicts &&
      this.#bytes < this.#limits.bytes
    )
      return undefined;
    let count = 0;
    let bytes = 0;
    const { verdicts: most, bytes: mostBytes } = this.#limits;
    for (const verdict of this.#pending) {
      if (count >= most || bytes >= mostBytes || verdict.offset >= until) break;
      bytes += sizeOf(verdict);
      count++;
    }
    return count === 0 ? undefined : objectSteps(this.#pending, count, this.#position);
  }

  /** Removes the verdicts of a durable object. @returns the bytes of its lines. */
  stored(object: Pick<ArchiveObject, "key" | "metadata">): number {
    let bytes = this.#check?.bytes ?? 0;
    this.#check = undefined;
    this.#position = after(object);
    bytes += this.#take(this.#countUntil(object.metadata.end)).reduce((sum, verdict) => sum + sizeOf(verdict), 0);
    this.#jump();
    return bytes;
  }

  /**
   * Compares the coming verdicts with `standing`, which is longer than the waiting verdicts. The compared verdicts are
   * not kept, so memory stays bounded whatever length the object claims.
   */
  check(standing: ObjectMetadata): void {
    const check = new StandingCheck(standing);
    this.#check = check;
    for (const verdict of this.#take(this.#pending.length)) check.take(verdict);
  }

  /** The current result of the comparison. */
  get checked(): ExistingObject | undefined {
    return this.#check?.found;
  }

  /** Releases the memory of a partition that is not archived any more. The age of its oldest verdict remains known. */
  drop(): void {
    this.#dropped = { oldestAt: this.oldestAt };
    this.#take(this.#pending.length);
  }

  /** Compares the waiting verdicts with the existing object under the next key. */
  compare(standing: ObjectMetadata): ExistingObject {
    const { topic, partition, next, previousSha256 } = this.#position;
    if (standing.topic !== topic || standing.partition !== partition || standing.start !== next) return "other";
    if (standing.previous_sha256 !== previousSha256) return "other";
    const check = new StandingCheck(standing);
    for (const verdict of this.#pending) if (!check.take(verdict)) break;
    return check.found;
  }

  #take(count: number): LoggedVerdict[] {
    const taken = this.#pending.splice(0, count);
    this.#since.splice(0, count);
    for (const verdict of taken) this.#bytes -= sizeOf(verdict);
    return taken;
  }

  /** Moves the position past lost offsets, once no lower verdict waits. */
  #jump(): void {
    for (;;) {
      const [until] = this.#jumps;
      const [first] = this.#pending;
      if (until === undefined || (first !== undefined && first.offset < until)) return;
      this.#jumps.shift();
      this.#position = { ...this.#position, next: Math.max(this.#position.next, until) };
    }
  }

  /** The number of waiting verdicts up to an offset, inclusive. */
  #countUntil(end: number): number {
    const at = this.#pending.findIndex(({ offset }) => offset > end);
    return at === -1 ? this.#pending.length : at;
  }
}

function sizeOf(verdict: LoggedVerdict | undefined): number {
  return (verdict?.line.byteLength ?? 0) + 1;
}
