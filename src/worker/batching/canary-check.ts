import { AppError } from "../../kernel/errors.ts";
import type { SealedBatch } from "./batch.ts";
import { type Answered, evidenceAt, isItemRefusal } from "./replies/read-answer.ts";

/** How the service flags imitations of a user, as all canaries of an answer show. */
export interface Imitators {
  /** Whether mimics_user is raised for every canary. */
  readonly areNamed: boolean;
  /** Whether is_poisoning is raised for every canary. */
  readonly arePoisoning: boolean;
}

/** What the canaries of a batch prove. */
export interface CanaryCheck {
  readonly canaries: "sang" | "silent" | "lost";
  /**
   * Chains on which a canary was refused. As a rule the service has no backend for such a chain and refuses all its
   * items.
   */
  readonly mute: ReadonlySet<string | undefined>;
  readonly imitators: Imitators;
}

/** Checks that the service flagged each canary of a batch. */
export function checkCanaries({ request, canaries: places }: SealedBatch, items: Answered): CanaryCheck {
  let canaries: CanaryCheck["canaries"] = places.length > 0 ? "sang" : "silent";
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
