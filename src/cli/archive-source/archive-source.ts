import { stat } from "node:fs/promises";
import path from "node:path";
import { ArchivedObjects } from "../../adapters/files/output/archived-objects.ts";
import { blocksFromEnd } from "../../adapters/files/output/blocks-from-end.ts";
import { VERDICT_LOG } from "../../adapters/files/output/verdict-log.ts";
import type { FilterStore } from "../../archive/index/build-filters.ts";
import type { ReadableStore } from "../../archive/object-store.ts";
import { blocksOf, keysNewestFirst, type VerdictBlock } from "../../archive/reading/newest-first.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { ArchiveReaderEnv } from "../config/env/archive-env.ts";
import { openS3Store } from "../wiring/s3-store.ts";
import { type Days, widened } from "./date-range.ts";

const LOG_FILE = "verdicts.ndjson";

/** The objects of one topic, newest first. */
export interface ArchivedTopic {
  readonly store: FilterStore & ReadableStore;
  readonly keys: readonly string[];
}

/** Archived verdicts of one run or one topic. At least one of `log` and `objects` is there. */
export interface ArchiveSource {
  /** The folder or the bucket, for messages. */
  readonly name: string;
  /** The file with every verdict of a folder. */
  readonly log: string | undefined;
  readonly objects: ArchivedTopic | undefined;
}

interface Opening {
  readonly env: Environment;
  readonly opened: Lifecycle;
  readonly signal: AbortSignal;
}

/**
 * Opens the folder of a run, or the bucket of S3_BUCKET.
 *
 * @param days selects objects of a bucket. The caller has to leave out the verdicts of other days.
 * @throws {ConfigInvalidError}
 */
export async function openArchive(
  dir: string | undefined,
  days: Days,
  { env, opened, signal }: Opening,
): Promise<ArchiveSource> {
  if (dir !== undefined) return openFolder(dir, signal);
  const config = readEnv(ArchiveReaderEnv, env);
  const store = openS3Store(config, opened);
  const name = `bucket ${config.S3_BUCKET}`;
  const keys = await keysNewestFirst(store, config.TOPIC_VERDICTS, widened(days), signal);
  if (keys.length > 0) return { name, log: undefined, objects: { store, keys } };
  throw new ConfigInvalidError(
    `${name} has no object of ${config.TOPIC_VERDICTS} in these days: check S3_PREFIX, TOPIC_VERDICTS, --from and --until`,
  );
}

async function openFolder(dir: string, signal: AbortSignal): Promise<ArchiveSource> {
  const [file, archive] = [path.join(dir, LOG_FILE), path.join(dir, "archive")];
  const log = (await isThere(file)) ? file : undefined;
  const store = new ArchivedObjects(archive);
  const keys = await keysNewestFirst(store, VERDICT_LOG.topic, {}, signal);
  const objects = keys.length > 0 ? { store, keys } : undefined;
  if (log !== undefined || objects !== undefined) return { name: dir, log, objects };
  throw new ConfigInvalidError(
    `${dir} has neither ${LOG_FILE} nor archive/: name the folder of weir screen (--out), or set S3_BUCKET and leave the folder out`,
  );
}

/** Every verdict, newest first. The log of a folder has all verdicts, and its archive may lack the last. */
export function blocksNewestFirst(
  { log, objects }: ArchiveSource,
  signal: AbortSignal,
  isAhead = false,
): AsyncIterable<VerdictBlock> {
  if (log !== undefined) return blocksFromEnd(log);
  if (objects !== undefined) return blocksOf(objects.store, objects.keys, signal, isAhead);
  throw new Error("an archive source without verdicts");
}

/** The number of blocks, where it is known beforehand. */
export function countBlocks({ log, objects }: ArchiveSource): number | undefined {
  return log === undefined ? objects?.keys.length : undefined;
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
