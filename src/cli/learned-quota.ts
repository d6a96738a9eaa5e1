import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { toError } from "../kernel/errors.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import type { Log } from "../kernel/log.ts";
import type { LearnedQuota } from "../worker/pace/learned-quota.ts";
import { RateLearner } from "../worker/pace/rate-learner.ts";

const SCHEMA = "weir.quota/1";
const QuotaFile = z.strictObject({
  schema: z.literal(SCHEMA),
  requests_per_second: z.number().positive(),
  burst: z.number().nonnegative(),
  window_ms: z.number().nonnegative(),
});

/** A process that is killed forgets what it learned since. */
const SAVE_EVERY_MS = 60_000;

export interface LearningOptions {
  /** Where what is learned outlives the process; undefined: nowhere. */
  readonly file: string | undefined;
  readonly opened: Lifecycle;
  readonly log: Log;
}

/** What was learned of the service's quota, or undefined: a file that is not there or cannot be read is learned anew. */
export async function readLearnedQuota(file: string): Promise<LearnedQuota | undefined> {
  try {
    const kept = QuotaFile.parse(JSON.parse(await readFile(file, "utf8")));
    return { perSecond: kept.requests_per_second, burst: kept.burst, windowMs: kept.window_ms };
  } catch {
    // It holds nothing that could not be found out again.
    return undefined;
  }
}

/** A learner that begins with what the file says, and writes there what it finds: now and then, and when all is closed. */
export async function openLearner({ file, opened, log }: LearningOptions): Promise<RateLearner> {
  if (file === undefined) return new RateLearner(Math.random);
  const begun = await readLearnedQuota(file);
  const learner = new RateLearner(Math.random, begun);
  let written = begun;
  const save = async () => {
    const { learned } = learner;
    if (learned === undefined || learned === written) return;
    written = learned;
    try {
      await writeLearnedQuota(file, learned);
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

async function writeLearnedQuota(file: string, learned: LearnedQuota): Promise<void> {
  const kept: z.output<typeof QuotaFile> = {
    schema: SCHEMA,
    requests_per_second: learned.perSecond,
    burst: learned.burst,
    window_ms: learned.windowMs,
  };
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(kept, undefined, 2)}\n`);
  await rename(unfinished, file);
}
