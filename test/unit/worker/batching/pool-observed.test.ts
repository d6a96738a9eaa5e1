import { describe, expect, test } from "vitest";
import { evm, evmAlike } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

describe("the observer is notified", () => {
  test("of a batch with its items, canaries included, and the longest wait of its entries", async () => {
    const { calibrate, clock, ask, observed } = poolSetup();
    await calibrate();
    const first = ask({ target: evm(1), token: evm(3), users: [evm(20)] }, "backfill");
    await clock.advance(120);
    const second = ask({ target: evm(2), users: [evm(21)] }, "backfill");

    await clock.runUntil(Promise.all([first, second]));

    // Two users, two targets and a token, and three canary pairs.
    expect(observed).toEqual([
      ["batch", "pooled", 11, 500],
      ["canaries", "sang"],
    ]);
  });

  test("of a confirmation, and of the items of its request", async () => {
    const { calibrate, clock, ask, observed, slots } = poolSetup();
    await calibrate();
    slots.isShut = true;
    const asked = ask({ target: evmAlike(21), token: evm(3), users: [evm(20)] });
    const stranger = ask({ target: evm(4), users: [evm(21)] });
    await clock.advance(7);
    slots.give();
    await clock.advance(5);
    slots.give();
    await clock.runUntil(Promise.all([asked, stranger]));

    expect(observed).toEqual([
      ["batch", "pooled", 11, 7],
      ["canaries", "sang"],
      ["confirming"],
      ["batch", "alone", 3, 5],
    ]);
  });

  test("of distinct items in a request with the same users, and of target and token in a request without users", async () => {
    const { calibrate, clock, ask, observed } = poolSetup();
    await calibrate();
    const users = [evm(20), evm(21)];
    const alike = [evmAlike(22), evmAlike(23)].map((target) => ask({ target, users }));
    const strangers = [22, 23].map((i) => ask({ target: evm(i + 5), users: [evm(i)] }));
    await clock.runUntil(Promise.all([...alike, ...strangers, ask({ target: evmAlike(22), token: evm(3) })]));

    expect(observed).toEqual([
      ["batch", "pooled", 15, 0],
      ["canaries", "sang"],
      ["confirming"],
      ["confirming"],
      ["confirming"],
      ["batch", "alone", 4, 0],
      ["batch", "alone", 2, 0],
    ]);
  });

  test("of a flag that the worker's own rule also finds", async () => {
    const { calibrate, clock, ask, observed } = poolSetup();
    await calibrate();
    await clock.runUntil(ask({ target: evmAlike(20), users: [evm(20)] }));

    expect(observed).toEqual([
      ["batch", "pooled", 8, 0],
      ["canaries", "sang"],
      ["believed", "own-user"],
    ]);
  });

  test("of a question that is answered from the cache", async () => {
    const { calibrate, clock, ask, observed } = poolSetup();
    await calibrate();
    await clock.runUntil(ask({ target: evm(1), users: [evm(20)] }));
    observed.length = 0;

    await clock.runUntil(ask({ target: evm(1), users: [evm(20)] }));

    expect(observed).toEqual([["reused", "poisoning"]]);
  });
});
