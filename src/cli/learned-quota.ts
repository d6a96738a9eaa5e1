import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { toError } from "../kernel/errors.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import type { Log } from "../kernel/log.ts";
import type { LearnedQuota } from "../worker/pace/learned-quota.ts";
import { RateLearner } from "../worker/pace/rate-learner.ts";

const SCHEMA = "weir.quota/2";
/**
 * What is outside of these bounds is learned anew, which takes seconds: a pace below one a second, learned while a key was
 * nearly closed, would be kept for hours, since what was learned is tried by requests. Chosen.
 */
const QuotaFile = z.strictObject({
  schema: z.literal(SCHEMA),
  /** Whose quota it is: `keyMark`. */
  key: z.string(),
  requests_per_second: z.number().min(1).max(100_000),
  burst: z.number().min(0).max(1_000_000),
  window_ms: z.number().min(0).max(600_000),
});

/** A process that is killed forgets what it learned since. */
const SAVE_EVERY_MS = 60_000;

export interface LearningOptions {
  /** Where what is learned outlives the process; undefined: nowhere. */
  readonly file: string | undefined;
  /** Of the key in use: `keyMark`. */
  readonly mark: () => string;
  readonly opened: Lifecycle;
  readonly log: Log;
}

/** What was learned of a quota, and the mark of its key; undefined: a file that is not there or cannot be read is learned anew. */
export async function readLearnedQuota(
  file: string,
): Promise<{ readonly learned: LearnedQuota; readonly mark: string } | undefined> {
  try {
    const kept = QuotaFile.parse(JSON.parse(await readFile(file, "utf8")));
    const learned = { perSecond: kept.requests_per_second, burst: kept.burst, windowMs: kept.window_ms };
    return { learned, mark: kept.key };
  } catch {
    // It holds nothing that could not be found out again.
    return undefined;
  }
}

/**
 * A learner that begins with what the file says of this key, and writes there what it finds: now and then, and when all is
 * closed.
 */
export async function openLearner({ file, mark, opened, log }: LearningOptions): Promise<RateLearner> {
  if (file === undefined) return new RateLearner(Math.random);
  const kept = await readLearnedQuota(file);
  const begun = kept?.mark === mark() ? kept.learned : undefined;
  if (begun !== undefined)
    log.info("begins at the pace that was learned", { file, requestsPerSecond: begun.perSecond });
  else if (kept !== undefined) log.info("what was learned is of another key or service", { file });
  const learner = new RateLearner(Math.random, begun);
  let written = begun;
  const save = async () => {
    const { learned } = learner;
    if (learned === undefined || learned === written) return;
    written = learned;
    try {
      await writeLearnedQuota(file, mark(), learned);
    } catch (thrown) {
      log.warn("what was learned of the quota cannot be kept", { file, reason: toError(thrown).message });
    }
  };
  const timer = setInterval(() => void save(), SAVE_EVERY_MS).unref();
  opened.onClose("learned quota", async () => {
    clearInterval(timer);
    await save();
  });
  return learner;
}

async function writeLearnedQuota(file: string, mark: string, learned: LearnedQuota): Promise<void> {
  const kept: z.output<typeof QuotaFile> = {
    schema: SCHEMA,
    key: mark,
    requests_per_second: learned.perSecond,
    burst: learned.burst,
    window_ms: learned.windowMs,
  };
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(kept, undefined, 2)}\n`);
  await rename(unfinished, file);
}
