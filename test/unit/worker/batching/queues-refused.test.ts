import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import { BatchCutter } from "../../../../src/worker/batching/batch-cutter.ts";
import type { CalibrationTable } from "../../../../src/worker/batching/canary.ts";
import type { OutgoingBatch } from "../../../../src/worker/batching/outgoing-batch.ts";
import type { QueuedEntry } from "../../../../src/worker/batching/queue/entry-queue.ts";
import { CONFIRM_SHARE, ConfirmShare } from "../../../../src/worker/batching/replies/confirm-share.ts";
import type { WeightOf } from "../../../../src/worker/rate-limit/queue/request-queue.ts";
import { evenly } from "../../../fakes/turns.ts";
import { lookalikeGroups } from "../../../fixtures/lookalikes.generated.ts";
import { numbers } from "../../../support/numbers.ts";
import { addressOf, calibrated, chainOf, event, evm } from "../../../support/poisoning-parts.ts";
import { pushAll, waitingFor } from "../../../support/waiting-parts.ts";

const stranger = (i: number, lane: Lane = "realtime", tenant = "") => waitingFor(event(i), lane, 0, tenant);
const strangers = (count: number, from = 1) => numbers(count, from).map((i) => stranger(i));
/** Entries with one common user. */
const kin = (i: number) => waitingFor({ target: evm(i), users: [evm(50)] });
const queues = (calibrations: CalibrationTable = calibrated, weightOf: WeightOf = evenly) =>
  new BatchCutter(calibrations, weightOf, seededRandom(1), new ConfirmShare(CONFIRM_SHARE));
const cutOf = (all: BatchCutter, lane: Lane = "realtime"): OutgoingBatch => {
  const cut = all.cut(lane);
  if (cut === undefined) throw new Error("nothing waits");
  return cut;
};
/** Queues with the halves of a request for all these entries, which was refused without a reason. */
const refused = (waiting: readonly QueuedEntry[], all = queues(), way: "pooled" | "alone" = "pooled") => {
  pushAll(all[way], waiting);
  all.split(cutOf(all), "400");
  return all;
};
/** A refusal that names the index of an address in the request. */
const naming = (cut: OutgoingBatch, array: "user_addresses" | "target_addresses", i: number) => {
  const items = cut.kind === "pooled" ? cut.batch.request[array] : [];
  return `${array}[${items.findIndex(({ address }) => address === evm(i))}]: bad`;
};
/** How each further request is sent, and with which events. */
const restOf = (all: BatchCutter) => {
  const rest: (readonly [kind: string, ...targets: number[]])[] = [];
  for (let cut = all.cut("realtime"); cut !== undefined; cut = all.cut("realtime")) {
    const parts = cut.waiting.map(({ part }) => part);
    if (cut.kind === "alone") expect(cut.group.parts).toEqual(parts);
    rest.push([cut.kind, ...parts.map(({ target }) => Number.parseInt(target.slice(2, 5), 16))]);
    all.answered(cut);
  }
  return rest;
};

describe("the weight of a lane", () => {
  const weights: Readonly<Record<string, number>> = { a: 1, b: 2, c: 4 };
  const weighing = () => queues(calibrated, (tenant) => weights[tenant] ?? 0);
  const weightsOf = (all: BatchCutter) => [all.waits("realtime"), all.waits("backfill")];

  test("the weight is 0 when no entry waits, and each tenant of a queue counts once", () => {
    const all = weighing();
    expect(weightsOf(all)).toEqual([0, 0]);
    pushAll(all.pooled, [stranger(1, "realtime", "a"), stranger(2, "realtime", "b"), stranger(3, "realtime", "b")]);
    expect(weightsOf(all)).toEqual([3, 0]);
  });

  test("the weight is the total of the heaviest queue", () => {
    for (const heaviest of ["pooled", "alone", "confirming"] as const) {
      const all = weighing();
      for (const way of ["pooled", "alone", "confirming"] as const)
        all[way].push(stranger(1, "backfill", way === heaviest ? "c" : "b"));
      expect(weightsOf(all)).toEqual([0, 4]);
    }
  });

  test("the tenants of a half count once each, in the lane of the half", () => {
    const all = refused(
      numbers(6).map((i) => stranger(i, "backfill", i % 2 === 0 ? "a" : "b")),
      weighing(),
    );
    expect(weightsOf(all)).toEqual([0, 3]);

    const realtime = weighing();
    pushAll(realtime.pooled, [
      stranger(1, "backfill", "a"),
      stranger(2, "backfill", "b"),
      stranger(3, "realtime", "c"),
    ]);
    realtime.split(cutOf(realtime, "backfill"), "400");
    expect(weightsOf(realtime)).toEqual([1, 0]);
  });
});

describe("a confirmation", () => {
  test("halves earn a confirmation like other requests", () => {
    const all = refused(strangers(8));
    pushAll(all.confirming, [stranger(20), stranger(21)]);
    pushAll(all.alone, strangers(9, 30));

    // Four requests earn one confirmation: the refused request and the next three.
    expect(restOf(all).slice(0, 6)).toEqual([
      ["pooled", 1, 2, 3, 4],
      ["pooled", 5, 6],
      ["alone", 7],
      ["alone", 8],
      ["alone", 20],
      ["alone", 30],
    ]);
  });

  test("a confirmation waits until it is earned while entries wait in any other queue", () => {
    const all = queues();
    pushAll(all.confirming, [stranger(20)]);
    all.pooled.push(stranger(1));
    all.alone.push(stranger(2));

    expect(restOf(all)).toEqual([
      ["alone", 2],
      ["pooled", 1],
      ["alone", 20],
    ]);
  });
});

test("a request counts as full after sixty-four consecutive entries that do not fit", () => {
  for (const [barred, together] of [
    [63, [1, 200]],
    [64, [1]],
  ] as const) {
    const all = queues();
    all.pooled.push(stranger(1));
    // These entries ask about the user of the first entry.
    pushAll(
      all.pooled,
      numbers(barred).map((i) => waitingFor({ target: evm(1_001), users: [evm(2_000 + i)] })),
    );
    all.pooled.push(stranger(200));

    expect(restOf(all)[0]).toEqual(["pooled", ...together]);
  }
});

describe("entries of a refused request that are sent alone", () => {
  test("such entries wait behind entries that were queued alone before", () => {
    const all = queues();
    pushAll(all.pooled, [stranger(1)]);
    const cut = cutOf(all);
    pushAll(all.alone, [stranger(2)]);

    all.split(cut, "400");

    expect(restOf(all)).toEqual([
      ["alone", 2],
      ["alone", 1],
    ]);
  });

  test("such entries do not share a request, although they have the same users", () => {
    const all = queues();
    pushAll(all.pooled, [kin(1), kin(2), stranger(3), stranger(4)]);
    const cut = cutOf(all);

    all.split(cut, naming(cut, "user_addresses", 50));

    expect(restOf(all)).toEqual([
      ["pooled", 3, 4],
      ["alone", 1],
      ["alone", 2],
    ]);
  });

  test("such entries are the ones on the unsupported chain", () => {
    const all = queues();
    const elsewhere = waitingFor({ ...event(9), chain: chainOf("56") });
    pushAll(all.pooled, [stranger(1), stranger(2), elsewhere]);

    all.split(cutOf(all), "unsupported chainId: 56");

    expect(restOf(all)).toEqual([
      ["pooled", 1, 2],
      ["alone", 9],
    ]);
  });
});

test("a half with a refusal that names an item releases its held entries", () => {
  const all = refused(strangers(8));
  const half = cutOf(all);

  all.split(half, naming(half, "target_addresses", 2));

  expect(restOf(all)).toEqual([
    ["pooled", 5, 6, 7, 8],
    ["pooled", 1, 3, 4],
    ["alone", 2],
  ]);
});

test("a half that is refused after the queues were drained returns only its own entries", () => {
  const all = refused(strangers(8));
  const half = cutOf(all);
  expect(all.drain()).toHaveLength(4);

  all.split(half, naming(half, "target_addresses", 2));

  expect(restOf(all)).toEqual([
    ["pooled", 1, 3, 4],
    ["alone", 2],
  ]);
});

test("a half that is refused without a reason after a drain is halved with only its own entries", () => {
  const all = refused(strangers(8));
  const half = cutOf(all);
  all.drain();

  all.split(half, "400");

  expect(restOf(all)).toEqual([
    ["pooled", 1, 2],
    ["alone", 3],
    ["alone", 4],
  ]);
});

test("halves that return to the batch queue stay apart from each other and from other entries", () => {
  const all = refused(strangers(4));
  const first = cutOf(all);
  all.release(first);
  const second = cutOf(all);
  all.release(second);

  pushAll(all.pooled, [...first.waiting, ...second.waiting, stranger(5)]);

  expect(restOf(all)).toEqual([
    ["pooled", 1, 2],
    ["pooled", 3, 4],
    ["pooled", 5],
  ]);
});

test("a half with the same users that returns to the queue of lone entries stays together, without other entries", () => {
  const all = refused(numbers(4).map(kin), queues(), "alone");
  const half = cutOf(all);
  all.release(half);
  const other = cutOf(all);
  all.release(other);

  pushAll(all.alone, [...half.waiting, kin(5), ...other.waiting]);

  expect(restOf(all)).toEqual([
    ["alone", 1, 2],
    ["alone", 5],
    ["alone", 3, 4],
  ]);
});

test("halves of lone entries continue when batching stops", () => {
  const all = refused(numbers(4).map(kin), queues(), "alone");

  all.stopPooling();

  expect(all.asks).toBe(4);
  expect(restOf(all).flatMap(([, ...targets]) => targets)).toEqual([1, 2, 3, 4]);
});

test("a request with the same users that was in flight when batching stopped is halved after a refusal", () => {
  const all = queues();
  pushAll(all.alone, numbers(4).map(kin));
  const cut = cutOf(all);
  all.stopPooling();

  all.split(cut, "400");

  expect(restOf(all)[0]).toEqual(["alone", 1, 2]);
});

test("a batch that is refused after batching is allowed again is halved into batches", () => {
  const all = queues();
  all.stopPooling();
  all.allowPooling();

  refused(strangers(4), all);

  expect(restOf(all)[0]).toEqual(["pooled", 1, 2]);
});

test("a half with entries that may not be batched any more says nothing about the held entries", () => {
  const bitcoin = chainOf("bitcoin");
  const [target] = (lookalikeGroups.bitcoinBase58[2] ?? []).map((text) => addressOf(text, "bitcoin"));
  if (target === undefined) throw new Error("no address of Bitcoin");
  let isKnown = true;
  const all = queues((family, format) => (isKnown || family === "evm" ? calibrated(family, format) : undefined));
  const onBitcoin = waitingFor({ chain: bitcoin, target });
  refused([stranger(1), onBitcoin, stranger(3), stranger(4)], all);
  isKnown = false;

  const half = cutOf(all);
  expect([half.kind, half.waiting.map(({ part }) => part.target), half.search]).toEqual([
    "pooled",
    [evm(1)],
    undefined,
  ]);
  expect(all.alone.drain()).toEqual([onBitcoin]);
  expect(restOf(all)).toEqual([["pooled", 3, 4]]);
});

test("a half that may not be batched any more is sent one by one, and its answers say nothing about the search", () => {
  let isKnown = true;
  const all = queues((family, format) => (isKnown ? calibrated(family, format) : undefined));
  refused(strangers(4), all);
  isKnown = false;

  expect(restOf(all)).toEqual([1, 2, 3, 4].map((i) => ["alone", i]));
  expect([all.isEmpty, all.asks]).toEqual([true, 0]);
});
