import { OutputUnwritableError } from "../kernel/errors.ts";
import { RunningSha256 } from "../kernel/sha256.ts";
import {
  type ArchiveObject,
  after,
  type CutLimits,
  type LoggedVerdict,
  objectOf,
  type Position,
  type StoredObject,
} from "./object.ts";
import type { ArchiveStore } from "./ports.ts";

/** A log to archive: all of it, from its start on. */
interface Log {
  readonly topic: string;
  readonly partition: number;
  readonly verdicts: AsyncIterable<LoggedVerdict>;
  /** Makes the disk keep what `verdicts` gave: after a loss of power an archive must not hold more than its log. */
  readonly keep: () => Promise<void>;
}

type Verdicts = AsyncIterator<LoggedVerdict>;
type Put = (object: ArchiveObject, before: Promise<void>) => Promise<void>;

/**
 * Archives what a log holds beyond the archive's end, object by object, each durable before anything of the next is there.
 * What is archived already must be what stands in the log. Holds three objects' lines in memory at most: one is made and
 * another packed while the one before them is written.
 *
 * @returns how many objects and verdicts were added.
 * @throws {OutputUnwritableError} naming the first object that is not of this log.
 */
export async function archiveLog(
  log: Log,
  store: ArchiveStore,
  limits: CutLimits,
): Promise<{ readonly objects: number; readonly verdicts: number }> {
  const verdicts = log.verdicts[Symbol.asyncIterator]();
  try {
    let position: Position = { topic: log.topic, partition: log.partition, next: 0, previousSha256: "" };
    for await (const object of store.objects(log.topic, log.partition)) {
      if (!(await isNextIn(verdicts, object, position))) throw notOfThisLog(object);
      position = after(object);
    }
    const put: Put = async (object, before) => {
      await log.keep();
      await store.put(object, before);
    };
    return await append(verdicts, position, put, limits);
  } finally {
    await verdicts.return?.();
  }
}

/** Whether the object follows on `position` and holds the next verdicts, which are taken from `verdicts`, one by one. */
async function isNextIn(verdicts: Verdicts, { metadata }: StoredObject, position: Position): Promise<boolean> {
  if (metadata.start !== position.next || metadata.previous_sha256 !== position.previousSha256) return false;
  const sha256 = new RunningSha256();
  for (let offset = metadata.start; offset <= metadata.end; offset++) {
    const { done, value } = await verdicts.next();
    if (done === true || value.offset !== offset) return false;
    sha256.add(value.line);
    sha256.add("\n");
  }
  return sha256.digest() === metadata.sha256;
}

function notOfThisLog({ key }: StoredObject): OutputUnwritableError {
  return new OutputUnwritableError(
    `the archive's ${key} does not hold the verdicts that stand in their place now: choose another --out`,
  );
}

async function append(
  verdicts: Verdicts,
  from: Position,
  put: Put,
  limits: CutLimits,
): Promise<{ readonly objects: number; readonly verdicts: number }> {
  let position = from;
  const added = { objects: 0, verdicts: 0 };
  let pending: LoggedVerdict[] = [];
  let bytes = 0;
  const stored = new LastTwo();
  const cut = async () => {
    const object = objectOf(pending, position);
    await stored.add((before) => put(object, before));
    position = after(object);
    added.objects++;
    added.verdicts += pending.length;
    pending = [];
    bytes = 0;
  };
  try {
    for (let next = await verdicts.next(); next.done !== true; next = await verdicts.next()) {
      // Unlike a topic, a file of verdicts misses no place.
      if (next.value.offset !== position.next + pending.length)
        throw new Error("an object must start where the last ended");
      pending.push(next.value);
      bytes += next.value.line.byteLength + 1;
      if (pending.length >= limits.verdicts || bytes >= limits.bytes) await cut();
    }
    if (pending.length > 0) await cut();
  } finally {
    await stored.end();
  }
  return added;
}

/** Work that goes on while the work before it ends, and no more of it at once than these two. */
class LastTwo {
  #before: Promise<void> = Promise.resolve();
  #last: Promise<void> = Promise.resolve();

  /** Begins what comes after all the others. @throws what the one before the last rejects with. */
  async add(begin: (before: Promise<void>) => Promise<void>): Promise<void> {
    await this.#before;
    this.#before = this.#last;
    this.#last = begin(this.#before);
    // Told by `end`.
    this.#last.catch(() => undefined);
  }

  /** Waits for what is under way. @throws what the first of it rejects with. */
  async end(): Promise<void> {
    await this.#before;
    await this.#last;
  }
}
