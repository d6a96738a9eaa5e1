import { OutputUnwritableError } from "../../kernel/errors.ts";
import { RunningSha256 } from "../../kernel/hash.ts";
import { after, type CutLimits, type Position, type StoredObject } from "../object.ts";
import type { ArchiveStore, PackedObject } from "../ports.ts";
import { LogLines } from "./log-lines.ts";
import { ObjectBuilder } from "./object-builder.ts";

/** A complete log to archive, from its start. */
interface Log {
  readonly topic: string;
  readonly partition: number;
  /** The bytes of the log: whole lines, each with its end. A chunk is valid until the next one is requested. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Forces the bytes of `chunks` to disk. After a power loss, an archive must not hold more than its log. */
  readonly keep: () => Promise<void>;
}

/**
 * Archives the part of a log beyond the archive's end, object by object. Each object is durable before the next one
 * exists. The archived part must match the log. Lines are compressed as they come, so no line is kept. One object is
 * compressed while the previous one is written.
 *
 * @returns the number of added objects and verdicts.
 * @throws {OutputUnwritableError} naming the first object that does not match the log.
 */
export async function archiveLog(
  log: Log,
  store: ArchiveStore,
  limits: CutLimits,
): Promise<{ readonly objects: number; readonly verdicts: number }> {
  const lines = new LogLines(log.chunks);
  const added = { objects: 0, verdicts: 0 };
  let position: Position = { topic: log.topic, partition: log.partition, next: 0, previousSha256: "" };
  let stored = Promise.resolve();
  const put = async (object: PackedObject) => {
    await log.keep();
    await store.put(object);
  };
  try {
    for await (const object of store.objects(log.topic, log.partition)) {
      if (!(await isNextIn(lines, object, position))) throw notOfThisLog(object);
      position = after(object);
    }
    for (;;) {
      const object = await nextObject(lines, store, limits, position);
      if (object === undefined) return added;
      await stored;
      stored = put(object);
      // The awaiting code reports the failure.
      stored.catch(() => undefined);
      position = after(object);
      added.objects++;
      added.verdicts += object.metadata.count;
    }
  } finally {
    await lines.close();
    await stored;
  }
}

/** Undefined at the end of the log. */
async function nextObject(
  lines: LogLines,
  store: ArchiveStore,
  limits: CutLimits,
  position: Position,
): Promise<PackedObject | undefined> {
  const packing = store.pack();
  try {
    const object = new ObjectBuilder(packing);
    const count = await lines.take(limits, object);
    return count === 0 ? undefined : await object.end(count, position);
  } finally {
    packing.drop();
  }
}

/** Whether the object continues `position` and holds the next lines, which are consumed from `lines`. */
async function isNextIn(lines: LogLines, { metadata }: StoredObject, position: Position): Promise<boolean> {
  if (metadata.start !== position.next || metadata.previous_sha256 !== position.previousSha256) return false;
  const sha256 = new RunningSha256();
  // Unlike a topic, a file of verdicts lacks no offset.
  const count = metadata.end + 1 - metadata.start;
  const taken = await lines.take({ verdicts: count, bytes: Number.POSITIVE_INFINITY }, sha256);
  return taken === count && sha256.digest() === metadata.sha256;
}

function notOfThisLog({ key }: StoredObject): OutputUnwritableError {
  return new OutputUnwritableError(
    `the archive's ${key} does not hold the verdicts that stand in their place now: choose another --out`,
  );
}
