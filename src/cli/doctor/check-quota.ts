import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import type { ServiceClientConfig } from "../config/config.ts";
import { quotaText } from "../config/env/quota-field.ts";
import { displayedPace, givenPace } from "../wiring/quota/given-pace.ts";
import { readQuotaFile } from "../wiring/quota/quota-file.ts";
import { OWNER_UNKNOWN, quotaOwner } from "../wiring/quota/quota-owner.ts";
import { learnedText, SHARE_QUOTA } from "../wiring/quota/quota-report.ts";

const check = "quota";

/** The effect of several processes that learn one quota. Source: bench/results/README.md, "Not given, several processes". */
const NOT_SHARED = "they use it up, with 1 to 9 % of requests answered 429, and unequal parts";

/**
 * The request rate of a worker, and the origin of that rate. It sends no request.
 *
 * @param workers that run now; undefined: the number is unknown.
 */
export async function checkQuota(config: ServiceClientConfig, workers: number | undefined): Promise<CheckedItem> {
  const { SERVICE_QUOTA: quota, SERVICE_QUOTA_FILE: file } = config;
  if (quota !== undefined) {
    const { perSecond, reason } = givenPace(quota);
    const detail = `given: ${quotaText(quota)}, used at ${displayedPace(perSecond)} by one that has it for itself (${reason})`;
    return { check, ok: true, detail, remedy: "" };
  }
  if (workers !== undefined && workers > 1) {
    const detail = `each of ${workers} workers learns it for itself: ${NOT_SHARED}`;
    return { check, ok: "warn", detail, remedy: SHARE_QUOTA };
  }
  if (file === undefined) return { check, ok: true, detail: "learned by each process anew", remedy: "" };
  const kept = await readQuotaFile(file);
  if (kept.state === "unfit") return { check, ok: "warn", detail: kept.reason, remedy: kept.remedy };
  if (kept.state === "none") return { check, ok: true, detail: `nothing is learned yet in ${file}`, remedy: "" };
  const owner = await quotaOwner(kept.mark, config);
  if (owner === "another key" || owner === "another service")
    return { check, ok: true, detail: `learned: of ${owner}, so anew`, remedy: "" };
  const doubt = owner === "unknown" ? ` (${OWNER_UNKNOWN})` : "";
  return { check, ok: true, detail: `learned: ${learnedText(kept.learned)}${doubt}`, remedy: "" };
}
