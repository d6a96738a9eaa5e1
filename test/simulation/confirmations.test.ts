import { describe, expect, test } from "vitest";
import { confirming, confirmingFloors } from "./confirmations-run.ts";

/**
 * With one partition, as in a file. One request is 0.9 % of the requests of 100,000 events, so two seeds are counted
 * together. The first seed alone uses 1.056 where 0.1 % are flagged (bench/results/README.md, "Confirmations").
 */
const SEEDS = [1, 2];

async function requestsOf(share: number, traps: number): Promise<number> {
  let requests = 0;
  for (const seed of SEEDS)
    requests += (await confirming({ events: 100_000, partitions: 1, seed, share, traps })).requests;
  return requests;
}

/** Nothing is flagged, so nothing is confirmed. */
const ideal = requestsOf(0, 0);

describe("a backfill with one imitation in a thousand events costs few requests more than one without flags", () => {
  test.each(confirmingFloors)("with $share flagged besides, it takes at most $most times", async ({ share, most }) => {
    expect((await requestsOf(share, 0.001)) / (await ideal)).toBeLessThanOrEqual(most);
  });
});
