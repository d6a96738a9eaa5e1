import type { RateLearner } from "./rate-learner.ts";

/** Sets the pace of a key's requests from their outcomes. Implemented by `RateLearner` and `GivenRate`. */
export type Pacer = Pick<
  RateLearner,
  "minTimeMs" | "isUsedUp" | "learned" | "waitMs" | "sent" | "taken" | "failed" | "undecided" | "restart" | "refused"
>;
