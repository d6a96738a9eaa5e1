import type { PoisoningBatchRequest } from "../../contract/address-poisoning.ts";
import type { PoisoningEvidence } from "../../events/evidence.ts";
import { AppError } from "../../kernel/errors.ts";
import type { SecurityService } from "../ports.ts";
import type { Batch } from "./batch.ts";
import type { Part } from "./part.ts";
import { evidenceFor, extraIn, itemsIn } from "./read-answer.ts";

export interface PooledAnswer {
  /**
   * `sang`: every canary was flagged, so a '0' in this answer is one. `silent`: one was answered '0', so this service
   * does not answer pooled requests as it answers single ones. `lost`: one has no answer; nothing is proved.
   */
  readonly canaries: "sang" | "silent" | "lost";
  readonly evidence: ReadonlyMap<Part, PoisoningEvidence | AppError>;
  /** Items that nobody asked about. */
  readonly extra: number;
}

/** Asks about the parts of a batch, proved by its canaries. @throws what the service throws for the whole request. */
export async function askPooled(
  batch: Batch,
  request: PoisoningBatchRequest,
  service: SecurityService,
  signal: AbortSignal,
): Promise<PooledAnswer> {
  const items = itemsIn(await service.ask("poisoningBatch", request, signal));
  let canaries: PooledAnswer["canaries"] = batch.canaries.length > 0 ? "sang" : "silent";
  for (const { chain, target } of batch.canaries) {
    const evidence = evidenceFor({ chain, target, token: undefined }, items);
    if (evidence instanceof AppError) canaries = canaries === "silent" ? "silent" : "lost";
    else if (evidence.target.is_poisoning !== "1" && evidence.target.mimics_user !== "1") canaries = "silent";
  }
  const evidence = new Map(batch.parts.map((part) => [part, evidenceFor(part, items)]));
  return { canaries, evidence, extra: extraIn(items, batch.asked) };
}
