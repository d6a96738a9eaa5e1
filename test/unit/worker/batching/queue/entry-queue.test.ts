import { expect, test } from "vitest";
import { EntryQueue, join, type QueuedEntry } from "../../../../../src/worker/batching/queue/entry-queue.ts";
import { PositionAllocator } from "../../../../../src/worker/rate-limit/queue/position.ts";
import { evenly } from "../../../../fakes/turns.ts";
import { numbers } from "../../../../support/numbers.ts";
import { evm } from "../../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../../support/waiting-parts.ts";

const realtime = (i: number, user = 1000 + i) => waitingFor({ target: evm(i), users: [evm(user)] }, "realtime", i);
const backfill = (i: number, user = 1000 + i) => waitingFor({ target: evm(i), users: [evm(user)] }, "backfill", i);
const targets = (waiting: readonly QueuedEntry[]) => waiting.map(({ part }) => part.target);

function queueOf(...waiting: readonly QueuedEntry[]): EntryQueue {
  const queue = new EntryQueue(evenly, new PositionAllocator());
  for (const each of waiting) queue.push(each);
  return queue;
}

test("entries leave in order of arrival, realtime before backfill", () => {
  const queue = queueOf(backfill(1), realtime(2), backfill(3), realtime(4));

  expect([queue.since("realtime"), queue.since("backfill")]).toEqual([2, 1]);
  expect(targets(queue.cut("realtime", () => true, 1))).toEqual([2, 4, 1, 3].map(evm));
  expect([queue.since("realtime"), queue.size]).toEqual([undefined, 0]);
});

test("a request takes the entries of its own lane first", () => {
  const queue = queueOf(...numbers(2).map((i) => realtime(i)), ...numbers(2, 101).map((i) => backfill(i)));

  expect(targets(queue.cut("backfill", () => true, 1))).toEqual([101, 102, 1, 2].map(evm));
});

test("tenants of a lane alternate by weight and by the items that they take", () => {
  const queue = new EntryQueue((tenant) => (tenant === "a" ? 2 : 1), new PositionAllocator());
  const of = (tenant: string, i: number, users: number) =>
    waitingFor({ target: evm(i), users: numbers(users, 1000 + 10 * i).map(evm) }, "realtime", i, tenant);
  const [few, many] = [1, 3];
  for (const i of numbers(6)) queue.push(of("a", i, many));
  for (const i of numbers(6, 101)) queue.push(of("b", i, few));

  // Four items at half the price, and two at the full price.
  expect(targets(queue.cut("realtime", () => true, 1)).slice(0, 6)).toEqual([1, 101, 2, 102, 3, 103].map(evm));
  expect(queue.waits("realtime")).toBe(0);
});

test("the weight of a lane is the total weight of its waiting tenants", () => {
  const queue = new EntryQueue((tenant) => (tenant === "a" ? 2 : 1), new PositionAllocator());
  for (const [i, tenant] of ["a", "b", "a"].entries())
    queue.push(waitingFor({ target: evm(i + 1) }, "realtime", i, tenant));
  queue.push(waitingFor({ target: evm(9) }, "backfill", 0, "a"));

  expect([queue.waits("realtime"), queue.waits("backfill")]).toEqual([3, 2]);
});

test("a rejected entry keeps its position, and consecutive rejections end the search", () => {
  const queue = queueOf(...numbers(8).map((i) => realtime(i)));
  const asked: string[] = [];
  const isOdd = ({ part }: QueuedEntry) => {
    asked.push(part.target);
    return [1, 2, 5].some((i) => evm(i) === part.target);
  };

  expect(targets(queue.cut("realtime", isOdd, 2))).toEqual([1, 2].map(evm));
  expect(asked).toEqual([1, 2, 3, 4].map(evm));
  expect(targets(queue.drain())).toEqual([3, 4, 5, 6, 7, 8].map(evm));
});

test("entries with the users of a taken entry join before other entries of the lane", () => {
  const queue = queueOf(realtime(1, 9), realtime(2, 8), backfill(3, 9), realtime(4, 9), realtime(5, 8));

  expect(targets(queue.cut("realtime", () => true, 1))).toEqual([1, 4, 2, 5, 3].map(evm));
});

test("at most 32 entries join one entry, so that other tenants are served", () => {
  const queue = queueOf(...numbers(40).map((i) => realtime(i, 2000)), realtime(41, 2001));
  const other = waitingFor({ target: evm(42), users: [evm(2002)] }, "realtime", 42, "another");
  queue.push(other);

  expect(targets(queue.cut("realtime", () => true, 1)).indexOf(other.part.target)).toBe(33);
});

test("the first rejected joining entry ends the joining, and does not count as a rejection", () => {
  const queue = queueOf(...[1, 2, 3].map((i) => realtime(i, 9)), realtime(4, 8));
  const asked: string[] = [];
  const odd = ({ part }: QueuedEntry) => {
    asked.push(part.target);
    return [1, 3, 4].some((i) => evm(i) === part.target);
  };

  expect(targets(queue.cut("realtime", odd, 2))).toEqual([1, 3, 4].map(evm));
  expect(asked).toEqual([1, 2, 2, 3, 2, 4].map(evm));
});

test("rejections count from the first entry", () => {
  const queue = queueOf(...numbers(4).map((i) => realtime(i)));
  const asked: string[] = [];
  const never = ({ part }: QueuedEntry) => {
    asked.push(part.target);
    return false;
  };

  expect(queue.cut("realtime", never, 2)).toEqual([]);
  expect(asked).toEqual([1, 2].map(evm));
});

test("the items of a queue are the distinct items of all its entries", () => {
  const queue = queueOf(realtime(1, 1000), realtime(2, 1000), backfill(2, 1000));
  expect([queue.size, queue.items]).toEqual([3, 3]);

  queue.cut("realtime", ({ part }) => part.target === evm(2), 5);
  expect([queue.size, queue.items]).toEqual([1, 2]);
  queue.drain();
  expect([queue.size, queue.items]).toEqual([0, 0]);
});

test("a withdrawn entry frees its items, and joins no other entry", () => {
  const [first, leaving, other] = [realtime(1, 9), realtime(2, 9), realtime(3, 8)];
  const queue = queueOf(first, leaving, other);
  expect(queue.items).toBe(5);

  expect([queue.withdraw(leaving), leaving.queue]).toEqual([true, undefined]);

  expect([queue.items, queue.size, queue.asks]).toEqual([4, 2, 2]);
  expect(targets(queue.cut("realtime", () => true, 1))).toEqual([1, 3].map(evm));
});

test("rejections count from the last taken entry", () => {
  const queue = queueOf(...numbers(6).map((i) => realtime(i)));
  const isEven = ({ part }: QueuedEntry) => [2, 4, 6].some((i) => evm(i) === part.target);

  expect(targets(queue.cut("realtime", isEven, 2))).toEqual([2, 4, 6].map(evm));
});

test("a token also counts for the share of its tenant", () => {
  const queue = new EntryQueue(evenly, new PositionAllocator());
  const of = (tenant: string, i: number, token?: ReturnType<typeof evm>) =>
    waitingFor({ target: evm(i), ...(token === undefined ? {} : { token }) }, "realtime", i, tenant);
  for (const i of numbers(4)) queue.push(of("a", i, evm(50 + i)));
  for (const i of numbers(8, 101)) queue.push(of("b", i));

  expect(targets(queue.cut("realtime", () => true, 1)).slice(0, 9)).toEqual(
    [1, 101, 102, 2, 103, 104, 3, 105, 106].map(evm),
  );
});

test("items are counted up to one full request, and no further", () => {
  const alone = (i: number) => waitingFor({ target: evm(i) });
  const queue = queueOf(...numbers(1_001).map(alone));
  expect(queue.items).toBe(1_000);
  queue.push(alone(2_000));
  expect(queue.items).toBe(1_000);

  const tokens = numbers(1_000).map((i) => waitingFor({ target: evm(i), token: evm(3_000), users: [evm(1_000 + i)] }));
  expect(queueOf(...tokens).items).toBe(1_000);
});

test("a queue with more than one full request reports so, after any removal and with any entries", () => {
  const one = waitingFor({ target: evm(1), users: numbers(994, 2000).map(evm) });
  const queue = queueOf(one, realtime(2, 2000), realtime(3, 2001));
  expect(queue.items).toBe(997);
  for (const i of numbers(20, 4)) queue.push(realtime(i, 2000));
  expect(queue.items).toBeGreaterThanOrEqual(1000);

  queue.cut("realtime", (waiting) => waiting === one, 1);
  expect([queue.size, queue.items]).toEqual([22, 24]);
  queue.push(realtime(30, 2002));
  expect(queue.items).toBe(26);
  for (const i of numbers(1000, 31)) queue.push(backfill(i, 1000 + i));
  expect(queue.items).toBeGreaterThanOrEqual(1000);
  queue.cut("realtime", ({ lane }) => lane === "backfill", 30);
  expect([queue.size, queue.items]).toEqual([23, 26]);
});

test("an entry that becomes realtime joins the end of the realtime lane, and an entry that already is keeps its position", () => {
  const [slow, hurried] = [backfill(1), backfill(2)];
  const [first, last, elsewhere] = [realtime(3), realtime(5), backfill(4)];
  const queue = queueOf(slow, hurried, first, last);

  for (const each of [hurried, first, elsewhere]) join(each, { lane: "realtime", tenant: "" });
  join(slow, { lane: "backfill", tenant: "" });

  expect([queue.asks, queue.size, elsewhere.asks]).toEqual([7, 4, 2]);
  expect(targets(queue.drain())).toEqual([3, 5, 2, 1].map(evm));
  expect([hurried.lane, elsewhere.lane, queue.asks]).toEqual(["realtime", "realtime", 0]);
});

test("an entry of two tenants waits in the queues of both, and leaves both at once", () => {
  const of = (tenant: string, i: number) => waitingFor({ target: evm(i) }, "backfill", i, tenant);
  const shared = of("a", 3);
  const queue = queueOf(of("a", 1), of("a", 2), shared);

  join(shared, { lane: "backfill", tenant: "b" });

  expect(targets(queue.cut("backfill", () => true, 1))).toEqual([1, 3, 2].map(evm));
  expect([queue.size, queue.asks]).toEqual([0, 0]);
});
