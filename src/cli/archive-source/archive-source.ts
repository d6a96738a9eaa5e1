import { stat } from "node:fs/promises";
import path from "node:path";
import { ArchivedObjects } from "../../adapters/files/output/archived-objects.ts";
import { blocksFromEnd } from "../../adapters/files/output/blocks-from-end.ts";
import { VERDICT_LOG } from "../../adapters/files/output/verdict-log.ts";
import type { ReadableStore } from "../../archive/object-store.ts";
import { blocksOf, keysNewestFirst, type VerdictBlock } from "../../archive/reading/newest-first.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { ArchiveReaderEnv } from "../config/env/archive-env.ts";
import { openS3Store } from "../wiring/s3-store.ts";
import { type Days, widened } from "./date-range.ts";

const LOG_FILE = "verdicts.ndjson";

/** Verdicts to read, newest first. */
export interface ArchiveSource {
  /** The folder or the bucket, for messages. */
  readonly name: string;
  /** Number of blocks, where it is known beforehand. */
  readonly total: number | undefined;
  readonly blocks: AsyncIterable<VerdictBlock>;
}

/**
 * Opens the folder of a run, or the bucket of S3_BUCKET. Reads verdicts.ndjson of a folder, or its archive where that
 * file is gone.
 *
 * @param days selects objects of a bucket. The caller has to leave out the verdicts of other days.
 * @throws {ConfigInvalidError}
 */
export async function openArchive(
  dir: string | undefined,
  days: Days,
  { env, opened, signal }: { readonly env: Environment; readonly opened: Lifecycle; readonly signal: AbortSignal },
): Promise<ArchiveSource> {
  if (dir !== undefined) return openFolder(dir, signal);
  const config = readEnv(ArchiveReaderEnv, env);
  const store = openS3Store(config, opened);
  return openObjects(`bucket ${config.S3_BUCKET}`, store, config.TOPIC_VERDICTS, days, signal);
}

async function openFolder(dir: string, signal: AbortSignal): Promise<ArchiveSource> {
  const log = path.join(dir, LOG_FILE);
  if (await isThere(log)) return { name: log, total: undefined, blocks: blocksFromEnd(log) };
  const archive = path.join(dir, "archive");
  if (await isThere(archive))
    return openObjects(archive, new ArchivedObjects(archive), VERDICT_LOG.topic, NO_DAYS, signal);
  throw new ConfigInvalidError(
    `${dir} has neither ${LOG_FILE} nor archive/: name the folder of weir screen (--out), or set S3_BUCKET and leave the folder out`,
  );
}

const NO_DAYS: Days = { from: undefined, until: undefined };

async function openObjects(
  name: string,
  store: ReadableStore,
  topic: string,
  days: Days,
  signal: AbortSignal,
): Promise<ArchiveSource> {
  const keys = await keysNewestFirst(store, topic, widened(days), signal);
  if (keys.length === 0)
    throw new ConfigInvalidError(
      `${name} has no object of ${topic} in these days: check S3_PREFIX, TOPIC_VERDICTS, --from and --until`,
    );
  return { name, total: keys.length, blocks: blocksOf(store, keys, signal) };
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
