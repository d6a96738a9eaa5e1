import { ByteBuffer } from "../kernel/byte-buffer.ts";
import { OutputUnwritableError } from "../kernel/errors.ts";
import { RunningSha256 } from "../kernel/sha256.ts";
import { LogLines } from "./log-lines.ts";
import {
  type ArchiveObject,
  after,
  type CutLimits,
  objectOfLines,
  type Position,
  type StoredObject,
} from "./object.ts";
import type { ArchiveStore } from "./ports.ts";

/** A log to archive: all of it, from its start on. */
interface Log {
  readonly topic: string;
  readonly partition: number;
  /** Its bytes: whole lines, each with its end. A chunk of them stands until the next is asked for. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Makes the disk keep what `chunks` gave: after a loss of power an archive must not hold more than its log. */
  readonly keep: () => Promise<void>;
}

type Put = (object: ArchiveObject, before: Promise<void>) => Promise<void>;

/**
 * Archives what a log holds beyond the archive's end, object by object, each durable before anything of the next is there.
 * What is archived already must be what stands in the log. Holds three objects' lines in memory at most, each where those of an
 * earlier one stood: one is made and another packed while the one before them is written.
 *
 * @returns how many objects and verdicts were added.
 * @throws {OutputUnwritableError} naming the first object that is not of this log.
 */
export async function archiveLog(
  log: Log,
  store: ArchiveStore,
  limits: CutLimits,
): Promise<{ readonly objects: number; readonly verdicts: number }> {
  const lines = new LogLines(log.chunks);
  try {
    let position: Position = { topic: log.topic, partition: log.partition, next: 0, previousSha256: "" };
    for await (const object of store.objects(log.topic, log.partition)) {
      if (!(await isNextIn(lines, object, position))) throw notOfThisLog(object);
      position = after(object);
    }
    const put: Put = async (object, before) => {
      await log.keep();
      await store.put(object, before);
    };
    return await append(lines, position, put, limits);
  } finally {
    await lines.close();
  }
}

/** Whether the object follows on `position` and holds the next lines, which are taken from `lines`. */
async function isNextIn(lines: LogLines, { metadata }: StoredObject, position: Position): Promise<boolean> {
  if (metadata.start !== position.next || metadata.previous_sha256 !== position.previousSha256) return false;
  const sha256 = new RunningSha256();
  // Unlike a topic, a file of verdicts misses no place.
  const count = metadata.end + 1 - metadata.start;
  const taken = await lines.take({ verdicts: count, bytes: Number.POSITIVE_INFINITY }, sha256);
  return taken === count && sha256.digest() === metadata.sha256;
}

function notOfThisLog({ key }: StoredObject): OutputUnwritableError {
  return new OutputUnwritableError(
    `the archive's ${key} does not hold the verdicts that stand in their place now: choose another --out`,
  );
}

async function append(
  lines: LogLines,
  from: Position,
  put: Put,
  limits: CutLimits,
): Promise<{ readonly objects: number; readonly verdicts: number }> {
  let position = from;
  const added = { objects: 0, verdicts: 0 };
  const stored = new LastTwo();
  const spare: ByteBuffer[] = [];
  try {
    for (;;) {
      const memory = spare.pop() ?? new ByteBuffer(sizesFor(limits));
      const count = await lines.take(limits, memory);
      if (count === 0) return added;
      const object = objectOfLines(memory.bytes, count, position);
      await stored.add(async (before) => {
        await put(object, before);
        memory.clear();
        spare.push(memory);
      });
      position = after(object);
      added.objects++;
      added.verdicts += count;
    }
  } finally {
    await stored.end();
  }
}

/** Longer than nearly every line: by the last one an object has more than it should. */
const LINE_BYTES = 64 * 1024;

function sizesFor({ bytes }: CutLimits) {
  return { initialBytes: bytes + LINE_BYTES, keptBytes: bytes + LINE_BYTES };
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
