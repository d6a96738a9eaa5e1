import type { RateLearner } from "./rate-learner.ts";

/** What sets the pace of a key's requests, by what becomes of them: a `RateLearner`, or a `GivenRate`. */
export type Pacer = Pick<
  RateLearner,
  "minTimeMs" | "isUsedUp" | "learned" | "waitMs" | "sent" | "taken" | "failed" | "undecided" | "restart" | "refused"
>;
