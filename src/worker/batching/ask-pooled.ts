import type { AppError } from "../../kernel/errors.ts";
import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { SecurityService } from "../ports.ts";
import type { SealedBatch } from "./batch.ts";
import { checkCanaries, type Imitators } from "./canary-check.ts";
import { evidenceAt, isItemRefusal, itemsIn, refuseExtra } from "./replies/read-answer.ts";

/** The answer about one batch entry. `unproved`: no canary of the entry's chain vouches for the answer. */
export type PooledEvidence = PoisoningEvidence | AppError | "unproved";

export interface PooledAnswer {
  /**
   * - `sang`: every canary was flagged, or was refused together with all other entries of its chain. A '0' counts.
   * - `silent`: one canary was answered '0'. The service does not answer batched requests as it answers single ones.
   * - `lost`: one canary has no answer. The answer proves nothing.
   * - `refused`: one canary was refused, but other entries of its chain were not. Those entries are unproved. Entries
   *   of other chains count as with `sang`.
   */
  readonly canaries: "sang" | "silent" | "lost" | "refused";
  /** One element per batch entry, in the order of the batch. */
  readonly evidence: readonly PooledEvidence[];
  readonly imitators: Imitators;
}

/**
 * Asks about the entries of a batch. The canaries of the batch prove the answer.
 *
 * @throws {ExtraItemsError} when the answer holds items that the request lacks.
 * @throws the error of the service for the whole request.
 */
export async function askPooled(
  batch: SealedBatch,
  service: SecurityService,
  signal: AbortSignal,
): Promise<PooledAnswer> {
  const { request, targets, tokens } = batch;
  const items = itemsIn(await service.ask("poisoningBatch", request, signal), request);
  const { canaries, mute, imitators } = checkCanaries(batch, items);
  // A silent canary voids the whole answer and says more than an extra item, so it is reported first.
  if (canaries !== "silent") refuseExtra(items);
  const evidence = targets.map((at, i): PooledEvidence => {
    const found = evidenceAt(at, tokens[i], items);
    const isProved = mute.size === 0 || isItemRefusal(found) || !mute.has(request.target_addresses[at]?.chain_id);
    return isProved ? found : "unproved";
  });
  const isUnproved = mute.size > 0 && evidence.includes("unproved");
  return { canaries: canaries === "sang" && isUnproved ? "refused" : canaries, evidence, imitators };
}
