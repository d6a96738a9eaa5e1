import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { toError } from "../../../kernel/errors.ts";
import type { LearnedQuota } from "../../../worker/rate-limit/learner/learned-quota.ts";

const SCHEMA = "weir.quota/2";
/**
 * A rate outside of these bounds is learned again, which takes seconds. A rate below one a second may be learned while
 * a key is nearly blocked. It would be kept for hours, since a learned rate is tested by requests. Chosen.
 */
const LEAST_PER_SECOND = 1;
const MOST_PER_SECOND = 100_000;
const QuotaFile = z.strictObject({
  schema: z.literal(SCHEMA),
  /** The owner of the quota: `keyMark`. */
  key: z.string(),
  requests_per_second: z.number().positive(),
  burst: z.number().min(0).max(1_000_000),
  window_ms: z.number().min(0).max(600_000),
});

/** What a file holds of a quota, and the mark of its key; or why nothing can be made of it, and what to do. */
export type StoredQuota =
  | { readonly state: "none" }
  | { readonly state: "unfit"; readonly reason: string; readonly remedy: string }
  | { readonly state: "learned"; readonly learned: LearnedQuota; readonly mark: string };

/** It fails nobody: a file holds nothing that could not be found out again. */
export async function readQuotaFile(file: string): Promise<StoredQuota> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (thrown) {
    const { code, message } = toError(thrown) as NodeJS.ErrnoException;
    return code === "ENOENT" ? { state: "none" } : unreadable(file, message);
  }
  const parsed = QuotaFile.safeParse(jsonIn(text));
  if (!parsed.success) return unreadable(file, `it does not hold what ${SCHEMA} does`);
  const { key, requests_per_second: perSecond, burst, window_ms: windowMs } = parsed.data;
  if (!isBelieved(perSecond)) return unbelieved(file, perSecond);
  return { state: "learned", learned: { perSecond, burst, windowMs }, mark: key };
}

/** Whether a kept rate may be used at the start. */
export function isBelieved(perSecond: number): boolean {
  return perSecond >= LEAST_PER_SECOND && perSecond <= MOST_PER_SECOND;
}

export async function writeQuotaFile(file: string, mark: string, learned: LearnedQuota): Promise<void> {
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

function unbelieved(file: string, perSecond: number): StoredQuota {
  const [bound, remedy] =
    perSecond < LEAST_PER_SECOND
      ? [`below ${LEAST_PER_SECOND}`, "give a quota that is so small as SERVICE_QUOTA, as 30/1min"]
      : [`above ${MOST_PER_SECOND}`, "remove it, or say the quota as SERVICE_QUOTA"];
  const reason = `${file} says ${perSecond} requests a second, and nothing ${bound} is believed: it is learned anew`;
  return { state: "unfit", reason, remedy };
}

function unreadable(file: string, why: string): StoredQuota {
  const remedy = "remove it, or name another file as SERVICE_QUOTA_FILE: what is learned is written over it";
  return { state: "unfit", reason: `${file} cannot be read: ${why}`, remedy };
}

/** Undefined for text that is not JSON. No schema accepts undefined. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
