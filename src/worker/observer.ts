import type { Check } from "../messages/checks.ts";
import type { Lane } from "../messages/lane.ts";
import type { Verdict } from "../messages/verdict.ts";

/** Notified of what a worker does, for metrics. Every call returns at once and must not throw. */
export interface Observer {
  /** A record was taken in. */
  event(lane: Lane): void;
  /**
   * A verdict was published.
   *
   * @param afterMs Time since the record was written, milliseconds.
   */
  verdict(verdict: Verdict, lane: Lane, afterMs: number): void;
  /** An event was put off. */
  ticket(lane: Lane): void;
  /**
   * A poisoning request left.
   *
   * @param items Items in the request.
   * @param waitedMs Longest wait of its entries, milliseconds.
   */
  batch(kind: "pooled" | "alone", items: number, waitedMs: number): void;
  /** The outcome of a batch's canaries. */
  canaries(outcome: "sang" | "silent" | "lost" | "refused"): void;
  /** A batch flagged a question, and the flag is confirmed by another request. */
  confirming(): void;
  /** A batch flagged a question, and the flag is believed without another request. */
  believed(by: "own-user" | "learned"): void;
  /** A question was answered from a cache. */
  reused(check: Check): void;
  /** The number of unfinished analyses that wait for their next poll changed by one. */
  polls(change: 1 | -1): void;
}

export const unobserved: Observer = {
  event: () => {},
  verdict: () => {},
  ticket: () => {},
  batch: () => {},
  canaries: () => {},
  confirming: () => {},
  believed: () => {},
  reused: () => {},
  polls: () => {},
};
