import type { Steps } from "../../kernel/steps.ts";
import {
  type ArchiveObject,
  after,
  type LoggedVerdict,
  type ObjectMetadata,
  objectSteps,
  type Position,
} from "../object.ts";
import { type ExistingObject, StandingCheck } from "./standing-check.ts";

/** When an object is cut, whichever comes first. */
export interface ArchiveLimits {
  readonly verdicts: number;
  /** Of lines, not packed. */
  readonly bytes: number;
  /** How long a verdict may wait for its object, milliseconds. */
  readonly ageMs: number;
}

/** A topic of which nothing came for so long has been read up to its end. */
const QUIET_MS = 10_000;

/** What of one partition waits to be archived, and how it is cut. Pure: time comes in, milliseconds from any origin. */
export class PartitionArchiver {
  readonly #limits: ArchiveLimits;
  #position: Position;
  #pending: LoggedVerdict[] = [];
  /** When each was read, and written. */
  #since: { readonly readAt: number; readonly writtenAt: number }[] = [];
  #bytes = 0;
  /** Where what comes goes on after offsets that are lost, each after what waits below it; ascending. */
  #jumps: number[] = [];
  /** What stands under the next key and is longer than what was read, so that it is compared as more comes. */
  #check: StandingCheck | undefined;
  #dropped: { readonly oldestAt: number | undefined } | undefined;

  constructor(position: Position, limits: ArchiveLimits) {
    this.#position = position;
    this.#limits = limits;
  }

  get position(): Position {
    return this.#position;
  }

  /** Bytes of the lines that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** When the first of them was written, Unix milliseconds; undefined while nothing waits, or it was not said. */
  get oldestAt(): number | undefined {
    return this.#dropped?.oldestAt ?? this.#check?.oldestAt ?? this.#pending[0]?.writtenAt;
  }

  /**
   * When an object must be cut at the latest; undefined while nothing waits. A verdict waits since it was written, so that
   * it does not begin anew with each generation of the group; while a backlog is read, it waits since it was read, or each
   * delivery would be an object.
   */
  get dueAt(): number | undefined {
    const { ageMs } = this.#limits;
    const [oldest] = this.#since;
    const newest = this.#since.at(-1);
    if (oldest === undefined || newest === undefined) return undefined;
    const caughtUpAt = newest.readAt - newest.writtenAt < ageMs ? newest.readAt : newest.readAt + QUIET_MS;
    return Math.min(oldest.readAt + ageMs, Math.max(oldest.writtenAt + ageMs, caughtUpAt));
  }

  /** Takes a verdict in that was written `age` milliseconds ago; one that was archived already is passed over. */
  add(verdict: LoggedVerdict, now: number, age = 0): void {
    if (verdict.offset < this.#position.next) return;
    if (this.#check?.take(verdict) === true) return;
    this.#pending.push(verdict);
    this.#since.push({ readAt: now, writtenAt: now - Math.max(0, age) });
    this.#bytes += sizeOf(verdict);
  }

  /**
   * What was to come below `until` comes no more. It is in no object: what waits is cut where it begins, and the object
   * after that starts at `until`, which shows as a gap.
   *
   * @returns the first offset that is lost; undefined when none is.
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
   * The object to store next, made in steps, between which verdicts may be added and others be lost; undefined while it may
   * still grow. `atOnce`: whatever waits is worth one.
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

  /** The object is durable: what it holds waits no more. @returns the bytes of its lines. */
  stored(object: Pick<ArchiveObject, "key" | "metadata">): number {
    let bytes = this.#check?.bytes ?? 0;
    this.#check = undefined;
    this.#position = after(object);
    bytes += this.#take(this.#countUntil(object.metadata.end)).reduce((sum, verdict) => sum + sizeOf(verdict), 0);
    this.#jump();
    return bytes;
  }

  /**
   * Compares what comes from now on with `standing`, which is longer than what waits. Nothing of it is kept, so that no
   * object needs more memory than there is, whatever it says of its length.
   */
  check(standing: ObjectMetadata): void {
    const check = new StandingCheck(standing);
    this.#check = check;
    for (const verdict of this.#take(this.#pending.length)) check.take(verdict);
  }

  /** What is known of it by now. */
  get checked(): ExistingObject | undefined {
    return this.#check?.found;
  }

  /** Nothing of this partition is archived any more: its memory is for others. How old it is remains known. */
  drop(): void {
    this.#dropped = { oldestAt: this.oldestAt };
    this.#take(this.#pending.length);
  }

  /** Compares what waits with what stands under the key of the object that comes next. */
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

  /** Goes on after what is lost, once nothing below that waits. */
  #jump(): void {
    for (;;) {
      const [until] = this.#jumps;
      const [first] = this.#pending;
      if (until === undefined || (first !== undefined && first.offset < until)) return;
      this.#jumps.shift();
      this.#position = { ...this.#position, next: Math.max(this.#position.next, until) };
    }
  }

  /** How many wait up to an offset, inclusive. */
  #countUntil(end: number): number {
    const at = this.#pending.findIndex(({ offset }) => offset > end);
    return at === -1 ? this.#pending.length : at;
  }
}

function sizeOf(verdict: LoggedVerdict | undefined): number {
  return (verdict?.line.byteLength ?? 0) + 1;
}
