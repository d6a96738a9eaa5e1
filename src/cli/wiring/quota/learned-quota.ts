import { toError } from "../../../kernel/errors.ts";
import type { Lifecycle } from "../../../kernel/lifecycle.ts";
import type { Log } from "../../../kernel/log.ts";
import { RateLearner } from "../../../worker/rate-limit/learner/rate-learner.ts";
import { readQuotaFile, writeQuotaFile } from "./quota-file.ts";

/** Interval of saving, milliseconds. A killed process loses the findings since the last save. */
const SAVE_EVERY_MS = 60_000;

export interface LearningOptions {
  /** The file that keeps a learned quota between processes; undefined: none. */
  readonly file: string | undefined;
  /** The mark of the key in use: `keyMark`. */
  readonly mark: () => string;
  readonly opened: Lifecycle;
  readonly log: Log;
}

/** Opens a learner that begins with the file's quota for this key. It saves its findings at intervals and on close. */
export async function openLearner({ file, mark, opened, log }: LearningOptions): Promise<RateLearner> {
  if (file === undefined) return new RateLearner(Math.random);
  const kept = await readQuotaFile(file);
  const begun = kept.state === "learned" && kept.mark === mark() ? kept.learned : undefined;
  if (begun !== undefined)
    log.info("Weir starts at the rate that an earlier process learned", { file, requestsPerSecond: begun.perSecond });
  else if (kept.state === "unfit")
    log.warn("the stored quota is not used", { file, reason: `${kept.reason}: ${kept.remedy}` });
  else if (kept.state === "learned") log.info("the stored quota belongs to another key or service", { file });
  const learner = new RateLearner(Math.random, begun);
  let written = begun;
  const save = async () => {
    const { learned } = learner;
    if (learned === undefined || learned === written) return;
    written = learned;
    try {
      await writeQuotaFile(file, mark(), learned);
    } catch (thrown) {
      log.warn("Weir cannot store the learned quota", { file, reason: toError(thrown).message });
    }
  };
  const timer = setInterval(() => void save(), SAVE_EVERY_MS).unref();
  opened.onClose("learned quota", async () => {
    clearInterval(timer);
    await save();
  });
  return learner;
}
