import { expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import { AloneGroup } from "../../../../src/worker/batching/ask-alone.ts";
import { Batch } from "../../../../src/worker/batching/batch.ts";
import { searchOf } from "../../../../src/worker/batching/failures/bad-item-search.ts";
import { itemsIn, laneOf, setApart, tenantsOf } from "../../../../src/worker/batching/outgoing-batch.ts";
import { join } from "../../../../src/worker/batching/queue/entry-queue.ts";
import { calibrated, evm, partAbout } from "../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../support/waiting-parts.ts";

const of = (lane: Lane, tenant = "") => waitingFor({ target: evm(1) }, lane, 0, tenant);

test("the size of a request counts its users, targets and tokens, canaries included", () => {
  const part = partAbout({ target: evm(1), token: evm(2), users: [evm(3), evm(4)] });
  const batch = new Batch(calibrated);
  batch.add(part);

  expect(itemsIn({ kind: "alone", waiting: [], group: new AloneGroup(part) })).toBe(4);
  expect(itemsIn({ kind: "pooled", waiting: [], batch: batch.seal(seededRandom(1)) })).toBe(10);
});

test("a half is realtime if any of its entries or of its held entries is realtime", () => {
  const [realtime, backfill] = [of("realtime"), of("backfill")];
  const search = (held: readonly (typeof realtime)[]) => searchOf([backfill]).map((found) => ({ ...found, held }))[0];

  expect(laneOf({ waiting: [backfill, backfill] })).toBe("backfill");
  expect(laneOf({ waiting: [backfill, realtime] })).toBe("realtime");
  expect(laneOf({ waiting: [backfill], search: search([backfill]) })).toBe("backfill");
  expect(laneOf({ waiting: [backfill], search: search([backfill, realtime]) })).toBe("realtime");
});

test("a half belongs to the tenants of all its entries, including tenants that joined an entry", () => {
  const shared = of("backfill", "a");
  join(shared, { lane: "backfill", tenant: "b" });

  expect(tenantsOf({ waiting: [shared, of("backfill", "c")] })).toEqual(["a", "b", "c"]);
});

test("entries that are set apart share one mark, which no other entry has", () => {
  const [a, b, c] = [of("backfill"), of("backfill"), of("backfill")];
  setApart([a, b]);
  setApart([c]);

  expect(a.half).toBeDefined();
  expect([a.half === b.half, a.half === c.half]).toEqual([true, false]);
});
