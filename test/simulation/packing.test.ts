import { expect, test } from "vitest";
import { idealRequests } from "./ideal-packing.ts";
import { type Backfill, eventsOf, packingRun } from "./packing-run.ts";

/** Generous, because the machine may be busy. */
const TIMEOUT_MS = 120_000;

test.each([
  [
    "a user for each event",
    { events: 6_000, inWork: 2_000, partitions: 1, chains: ["1"], users: undefined, seed: 1 },
    1.03,
  ],
  [
    "24 partitions, 4 chains and as many users as a quarter of what is in work",
    { events: 10_000, inWork: 4_000, partitions: 24, chains: ["1", "56", "137", "8453"], users: 1_000, seed: 1 },
    1.1,
  ],
] as const satisfies readonly (readonly [string, Backfill, number])[])(
  "a backfill that asks for all of the quota takes hardly more requests than a planner with full knowledge: %s",
  async (_, backfill, most) => {
    const { requests } = await packingRun(backfill);

    expect(requests / idealRequests(backfill)).toBeLessThanOrEqual(most);
  },
  TIMEOUT_MS,
);

test(
  "hardly any request that fails by chance costs more than one further request, and no event pays for it",
  async () => {
    const failing = 0.2;
    let [requests, ideal] = [0, 0];
    for (const seed of [1, 2, 3]) {
      const backfill = { events: 12_000, inWork: 4_000, partitions: 1, chains: ["1"], users: undefined, seed };
      const run = await packingRun({ ...backfill, failing });
      requests += run.requests;
      ideal += idealRequests(backfill);

      expect(run.unknown).toBe(0);
    }

    expect(requests).toBeLessThanOrEqual((1.15 * ideal) / (1 - failing));
  },
  TIMEOUT_MS,
);

test(
  "an event for which the service fails every time is found in few requests, fails alone, and costs no other event an answer",
  async () => {
    const backfill = { events: 6_000, inWork: 2_000, partitions: 1, chains: ["1"], users: undefined, seed: 1 };
    const run = await packingRun({ ...backfill, bad: 1 });

    expect(run.unknown).toBe(1);
    // The failed request and its repetition, the bisection, and three attempts alone.
    expect(run.requests - idealRequests(backfill)).toBeLessThanOrEqual(1 + 12 + 3);
  },
  TIMEOUT_MS,
);

test(
  "where a service refuses large requests as if the quota were used up, all events are answered by smaller requests",
  async () => {
    const backfill = { events: 5_000, partitions: 24, chains: ["1"], users: undefined, seed: 1 };
    const run = await packingRun({ ...backfill, mostItems: 200 });

    // 85 of 125 items are needed. 30 requests got a 429, and the others are the small requests that found the limit.
    expect([run.unknown, run.requests]).toEqual([0, 152]);
  },
  TIMEOUT_MS,
);

test(
  "for recurring addresses hardly more targets are sent than there are, and more when the cache is smaller",
  async () => {
    const backfill = {
      events: 10_000,
      inWork: 2_000,
      partitions: 1,
      chains: ["1"],
      users: undefined,
      repeated: 2_000,
      seed: 1,
    };
    const distinct = new Set([...eventsOf(backfill)].map((question) => JSON.stringify(question))).size;
    const sent = async (cacheBytes: number) => (await packingRun({ ...backfill, cacheBytes })).targets / distinct;

    expect(await sent(16 * 2 ** 20)).toBeLessThanOrEqual(1.05);
    // A tenth of the needed size.
    const little = await sent(2 ** 17);
    expect(little).toBeGreaterThan(1.05);
    expect(little).toBeLessThan(4);
  },
  TIMEOUT_MS,
);
