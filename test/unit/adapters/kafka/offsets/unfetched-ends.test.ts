import { expect, test } from "vitest";
import { FetchedPartitions } from "../../../../../src/adapters/kafka/consumer/fetched-partitions.ts";
import type { LogEnds } from "../../../../../src/adapters/kafka/offsets/log-ends.ts";
import { watchUnfetchedEnds } from "../../../../../src/adapters/kafka/offsets/unfetched-ends.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

const fetched = { topic: "events", partition: 0 };
const paused = { topic: "bulk", partition: 3 };

/** A watch of two partitions, of which one is fetched between all looks. */
function watching(answer: () => Promise<LogEnds>) {
  const seen = new FetchedPartitions();
  const clock = new VirtualClock(0);
  const stopping = new AbortController();
  const asked: (readonly string[])[] = [];
  const ends = (topics: readonly string[]) => {
    asked.push(topics);
    return answer();
  };
  const watch = watchUnfetchedEnds({ assigned: () => [fetched, paused], seen, ends, clock }, stopping.signal, 1_000);
  seen.fetched(paused, 10);
  const look = async () => {
    seen.fetched(fetched, 20);
    await clock.advance(1_000);
    await settled();
  };
  return { seen, stopping, asked, watch, look };
}

const told = async (): Promise<LogEnds> => new Map([["bulk", new Map([[3, { written: 99, readable: 50 }]])]]);

test("only the end of a partition that is not fetched is requested", async () => {
  const { seen, stopping, asked, watch, look } = watching(told);
  await look();
  expect([asked, seen.endOf(paused)]).toEqual([[], 10]);
  await look();
  expect([asked, seen.endOf(paused), seen.endOf(fetched)]).toEqual([[["bulk"]], 99, 20]);
  stopping.abort();
  await watch;
});

test("brokers without an answer leave the known end, and are queried again", async () => {
  const { seen, stopping, asked, watch, look } = watching(() => Promise.reject(new Error("no broker answers")));
  for (let i = 0; i < 3; i++) await look();
  expect([asked, seen.endOf(paused)]).toEqual([[["bulk"], ["bulk"]], 10]);
  stopping.abort();
  await watch;
});
