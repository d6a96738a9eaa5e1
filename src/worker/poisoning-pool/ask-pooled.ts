import type { PoisoningEvidence } from "../../events/evidence.ts";
import { AppError } from "../../kernel/errors.ts";
import type { SecurityService } from "../ports.ts";
import type { SealedBatch } from "./batch.ts";
import { evidenceAt, extraIn, itemsIn } from "./read-answer.ts";

export interface PooledAnswer {
  /**
   * `sang`: every canary was flagged, so a '0' in this answer is one. `silent`: one was answered '0', so this service
   * does not answer pooled requests as it answers single ones. `lost`: one has no answer; nothing is proved.
   */
  readonly canaries: "sang" | "silent" | "lost";
  /** Part by part, in the order of the batch. */
  readonly evidence: readonly (PoisoningEvidence | AppError)[];
  /** Items that nobody asked about. */
  readonly extra: number;
}

/** Asks about the parts of a batch, proved by its canaries. @throws what the service throws for the whole request. */
export async function askPooled(
  { request, targets, tokens, canaries: places }: SealedBatch,
  service: SecurityService,
  signal: AbortSignal,
): Promise<PooledAnswer> {
  const items = itemsIn(await service.ask("poisoningBatch", request, signal), request);
  let canaries: PooledAnswer["canaries"] = places.length > 0 ? "sang" : "silent";
  for (const place of places) {
    const evidence = evidenceAt(place, undefined, items);
    if (evidence instanceof AppError) canaries = canaries === "silent" ? "silent" : "lost";
    else if (evidence.target.is_poisoning !== "1" && evidence.target.mimics_user !== "1") canaries = "silent";
  }
  return { canaries, evidence: targets.map((at, i) => evidenceAt(at, tokens[i], items)), extra: extraIn(items) };
}
