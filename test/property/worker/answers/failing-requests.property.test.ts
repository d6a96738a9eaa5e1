import { expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { evm } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

const EVENTS = 300;
/** Generous, because other work may share the machine. */
const TIMEOUT_MS = 120_000;

/** Outcomes of concurrent events at a service that fails at random, and always for some events. */
async function run(failing: number, bad: ReadonlySet<number>, seed: number) {
  const { calibrate, clock, ask, service } = poolSetup();
  await calibrate();
  const chance = seededRandom(seed);
  const isBad = new Set([...bad].map((i) => String(evm(i))));
  service.alter = (request, answer) => {
    if (chance() < failing || request.target_addresses.some(({ address }) => isBad.has(address)))
      throw new UnavailableError("500");
    return answer;
  };
  const asked = Array.from({ length: EVENTS }, (_, i) => ask({ target: evm(i), users: [evm(1_000 + i)] }));
  const outcomes = await clock.runUntil(Promise.all(asked));
  return {
    unknown: outcomes.flatMap(({ ok }, i) => (ok ? [] : [i])),
    requests: service.requests.length,
  };
}

test(
  "random failures: every event is answered with hardly more requests than retries of a single question take",
  async () => {
    const random = seededRandom(1);
    let [requests, expected] = [0, 0];
    for (let seed = 0; seed < 200; seed++) {
      const failing = 0.2 * random();
      const found = await run(failing, new Set(), seed);
      requests += found.requests;
      expected += 1 / (1 - failing);

      expect(found.unknown).toEqual([]);
    }

    expect(requests / expected).toBeLessThanOrEqual(1.15);
  },
  TIMEOUT_MS,
);

test(
  "random failures and events that always fail: only these events fail, after their own attempts",
  async () => {
    const random = seededRandom(2);
    for (let seed = 0; seed < 40; seed++) {
      const bad = new Set(Array.from({ length: 1 + Math.floor(3 * random()) }, () => Math.floor(EVENTS * random())));
      const { unknown, requests } = await run(0.1 * random(), bad, seed);

      expect(unknown).toEqual([...bad].toSorted((a, b) => a - b));
      // Far below one request per event.
      expect(requests).toBeLessThanOrEqual(40 * bad.size);
    }
  },
  TIMEOUT_MS,
);
