import { AppError } from "../../kernel/errors.ts";
import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { SecurityService } from "../ports.ts";
import type { SealedBatch } from "./batch.ts";
import { type Answered, evidenceAt, isItemRefusal, itemsIn, refuseExtra } from "./replies/read-answer.ts";

/** What an answer says of one part; `unproved`: something that no canary of its chain stands for. */
export type PooledEvidence = PoisoningEvidence | AppError | "unproved";

export interface PooledAnswer {
  /**
   * `sang`: every canary was flagged, or refused as all else on its chain was, so a '0' in this answer is one.
   * `silent`: one was answered '0', so this service does not answer pooled requests as it answers single ones.
   * `lost`: one has no answer; nothing is proved. `refused`: one was refused beside parts of its chain that were not:
   * those are unproved, the others are as if it sang.
   */
  readonly canaries: "sang" | "silent" | "lost" | "refused";
  /** Part by part, in the order of the batch. */
  readonly evidence: readonly PooledEvidence[];
  readonly imitators: Imitators;
}

/** How the service flags what imitates a user, as all canaries of an answer show. */
export interface Imitators {
  /** Whether mimics_user is raised for each. */
  readonly areNamed: boolean;
  /** Whether is_poisoning is. */
  readonly arePoisoning: boolean;
}

/**
 * Asks about the parts of a batch, proved by its canaries.
 *
 * @throws {ExtraItemsError} as without strangers, and what the service throws for the whole request.
 */
export async function askPooled(
  batch: SealedBatch,
  service: SecurityService,
  signal: AbortSignal,
): Promise<PooledAnswer> {
  const { request, targets, tokens } = batch;
  const items = itemsIn(await service.ask("poisoningBatch", request, signal), request);
  const { canaries, mute, imitators } = hear(batch, items);
  // Of an answer with a silent canary nothing counts either, and it tells of all others.
  if (canaries !== "silent") refuseExtra(items);
  const evidence = targets.map((at, i): PooledEvidence => {
    const found = evidenceAt(at, tokens[i], items);
    const isProved = mute.size === 0 || isItemRefusal(found) || !mute.has(request.target_addresses[at]?.chain_id);
    return isProved ? found : "unproved";
  });
  const isUnproved = mute.size > 0 && evidence.includes("unproved");
  return { canaries: canaries === "sang" && isUnproved ? "refused" : canaries, evidence, imitators };
}

interface Heard {
  readonly canaries: "sang" | "silent" | "lost";
  /** Chains on which a canary was refused: the service has no backend for them, as a rule, and refuses all on them. */
  readonly mute: ReadonlySet<string | undefined>;
  readonly imitators: Imitators;
}

function hear({ request, canaries: places }: SealedBatch, items: Answered): Heard {
  let canaries: Heard["canaries"] = places.length > 0 ? "sang" : "silent";
  const mute = new Set<string | undefined>();
  let [areNamed, arePoisoning] = [true, true];
  for (const place of places) {
    const evidence = evidenceAt(place, undefined, items);
    if (isItemRefusal(evidence)) mute.add(request.target_addresses[place]?.chain_id);
    else if (evidence instanceof AppError) canaries = canaries === "silent" ? "silent" : "lost";
    else {
      const { is_poisoning, mimics_user } = evidence.target;
      if (is_poisoning !== "1" && mimics_user !== "1") canaries = "silent";
      if (is_poisoning !== "1") arePoisoning = false;
      if (mimics_user !== "1") areNamed = false;
    }
  }
  return { canaries, mute, imitators: { areNamed, arePoisoning } };
}
