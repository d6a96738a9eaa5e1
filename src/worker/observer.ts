import type { Check } from "../messages/checks.ts";
import type { Lane } from "../messages/lane.ts";
import type { Verdict } from "../messages/verdict.ts";

/** Told of what a worker does, while it does it: for metrics. Every call returns at once and throws nothing. */
export interface Observer {
  /** A record was taken in. */
  event(lane: Lane): void;
  /** A verdict is settled, so long after its record was written, milliseconds. */
  verdict(verdict: Verdict, lane: Lane, afterMs: number): void;
  /** An event was put off. */
  ticket(lane: Lane): void;
  /** A request about poisoning left, holding so many items; the first of its questions had waited for so long, milliseconds. */
  batch(kind: "pooled" | "alone", items: number, waitedMs: number): void;
  /** What the canaries of a pooled request did. */
  canaries(outcome: "sang" | "silent" | "lost" | "refused"): void;
  /** A question was flagged in company, and is asked again. */
  confirming(): void;
  /** A question was flagged in company, and that is believed without asking again. */
  believed(by: "own-user" | "learned"): void;
  /** A question was answered by what is remembered. */
  reused(check: Check): void;
  /** One more, or one less, waits for an analysis that the service has not finished, to ask for it again. */
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
