import { expect, onTestFinished } from "vitest";
import { audit } from "../../src/archive/audit/audit.ts";
import type { ObjectStore } from "../../src/archive/object-store.ts";
import { ArchiveLoop } from "../../src/archive/writer/archive-loop.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { GroupPosition } from "../../src/kernel/stream.ts";
import { FakeConsumer, recordsAt } from "../fakes/fake-consumer.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { s3Test, sharedS3 } from "../servers/s3-tests.ts";
import { auditedListSets } from "../support/audited-list-sets.ts";
import { eventually } from "../support/eventually.ts";
import { storeOn } from "../support/s3-store.ts";

const here = { topic: "verdicts", partition: 0 };
const END = 300;
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => from + i);

/**
 * An archiver that takes the partition for its own, whatever others do, and goes on from its own commits. It receives
 * `chunk` records at a time, and restarts after each `generation` of records.
 */
function archiverOn(store: ObjectStore, own: { verdicts: number; chunk: number; generation: number }) {
  const consumer = new FakeConsumer();
  const log = new FakeLog();
  const stopping = new AbortController();
  const committed = (): GroupPosition => {
    const { offset = 0, metadata = "" } = consumer.commits.flat().at(-1) ?? {};
    return { committed: consumer.commits.length === 0 ? undefined : offset, metadata, earliest: 0, end: END };
  };
  const loop = new ArchiveLoop({
    consumer,
    offsets: { positions: async () => new Map([[0, committed()]]) },
    store,
    topic: "verdicts",
    limits: { verdicts: own.verdicts, bytes: 100_000, ageMs: 30 },
    maxBytes: 1_000_000,
    clock: systemClock,
    random: Math.random,
    log,
    observer: { stored: () => undefined, lost: () => undefined, failed: () => undefined },
    stop: stopping.signal,
  });
  const ended = loop.run();
  onTestFinished(async () => {
    stopping.abort();
    await ended;
  });
  let next = 0;
  let given = 0;
  const feed = () => {
    if (given >= own.generation) {
      given = 0;
      next = committed().committed ?? 0;
      consumer.handler.joined([here]);
    }
    if (next >= END || consumer.paused.size > 0) return;
    const until = Math.min(END, next + own.chunk);
    if (!consumer.handler.delivered(recordsAt(range(next, until), here))) return;
    given += until - next;
    next = until;
  };
  return { feed, log, loop, join: () => consumer.handler.joined([here]), until: () => committed().committed ?? 0 };
}

s3Test("two archivers of one partition, on a real server: the objects tile, and no line is there twice", async () => {
  const store = storeOn(sharedS3());
  const archivers = [
    archiverOn(store, { verdicts: 7, chunk: 13, generation: 60 }),
    archiverOn(store, { verdicts: 5, chunk: 11, generation: 90 }),
  ];
  for (const { join } of archivers) join();
  await eventually(
    () => {
      for (const { feed } of archivers) feed();
      return archivers.map(({ until }) => until());
    },
    (offsets) => offsets.every((offset) => offset === END),
    "both have archived all of it",
    60_000,
  );

  const signal = new AbortController().signal;
  const objects = await Array.fromAsync(store.list("v1/", signal));
  const lines = await Promise.all(objects.map(({ key }) => store.lines(key, signal)));
  expect(Buffer.concat(lines.map((each) => each ?? Buffer.alloc(0))).toString()).toBe(`${range(0, END).join("\n")}\n`);
  const found: string[] = [];
  const onFinding = ({ finding }: { finding: string }) => found.push(finding);
  const counts = await audit("verdicts", {
    store,
    decide: () => undefined,
    signal,
    onFinding,
    knownLosses: [],
    onKnown: () => undefined,
    listSets: auditedListSets,
    onListed: () => undefined,
    onObject: () => undefined,
  });
  // In this test a verdict is just an offset.
  expect(found).toEqual(Array(END).fill("not_a_verdict"));
  expect([counts.objects, counts.verdicts]).toEqual([objects.length, END]);
  for (const { log, loop } of archivers) {
    expect(log.messages("error")).toEqual([]);
    expect(loop.state.halted).toEqual([]);
  }
});
