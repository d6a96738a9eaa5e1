import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { type Lane, lanes } from "../../../../src/messages/lane.ts";
import { BatchCutter } from "../../../../src/worker/batching/batch-cutter.ts";
import type { OutgoingBatch } from "../../../../src/worker/batching/outgoing-batch.ts";
import { join } from "../../../../src/worker/batching/queue/entry-queue.ts";
import { CONFIRM_SHARE, ConfirmShare } from "../../../../src/worker/batching/replies/confirm-share.ts";
import { evenly } from "../../../fakes/turns.ts";
import { numbers } from "../../../support/numbers.ts";
import { calibrated, chainOf, evm, evmAlike, evmCanary } from "../../../support/poisoning-parts.ts";
import { pushAll, waitingFor } from "../../../support/waiting-parts.ts";

const event = (i: number) => waitingFor({ target: evm(i), users: [evm(1000 + i)] });
const queues = (share = CONFIRM_SHARE) => new BatchCutter(calibrated, evenly, seededRandom(1), new ConfirmShare(share));
const shape = (cut: OutgoingBatch | undefined) => cut && [cut.kind, cut.waiting.length];

describe("the content of one request", () => {
  test("without waiting entries there is no request", () => {
    expect(queues().cut("realtime")).toBeUndefined();
    expect(queues().isEmpty).toBe(true);
    expect(queues().isUrgent).toBe(false);
  });

  test("all entries that may share a request, which is not urgent", () => {
    const all = queues();
    pushAll(all.pooled, numbers(10).map(event));

    expect([all.isEmpty, all.isUrgent]).toEqual([false, false]);
    const cut = all.cut("realtime");
    expect(shape(cut)).toEqual(["pooled", 10]);
    expect(cut?.kind === "pooled" && cut.batch.request.target_addresses.length).toBe(13);
    expect(all.isEmpty).toBe(true);
  });

  test("one entry alone, if thousands wait that have no canaries, with two look-ups for each", () => {
    let lookups = 0;
    const unknown = () => {
      lookups++;
      return undefined;
    };
    const all = new BatchCutter(unknown, evenly, seededRandom(1), new ConfirmShare(CONFIRM_SHARE));
    pushAll(all.pooled, numbers(1_000).map(event));

    expect(shape(all.cut("backfill"))).toEqual(["alone", 1]);
    expect([all.pooled.size, all.alone.size]).toEqual([0, 999]);
    // One look-up for the family's users, and 64 for entries that could have joined the request.
    expect(lookups).toBe(2 * 1_000 + 1 + 64);
  });

  test("held entries are batched again when the lone entry of their search gets no result", () => {
    const all = queues();
    pushAll(all.pooled, numbers(3).map(event));
    all.split(all.cut("backfill") as OutgoingBatch, "422");
    const first = all.cut("backfill") as OutgoingBatch;
    expect(shape(first)).toEqual(["alone", 1]);

    all.release(first);

    expect(shape(all.cut("backfill"))).toEqual(["pooled", 2]);
    expect([all.isEmpty, all.asks]).toEqual([true, 0]);
  });

  test("the halves of a refused request are not joined again", () => {
    const all = queues();
    const users = [evm(50)];
    pushAll(
      all.alone,
      [2, 3].map((i) => waitingFor({ target: evm(i), users })),
    );
    const refused = all.cut("realtime");
    expect(shape(refused)).toEqual(["alone", 2]);
    if (refused === undefined) return;
    all.split(refused, "422");
    const first = all.cut("realtime") as OutgoingBatch;
    expect(all.answered(first)).toBe(true);
    const halves = [first, all.cut("realtime")].flatMap((cut) => cut?.waiting ?? []);
    expect(halves).toHaveLength(2);

    pushAll(all.alone, halves);

    expect([shape(all.cut("realtime")), shape(all.cut("realtime")), shape(all.cut("realtime"))]).toEqual([
      ["alone", 1],
      ["alone", 1],
      undefined,
    ]);
  });

  test("entries with the same users are sent one by one while no canary proves that sharing is safe", () => {
    const users = [evm(50)];
    const alone = [2, 3].map((i) => waitingFor({ target: evm(i), users }));
    const off = queues();
    off.stopPooling();
    const fresh = new BatchCutter(() => undefined, evenly, seededRandom(1), new ConfirmShare(CONFIRM_SHARE));

    for (const all of [off, fresh]) {
      pushAll(all.alone, alone);
      expect([shape(all.cut("realtime")), shape(all.cut("realtime")), shape(all.cut("realtime"))]).toEqual([
        ["alone", 1],
        ["alone", 1],
        undefined,
      ]);
    }
  });

  test("a lone entry is urgent, and entries with the same users share a request", () => {
    const all = queues();
    const users = [evm(50)];
    pushAll(all.pooled, [event(1)]);
    pushAll(all.alone, [waitingFor({ target: evm(2), users }), event(3), waitingFor({ target: evm(4), users })]);

    expect(all.isUrgent).toBe(true);
    expect([
      shape(all.cut("realtime")),
      shape(all.cut("realtime")),
      shape(all.cut("realtime")),
      shape(all.cut("realtime")),
    ]).toEqual([["alone", 2], ["pooled", 1], ["alone", 1], undefined]);
  });

  test("entries that may not share a request wait for the next one", () => {
    const all = queues();
    pushAll(all.pooled, [
      waitingFor({ target: evm(1), users: [evm(50)] }),
      waitingFor({ target: evm(50), users: [evm(51)] }),
      waitingFor({ target: evm(2), users: [evmAlike(50)] }),
      waitingFor({ target: evm(3), users: [evm(52)] }),
    ]);

    const targets = [all.cut("realtime"), all.cut("realtime"), all.cut("realtime")].map((cut) =>
      cut?.waiting.map(({ part }) => part.target),
    );

    expect(targets).toEqual([[evm(1), evm(3)], [evm(50), evm(2)], undefined]);
  });

  test("an entry that names a canary, or has similar users, is sent alone", () => {
    const all = queues();
    pushAll(all.pooled, [
      event(1),
      waitingFor({ target: evmCanary?.user ?? evm(2), users: [evm(50)] }),
      waitingFor({ target: evm(3), users: [evm(51), evmAlike(51)] }),
    ]);

    expect([
      shape(all.cut("realtime")),
      shape(all.cut("realtime")),
      shape(all.cut("realtime")),
      shape(all.cut("realtime")),
    ]).toEqual([["pooled", 1], ["alone", 1], ["alone", 1], undefined]);
  });

  test("if every entry has to be sent alone, the first leaves at once", () => {
    const all = queues();
    pushAll(all.pooled, [waitingFor({ target: evmCanary?.user ?? evm(2) })]);

    expect(shape(all.cut("realtime"))).toEqual(["alone", 1]);
  });
});

describe("lone and batched entries", () => {
  /** The kind of each of 20 requests, while a lone entry and a batched entry wait in these lanes. */
  const turns = (lane: Lane, alone: Lane, pooled: Lane) => {
    const all = queues();
    return numbers(20).map((i) => {
      if (all.alone.size === 0) all.alone.push(waitingFor({ target: evm(i) }, alone));
      if (all.pooled.size === 0) all.pooled.push(waitingFor({ target: evm(100 + i) }, pooled));
      return all.cut(lane)?.kind;
    });
  };

  test.each(lanes)("lone and batched entries alternate when both are %s", (lane) => {
    for (const asked of lanes)
      expect(turns(asked, lane, lane)).toEqual(numbers(20).map((i) => (i % 2 === 0 ? "pooled" : "alone")));
  });

  test("entries of the permit's lane go first", () => {
    expect(turns("realtime", "realtime", "backfill")).toEqual(Array(20).fill("alone"));
    expect(turns("realtime", "backfill", "realtime")).toEqual(Array(20).fill("pooled"));
    expect(turns("backfill", "realtime", "backfill")).toEqual(Array(20).fill("pooled"));
    expect(turns("backfill", "backfill", "realtime")).toEqual(Array(20).fill("alone"));
  });
});

describe("confirmations", () => {
  const kinds = (all: BatchCutter, count: number) =>
    numbers(count).map(() => {
      const before = all.confirming.size;
      return all.cut("realtime") === undefined ? "none" : all.confirming.size < before ? "confirming" : "other";
    });

  test("every fifth request is a confirmation while other entries wait, and every request when none does", () => {
    const all = queues();
    pushAll(all.confirming, numbers(40).map(event));
    pushAll(all.alone, numbers(80, 100).map(event));

    const first = kinds(all, 100);
    expect(first.filter((kind) => kind === "confirming")).toHaveLength(20);
    for (const [i, kind] of first.entries()) expect(kind).toBe(i % 5 === 4 ? "confirming" : "other");
    expect(kinds(all, 21)).toEqual([...Array(20).fill("confirming"), "none"]);
  });

  test("after a long time without confirmations one leaves at once, and no further credit is left", () => {
    const all = queues();
    pushAll(all.confirming, numbers(50).map(event));
    kinds(all, 50);
    pushAll(all.alone, numbers(100).map(event));
    expect(kinds(all, 50)).toEqual(Array(50).fill("other"));

    pushAll(all.confirming, numbers(50, 200).map(event));
    expect(kinds(all, 10).map((kind) => kind === "confirming")).toEqual(numbers(10).map((i) => i % 5 === 1));
  });
});

describe("confirmations with another share", () => {
  /** One letter for each of 20 requests while both kinds wait. */
  const asked = (share: number) => {
    const all = queues(share);
    pushAll(all.confirming, numbers(30).map(event));
    pushAll(all.alone, numbers(30, 100).map(event));
    return numbers(20)
      .map(() => {
        const before = all.confirming.size;
        all.cut("realtime");
        return all.confirming.size < before ? "c" : ".";
      })
      .join("");
  };

  test.each([
    [0.01, "...................."],
    [0.1, ".........c.........c"],
    [0.3, "...c..c..c...c..c..c"],
    // A thousandth too little to make the third request a confirmation.
    [0.333, "...c..c..c..c..c..c."],
    [0.5, ".c.c.c.c.c.c.c.c.c.c"],
    [0.9, ".ccccccccc.ccccccccc"],
    [1, "cccccccccccccccccccc"],
  ])("a share of %d of all requests is confirmations, as evenly as possible", (share, pattern) => {
    expect(asked(share)).toBe(pattern);
  });
});

describe("the entries of a refused request", () => {
  test("the halves leave one after the other before everything else, and a single remaining entry goes alone", () => {
    const all = queues();
    pushAll(all.pooled, numbers(4).map(event));
    const cut = all.cut("realtime") as OutgoingBatch;
    pushAll(all.alone, [event(9)]);

    all.split(cut, "400");

    expect(all.isUrgent).toBe(true);
    const first = all.cut("realtime") as OutgoingBatch;
    // An entry that waits for the half's outcome does not delay other entries.
    const other = all.cut("realtime");
    expect([all.cut("realtime"), all.asks]).toEqual([undefined, 2]);
    expect(all.answered(first)).toBe(true);
    const second = all.cut("realtime") as OutgoingBatch;
    expect([all.cut("realtime"), all.asks]).toEqual([undefined, 1]);
    expect(all.answered(second)).toBe(true);
    const halves = [first, other, second, all.cut("realtime")];
    expect(halves.map(shape)).toEqual([
      ["pooled", 2],
      ["alone", 1],
      ["alone", 1],
      ["alone", 1],
    ]);
    expect(halves.flatMap((half) => half?.waiting.map(({ part }) => part.target))).toEqual([1, 2, 9, 3, 4].map(evm));
    expect([all.answered(first), all.isEmpty, all.asks]).toEqual([false, true, 0]);
  });

  test("the smaller half leaves first", () => {
    const all = queues();
    pushAll(all.pooled, numbers(5).map(event));
    all.split(all.cut("realtime") as OutgoingBatch, "400");

    const half = all.cut("realtime") as OutgoingBatch;
    expect([shape(half), all.asks]).toEqual([["pooled", 2], 3]);
  });

  test("the entries that a further refusal clears join the next request", () => {
    const all = queues();
    pushAll(all.pooled, numbers(8).map(event));
    const sent = () => {
      const cut = all.cut("realtime") as OutgoingBatch;
      return { cut, targets: cut.waiting.map(({ part }) => part.target).toSorted() };
    };

    all.split(sent().cut, "400");
    const half = sent();
    expect(half.targets).toEqual([1, 2, 3, 4].map(evm));
    all.split(half.cut, "400");
    const quarter = sent();
    expect(quarter.targets).toEqual([1, 2, 5, 6, 7, 8].map(evm));
    all.answered(quarter.cut);
    const last = sent();
    expect([last.targets, last.cut.kind]).toEqual([[evm(3)], "alone"]);
    all.answered(last.cut);
    expect(sent().targets).toEqual([evm(4)]);
    expect(all.isEmpty).toBe(true);
  });

  test("a half is as urgent as its held entries", () => {
    const all = queues();
    const backfill = (i: number) => waitingFor({ target: evm(i), users: [evm(1000 + i)] }, "backfill");
    pushAll(all.pooled, [backfill(1), backfill(2)]);
    pushAll(all.pooled, [waitingFor({ target: evm(3), users: [evm(1003)] }, "realtime")]);
    all.split(all.cut("backfill") as OutgoingBatch, "400");
    pushAll(all.alone, [waitingFor({ target: evm(9), users: [evm(1009)] }, "realtime")]);

    expect(all.cut("realtime")?.waiting.map(({ part }) => part.target)).toEqual([evm(1)]);
  });

  test("a half without a result releases the other half", () => {
    const all = queues();
    pushAll(all.pooled, numbers(4).map(event));
    all.split(all.cut("realtime") as OutgoingBatch, "400");
    const half = all.cut("realtime") as OutgoingBatch;
    expect([all.release(half), all.release(half)]).toEqual([true, false]);

    expect(shape(all.cut("realtime"))).toEqual(["pooled", 2]);
    expect(all.isEmpty).toBe(true);
  });

  test("a refused request with the same users is halved into requests with the same users", () => {
    const all = queues();
    pushAll(
      all.confirming,
      numbers(4).map((i) => waitingFor({ target: evm(i), users: [evm(50)] })),
    );
    const cut = all.cut("realtime") as OutgoingBatch;

    all.split(cut, "413");

    const first = all.cut("realtime") as OutgoingBatch;
    all.answered(first);
    const second = all.cut("realtime") as OutgoingBatch;
    expect([first, second].map(shape)).toEqual([
      ["alone", 2],
      ["alone", 1],
    ]);
    all.answered(second);
    expect([shape(all.cut("realtime")), all.cut("realtime")]).toEqual([["alone", 1], undefined]);
  });
});

test("a refused batch of one entry is sent alone, and leaves no empty half", () => {
  const all = queues();
  pushAll(all.pooled, [event(1)]);

  all.split(all.cut("realtime") as OutgoingBatch, "400");

  expect(shape(all.cut("realtime"))).toEqual(["alone", 1]);
  expect([all.isUrgent, all.isEmpty]).toEqual([false, true]);
});

test("entries that are refused after batching has stopped are not batched again", () => {
  const all = queues();
  pushAll(all.pooled, numbers(4).map(event));
  const cut = all.cut("realtime") as OutgoingBatch;
  all.stopPooling();

  all.split(cut, "400");

  expect(numbers(5).map(() => shape(all.cut("realtime")))).toEqual([...Array(4).fill(["alone", 1]), undefined]);
});

test("every event is counted, in whichever queue its entry waits", () => {
  const all = queues();
  const asking = (i: number, asks: number) => ({ ...event(i), asks });
  expect(all.asks).toBe(0);
  pushAll(all.pooled, [asking(1, 1), asking(2, 2)]);
  all.split(all.cut("realtime") as OutgoingBatch, "400");
  expect(all.asks).toBe(3);

  pushAll(all.pooled, [asking(3, 10)]);
  pushAll(all.alone, [asking(4, 100)]);
  pushAll(all.confirming, [asking(5, 1_000)]);

  expect(all.asks).toBe(1_113);
});

test("once batching stops every entry is sent alone, halves included", () => {
  const all = queues();
  pushAll(all.pooled, numbers(4).map(event));
  all.split(all.cut("realtime") as OutgoingBatch, "400");
  pushAll(all.pooled, numbers(2, 5).map(event));

  all.stopPooling();

  expect(all.pooled.size).toBe(0);
  expect(numbers(7).map(() => shape(all.cut("realtime")))).toEqual([...Array(6).fill(["alone", 1]), undefined]);
});

test("drain removes all entries", () => {
  const all = queues();
  pushAll(all.pooled, numbers(2).map(event));
  all.split(all.cut("realtime") as OutgoingBatch, "400");
  pushAll(all.pooled, [event(3)]);
  pushAll(all.alone, [event(4)]);
  pushAll(all.confirming, [event(5)]);

  expect(
    all
      .drain()
      .map(({ part }) => part.target)
      .toSorted(),
  ).toEqual(numbers(5).map(evm));
  expect([all.isEmpty, all.asks, all.drain()]).toEqual([true, 0, []]);
});

test("an entry that becomes realtime goes first, and is realtime even when it is in no queue", () => {
  const all = queues();
  const chain = chainOf("1");
  const [slow, hurried] = [1, 2].map((i) => waitingFor({ chain, target: evm(i), users: [evm(50 + i)] }, "backfill"));
  const elsewhere = waitingFor({ target: evm(3) }, "backfill");
  pushAll(
    all.confirming,
    [slow, hurried].filter((each) => each !== undefined),
  );

  if (hurried !== undefined) join(hurried, { lane: "realtime", tenant: "" });
  join(elsewhere, { lane: "realtime", tenant: "" });

  expect(all.cut("realtime")?.waiting).toEqual([hurried]);
  expect([slow, hurried, elsewhere].map((each) => each?.lane)).toEqual(["backfill", "realtime", "realtime"]);
});
