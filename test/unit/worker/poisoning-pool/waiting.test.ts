import { expect, test } from "vitest";
import { type Waiting, WaitingQueue } from "../../../../src/worker/poisoning-pool/waiting.ts";
import { evm } from "../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../support/waiting-parts.ts";

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);
const realtime = (i: number) => waitingFor({ target: evm(i), users: [evm(1000)] }, "realtime", i);
const backfill = (i: number) => waitingFor({ target: evm(i), users: [evm(1000)] }, "backfill", i);
const targets = (waiting: readonly Waiting[]) => waiting.map(({ part }) => part.target);

function queueOf(...waiting: readonly Waiting[]): WaitingQueue {
  const queue = new WaitingQueue();
  for (const each of waiting) queue.push(each);
  return queue;
}

test("first come, first taken, realtime before backfill", () => {
  const queue = queueOf(backfill(1), realtime(2), backfill(3), realtime(4));

  expect([queue.since("realtime"), queue.since("backfill")]).toEqual([2, 1]);
  expect(targets(queue.cut(() => true, 1))).toEqual([2, 4, 1, 3].map(evm));
  expect([queue.since("realtime"), queue.size]).toEqual([undefined, 0]);
});

test("every tenth cut begins with the backfill", () => {
  const queue = queueOf(...numbers(30).map(realtime), ...numbers(30, 101).map(backfill));
  const one = () => {
    let taken = 0;
    return queue.cut(() => taken++ === 0, 1)[0]?.lane;
  };

  const lanes = numbers(20).map(one);

  expect(lanes).toEqual(numbers(20).map((i) => (i % 10 === 0 ? "backfill" : "realtime")));
});

test("what is refused stays, in its place; so many refusals in a row end the cut", () => {
  const queue = queueOf(...numbers(8).map(realtime));
  const asked: string[] = [];
  const isOdd = ({ part }: Waiting) => {
    asked.push(part.target);
    return [1, 2, 5].some((i) => evm(i) === part.target);
  };

  expect(targets(queue.cut(isOdd, 2))).toEqual([1, 2].map(evm));
  expect(asked).toEqual([1, 2, 3, 4].map(evm));
  expect(targets(queue.drain())).toEqual([3, 4, 5, 6, 7, 8].map(evm));
});

test("refusals count from the first that is looked at", () => {
  const queue = queueOf(...numbers(4).map(realtime));
  const asked: string[] = [];
  const never = ({ part }: Waiting) => {
    asked.push(part.target);
    return false;
  };

  expect(queue.cut(never, 2)).toEqual([]);
  expect(asked).toEqual([1, 2].map(evm));
});

test("counts the distinct items of all that waits", () => {
  const queue = queueOf(realtime(1), realtime(2), backfill(2));
  expect([queue.size, queue.items]).toEqual([3, 3]);

  queue.cut(({ part }) => part.target === evm(2), 5);
  expect([queue.size, queue.items]).toEqual([1, 2]);
  queue.drain();
  expect([queue.size, queue.items]).toEqual([0, 0]);
});

test("who is promoted joins the end of the realtime lane; who waits elsewhere, or is there already, does not", () => {
  const [slow, hurried] = [backfill(1), backfill(2)];
  const [first, elsewhere] = [realtime(3), backfill(4)];
  const queue = queueOf(slow, hurried, first);

  queue.promote(hurried);
  queue.promote(first);
  queue.promote(elsewhere);

  expect(targets(queue.drain())).toEqual([3, 2, 1].map(evm));
  expect([hurried.lane, elsewhere.lane]).toEqual(["realtime", "backfill"]);
});
