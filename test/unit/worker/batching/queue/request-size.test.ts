import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { RequestSize } from "../../../../../src/worker/batching/queue/request-size.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { type Counter, FixedWindow } from "../../../../quota/counters.ts";
import { kinds } from "../../../../quota/kinds.ts";

/** Sends one request of the largest allowed size, and reports its outcome. */
function send(size: RequestSize, isTaken: (items: number) => boolean): boolean {
  const allowance = size.next(1_000);
  const taken = isTaken(allowance.most);
  if (taken) size.answered(allowance, allowance.most);
  else size.limited(allowance, allowance.most);
  return taken;
}

function sizeOf(seed = 1) {
  const log = new FakeLog();
  return { size: new RequestSize(seededRandom(seed), log), log };
}

describe("where requests of more than 200 items get a 429", () => {
  const isTaken = (items: number) => items <= 200;

  test("the limit is halved until requests are answered, and the remedy is logged once", () => {
    const { size, log } = sizeOf();
    let requests = 0;
    for (; size.most > 200; requests++) send(size, isTaken);

    expect([size.most, requests]).toEqual([125, 61]);
    expect(log.lines).toEqual([
      {
        level: "warn",
        message:
          "the service answers 429 to large requests and accepts small ones: Weir sends smaller requests; ask the operator of the service for a quota by requests, not by items",
        fields: { items: 500 },
      },
    ]);
  });

  test("twice the size is tried after 100 answers, then after 200, and kept once it is answered", () => {
    const { size } = sizeOf();
    while (size.most > 200) send(size, isTaken);
    const refused: number[] = [];
    for (let i = 0; i < 400; i++) if (!send(size, isTaken)) refused.push(i);
    expect([size.most, refused]).toEqual([125, [102, 303]]);

    for (let i = 0; i < 4_000; i++) send(size, () => true);
    expect(size.most).toBe(1_000);
  });

  test("the limit never falls below 32 items", () => {
    const { size } = sizeOf();
    for (let i = 0; i < 2_000; i++) send(size, (items) => items <= 30);
    expect(size.most).toBe(32);
  });
});

test.each([1_000, 500, 40, 20, 5])("with a limit of %s items no request ever exceeds it", (limit) => {
  const random = seededRandom(1);
  const size = new RequestSize(seededRandom(2), new FakeLog(), limit);
  expect(size.most).toBe(limit);
  for (let i = 0; i < 5_000; i++) {
    const allowance = size.next(1_000);
    expect(allowance.most).toBeLessThanOrEqual(limit);
    if (i > 1_000 || allowance.most < 20 || random() < 0.1) size.answered(allowance, allowance.most);
    else size.limited(allowance, allowance.most);
  }
  expect(size.most).toBe(limit);
});

test("requests that are in flight together count as one 429", () => {
  const { size } = sizeOf();
  const sent = Array.from({ length: 32 }, () => size.next(1_000));
  for (const allowance of sent) size.limited(allowance, 1_000);
  for (let i = 0; i < 6; i++) send(size, () => false);
  expect(Array.from({ length: 32 }, () => size.next(1_000).how)).toEqual(Array.from({ length: 32 }, () => "usual"));

  send(size, () => false);

  expect(Array.from({ length: 32 }, () => size.next(1_000).how)).toContain("small");
});

test("small requests without an alternative say nothing about the size", () => {
  const { size } = sizeOf();
  for (let i = 0; i < 8; i++) send(size, () => false);
  for (let i = 0; i < 100; i++) size.answered(size.next(40), 40);
  expect(size.most).toBe(1_000);
});

/**
 * Sends requests as often as every 7 ms, with a growing wait of up to a minute after each 429.
 *
 * @returns the number of 429s.
 */
function drive(size: RequestSize, counter: Counter, seed: number): number {
  const random = seededRandom(seed);
  let [refused, inARow, now] = [0, 0, 0];
  while (now < 1_800_000) {
    if (send(size, () => counter.takes(now))) inARow = 0;
    else {
      refused++;
      inARow++;
    }
    now += inARow === 0 ? 7 : random() * Math.min(60_000, 500 * 2 ** (inARow - 1));
  }
  return refused;
}

describe("a used-up quota of requests never lowers the limit", () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))("%s, which is zero now and then", (_, kind) => {
    for (let seed = 1; seed <= 3; seed++) {
      const { size } = sizeOf(seed);
      let takes = 0;
      const counter = kind.counter(() => (Math.floor(takes++ / 2_000) % 3 === 0 ? 0 : kind.requests), 0.3);
      expect(drive(size, counter, seed)).toBeGreaterThan(0);
      expect(size.most).toBe(1_000);
    }
  });

  test("a quota of one request per minute", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { size } = sizeOf(seed);
      drive(size, new FixedWindow(() => 1, 60_000, 0), seed);
      expect(size.most).toBe(1_000);
    }
  });
});
