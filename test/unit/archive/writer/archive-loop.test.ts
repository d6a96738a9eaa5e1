import { describe, expect, test } from "vitest";
import { audit } from "../../../../src/archive/audit/audit.ts";
import { type ArchiveObject, chainSha256 } from "../../../../src/archive/object.ts";
import { ObjectUnreadableError } from "../../../../src/archive/object-store.ts";
import { ArchiveLoop, type ArchiveLoopDeps } from "../../../../src/archive/writer/archive-loop.ts";
import type { ArchiveStep } from "../../../../src/archive/writer/archive-observer.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { GroupPosition } from "../../../../src/kernel/stream.ts";
import { FakeConsumer, recordsAt } from "../../../fakes/fake-consumer.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { FakeObjectStore } from "../../../fakes/fake-object-store.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { auditedListSets } from "../../../support/audited-list-sets.ts";
import { objectOf } from "../../../support/object-of.ts";

const here = { topic: "verdicts", partition: 0 };
const there = { topic: "verdicts", partition: 1 };
const limits = { verdicts: 3, bytes: 1_000, ageMs: 300_000 };
const key = (start: number, partition = 0) =>
  `v1/verdicts/dt=2026-01-01/p=${String(partition).padStart(5, "0")}/${String(start).padStart(20, "0")}.ndjson.gz`;
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => from + i);

/** A running archive loop. The committed offsets are the start of the next generation, as at a broker. */
async function running(
  own: Partial<ArchiveLoopDeps> = {},
  store = new FakeObjectStore(),
  consumer = new FakeConsumer(),
) {
  const clock = new VirtualClock();
  const log = new FakeLog();
  const stopping = new AbortController();
  const positions = new Map<number, GroupPosition>();
  const stored: string[] = [];
  const storedBytes: number[] = [];
  const failures: ArchiveStep[] = [];
  const lost: number[] = [];
  const loop = new ArchiveLoop({
    consumer,
    offsets: { positions: async () => positions },
    store,
    topic: "verdicts",
    limits,
    maxBytes: 10_000,
    clock,
    random: () => 0.5,
    log,
    observer: {
      stored: (object, bytes) => {
        stored.push(object.key);
        storedBytes.push(bytes);
      },
      lost: (offsets) => lost.push(offsets),
      failed: (step) => failures.push(step),
    },
    stop: stopping.signal,
    ...own,
  });
  const ended = loop.run();
  ended.catch(() => undefined);
  await settled();
  const { handler } = consumer;
  const join = async (at = [here]) => {
    for (const commit of consumer.commits.flat()) {
      const { partition, offset, metadata = "" } = commit;
      positions.set(partition, { committed: offset, metadata, earliest: 0 });
    }
    handler.joined(at);
    await settled();
  };
  const deliver = async (offsets: readonly number[], at = here) => {
    const taken = handler.delivered(recordsAt(offsets, at));
    await settled();
    return taken;
  };
  return {
    clock,
    log,
    consumer,
    handler,
    stopping,
    positions,
    stored,
    storedBytes,
    failures,
    lost,
    store,
    loop,
    ended,
    join,
    deliver,
  };
}

/** An object as an earlier archiver would have stored it. */
function objectAt(offsets: readonly number[], next = offsets[0] ?? 0, previousSha256 = ""): ArchiveObject {
  const verdicts = recordsAt(offsets, here).map(({ offset, value, timestamp }) => ({
    offset,
    line: value ?? Buffer.alloc(0),
    writtenAt: timestamp,
  }));
  return objectOf(verdicts, { ...here, next, previousSha256 });
}

/** The hash that the next object names. */
const linkTo = (object: ArchiveObject | undefined) => (object === undefined ? "" : chainSha256(object));

test("objects are stored in sequence, each durable before it is committed, with the hash that the next object names", async () => {
  const { consumer, store, stored, join, deliver } = await running();
  await join();
  await deliver(range(0, 7));

  const [first, second] = [...store.objects.values()];
  expect(stored).toEqual([key(0), key(3)]);
  expect(first?.metadata).toMatchObject({ start: 0, end: 2, previous_sha256: "" });
  expect(second?.metadata).toMatchObject({ start: 3, end: 5, previous_sha256: linkTo(first) });
  expect(Buffer.from(first?.lines ?? []).toString()).toBe("0\n1\n2\n");
  expect(consumer.commits).toEqual([
    [{ ...here, offset: 3, metadata: `weir-archive/2 ${linkTo(first)}` }],
    [{ ...here, offset: 6, metadata: `weir-archive/2 ${linkTo(second)}` }],
  ]);
});

test("verdicts that waited long enough are stored, even a single one", async () => {
  const { clock, stored, join, deliver } = await running();
  await join();
  await deliver([0]);
  await clock.advance(299_999);
  expect(stored).toEqual([]);
  await clock.advance(1);
  expect(stored).toEqual([key(0)]);
});

test("nothing is read before the archive position is known", async () => {
  const known = Promise.withResolvers<ReadonlyMap<number, GroupPosition>>();
  const { consumer, join, deliver } = await running({ offsets: { positions: () => known.promise } });
  await join();
  expect([...consumer.paused]).toEqual(["verdicts/0"]);
  expect(await deliver([0])).toBe(false);

  known.resolve(new Map());
  await settled();
  expect([...consumer.paused]).toEqual([]);
  expect(await deliver([0])).toBe(true);
});

describe("while the store is unavailable", () => {
  test("nothing is committed, reading pauses at the bound, and everything continues when the store is back", async () => {
    const { clock, consumer, store, stored, loop, join, deliver } = await running({ maxBytes: 20 });
    await join([here, there]);
    store.isAway = true;
    await deliver(range(0, 6));
    await deliver(range(0, 4), there);
    expect(loop.state.bytes).toBe(20);
    expect([...consumer.paused]).toEqual(["verdicts/0", "verdicts/1"]);
    await clock.advance(600_000);
    expect(consumer.commits).toEqual([]);
    expect(store.puts).toBeGreaterThan(20);

    store.isAway = false;
    await clock.advance(30_000);
    expect(stored.toSorted()).toEqual([key(0), key(3), key(0, 1), key(3, 1)].toSorted());
    expect([...consumer.paused]).toEqual([]);
    expect(consumer.commits.flat().map(({ partition, offset }) => [partition, offset])).toEqual(
      expect.arrayContaining([
        [0, 6],
        [1, 4],
      ]),
    );
  });

  test("a put with a lost answer is not repeated, because the existing object is recognized", async () => {
    const { clock, consumer, store, stored, join, deliver } = await running();
    await join();
    store.lostAnswers = 1;
    await deliver(range(0, 3));
    expect(consumer.commits).toEqual([]);
    await clock.advance(500);

    expect(store.objects.size).toBe(1);
    expect(stored).toEqual([key(0)]);
    expect(consumer.commits).toHaveLength(1);
  });
});

describe("an existing object", () => {
  test("is skipped when it is equal, however it was cut", async () => {
    const store = new FakeObjectStore();
    store.objects.set(key(0), objectAt([0, 1]));
    const { consumer, stored, join, deliver } = await running({}, store);
    await join();
    // The group has no commit, so the objects decide.
    await deliver(range(0, 6));

    expect(stored).toEqual([key(0), key(2)]);
    expect(store.objects.get(key(2))?.metadata).toMatchObject({
      start: 2,
      end: 4,
      previous_sha256: linkTo(objectAt([0, 1])),
    });
    expect(consumer.commits.flat()).toMatchObject([{ offset: 2 }, { offset: 5 }]);
  });

  test("that was not committed is recognized, from a zombie or from this archiver before it died", async () => {
    const { consumer, store, stored, positions, join, deliver } = await running();
    positions.set(0, { committed: 0, metadata: "weir-archive/2 ", earliest: 0 });
    store.objects.set(key(0), objectAt([0, 1]));
    await join();
    await deliver(range(0, 5));

    expect(stored).toEqual([key(0), key(2)]);
    expect(consumer.commits.flat().map(({ offset }) => offset)).toEqual([2, 5]);
  });

  test("that is longer than the verdicts read is waited for", async () => {
    const { consumer, store, stored, positions, join, deliver } = await running();
    positions.set(0, { committed: 0, metadata: "weir-archive/2 ", earliest: 0 });
    store.objects.set(key(0), objectAt(range(0, 5)));
    await join();
    await deliver(range(0, 3));
    expect(consumer.commits).toEqual([]);
    await deliver([3, 4, 5]);

    expect(stored).toEqual([key(0)]);
    expect(consumer.commits.flat()).toMatchObject([{ offset: 5 }]);
  });

  test("with other contents halts this partition and no other", async () => {
    const { consumer, log, loop, store, stored, positions, join, deliver } = await running();
    positions.set(0, { committed: 0, metadata: "weir-archive/2 ", earliest: 0 });
    store.objects.set(key(0), objectAt([0, 7]));
    await join([here, there]);
    await deliver(range(0, 9));
    await deliver(range(0, 3), there);

    expect(loop.state.halted).toEqual([0]);
    expect([...consumer.paused]).toEqual(["verdicts/0"]);
    expect(stored).toEqual([key(0, 1)]);
    expect(log.messages("error")).toEqual([
      "the archive holds other verdicts than the topic: the archive stops at this partition",
    ]);
    expect(await deliver([9])).toBe(false);
  });
});

test("an unreadable object halts its partition, at the start or later, and no other", async () => {
  class Damaged extends FakeObjectStore {
    override async putNew(object: ArchiveObject) {
      if (object.metadata.partition === 1) throw new ObjectUnreadableError(`${object.key}: cut short`);
      return super.putNew(object);
    }
    override async head(name: string) {
      if (name === key(0, 2)) throw new ObjectUnreadableError(`${name}: cut short`);
      return super.head(name);
    }
  }
  const store = new Damaged();
  const last = { topic: "verdicts", partition: 2 };
  store.objects.set(key(0, 2), { ...objectAt([0]), key: key(0, 2) });
  const { consumer, log, loop, stored, join, deliver } = await running({}, store);
  await join([last, there, here]);
  await deliver(range(0, 3), there);
  await deliver(range(0, 3));

  expect(await deliver(range(0, 3), last)).toBe(false);
  expect(stored).toEqual([key(0)]);
  expect(loop.state.halted).toEqual([2, 1]);
  expect([...consumer.paused].toSorted()).toEqual(["verdicts/1", "verdicts/2"]);
  expect(log.messages("error")).toEqual(
    Array(2).fill("an object of the archive cannot be read: the archive stops at this partition"),
  );
});

describe("a new generation", () => {
  test("does not restart the wait of verdicts", async () => {
    const { clock, stored, join, deliver } = await running();
    for (let minutes = 0; minutes < 8; minutes += 4) {
      await join();
      await deliver([0]);
      await clock.advance(240_000);
    }
    expect(stored).toEqual([key(0)]);
  });

  test("begins at the commit and reads unstored verdicts again", async () => {
    const { consumer, store, join, deliver } = await running();
    await join();
    await deliver(range(0, 5));
    await join();
    await deliver(range(3, 7));

    expect([...store.objects.keys()]).toEqual([key(0), key(3)]);
    expect(consumer.commits.flat().map(({ offset }) => offset)).toEqual([3, 6]);
    expect(store.objects.get(key(3))?.metadata.previous_sha256).toBe(linkTo(store.objects.get(key(0))));
  });

  test("commits nothing that the previous one had in flight, and recognizes it", async () => {
    const { consumer, store, join, deliver } = await running();
    const held = Promise.withResolvers<void>();
    store.hold = held.promise;
    await join();
    await deliver(range(0, 3));
    await join();
    held.resolve();
    await settled();
    expect(consumer.commits).toEqual([]);
    expect(store.objects.size).toBe(1);

    await deliver(range(0, 3));
    expect(consumer.commits.flat()).toMatchObject([{ offset: 3 }]);
    expect(store.objects.size).toBe(1);
  });

  test("the next object makes up for a refused commit", async () => {
    const { consumer, log, store, join, deliver } = await running();
    await join();
    consumer.answer = new Error("rebalancing");
    await deliver(range(0, 3));
    consumer.answer = "taken";
    await deliver(range(3, 6));

    expect(log.messages("warn")).toEqual(["the brokers refused a commit of the archive"]);
    expect(consumer.commits.flat().map(({ offset }) => offset)).toEqual([3, 6]);
    expect(store.objects.size).toBe(2);
  });
});

describe("a commit that is not made, with no verdict after it,", () => {
  const offsetsOf = ({ commits }: FakeConsumer) => commits.flat().map(({ offset }) => offset);

  test.each([
    { what: "refused", answer: Object.assign(new Error("moved"), { type: "NOT_COORDINATOR_FOR_GROUP" }) },
    { what: "refused", answer: Object.assign(new Error("none"), { type: "GROUP_COORDINATOR_NOT_AVAILABLE" }) },
    { what: "taken by no broker", answer: "nothing" as const },
  ])("since it is $what, is repeated until it is made, and then no more", async ({ answer }) => {
    const { clock, consumer, failures, join, deliver } = await running();
    await join();
    consumer.answer = answer;
    await deliver(range(0, 3));
    await clock.advance(60_000);
    const tried = consumer.commits.length;
    expect(tried).toBeGreaterThan(3);
    expect(failures).toEqual(new Array(tried).fill("commit"));
    consumer.answer = "taken";
    await clock.advance(60_000);
    expect(offsetsOf(consumer)).toEqual(new Array(tried + 1).fill(3));
    expect(consumer.commits.at(-1)).toEqual(consumer.commits.at(0));
    expect(failures).toHaveLength(tried);
  });

  test("ends with its generation", async () => {
    const { clock, consumer, join, deliver } = await running();
    await join();
    consumer.answer = new Error("moved");
    await deliver(range(0, 3));
    consumer.answer = "taken";
    consumer.commits.length = 0;
    await join([there]);
    await clock.advance(60_000);
    expect(offsetsOf(consumer)).toEqual([]);
  });

  test("is not made after a later one, however long the brokers think about it", async () => {
    const consumer = new FakeConsumer();
    const answers: PromiseWithResolvers<void>[] = [];
    const asked: number[] = [];
    consumer.commit = async (offsets) => {
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      asked.push(...offsets.map(({ offset }) => offset));
      await answer.promise;
      consumer.handler.committed(offsets);
    };
    const { clock, join, deliver } = await running({}, new FakeObjectStore(), consumer);
    await join();
    await deliver(range(0, 3));
    answers[0]?.reject(new Error("moved"));
    await settled();
    await clock.advance(1_000);
    await deliver(range(3, 6));
    expect(asked).toEqual([3, 3]);
    answers[1]?.resolve();
    await settled();
    expect(asked).toEqual([3, 3, 6]);
    answers[2]?.resolve();
    await settled();
    await clock.advance(60_000);
    expect(asked).toEqual([3, 3, 6]);
  });
});

describe("where it begins", () => {
  test.each([
    ["a group without a commit, and no objects: at the first verdict that is there", { earliest: 4 }, [], 4, []],
    ["objects beyond the commit of a stranger: after them", { committed: 1 }, [[0, 1, 2]], 3, []],
    [
      "a commit beyond the objects: there, and somebody is told",
      { committed: 9 },
      [[0, 1, 2]],
      9,
      ["the consumer group of the archive was moved past verdicts that are not archived"],
    ],
    [
      "a stranger's commit beyond verdicts that are there, and no objects: there, and somebody is told",
      { committed: 5, earliest: 2 },
      [],
      5,
      ["the consumer group of the archive was moved past verdicts that are not archived"],
    ],
    [
      "a stranger's commit at the first verdict that is there: nothing is missed",
      { committed: 2, earliest: 2 },
      [],
      2,
      [],
    ],
    [
      "verdicts that were deleted too soon: after them, and somebody is told",
      { earliest: 8 },
      [[0, 1, 2]],
      8,
      ["the topic deleted verdicts before the archive read them"],
    ],
  ] as const)("%s", async (_name, stands, objects, start, errors) => {
    const store = new FakeObjectStore();
    for (const offsets of objects) store.objects.set(key(offsets[0]), objectAt(offsets));
    const { log, stored, positions, join, deliver } = await running({}, store);
    positions.set(0, { committed: undefined, metadata: "", earliest: 0, ...stands });
    await join();
    await deliver(range(0, 13));

    expect(stored[0]).toBe(key(start));
    expect(log.messages("error")).toEqual(errors);
  });

  test("comes from the objects at the same offset when a commit holds the hash of the lines alone, as in the first version", async () => {
    const store = new FakeObjectStore();
    const old = objectAt([0, 1, 2]);
    store.objects.set(old.key, old);
    const { log, positions, join, deliver } = await running({}, store);
    positions.set(0, { committed: 3, metadata: `weir-archive/1 ${old.metadata.sha256}`, earliest: 0 });
    await join();
    await deliver(range(3, 6));

    expect(store.objects.get(key(3))?.metadata).toMatchObject({ start: 3, previous_sha256: linkTo(old) });
    expect(log.messages("error")).toEqual([]);
  });

  test("is requested until the brokers and the store answer", async () => {
    const store = new FakeObjectStore();
    store.isAway = true;
    let asked = 0;
    const positions = async () => {
      if (++asked === 1) throw new Error("no coordinator");
      return new Map<number, GroupPosition>();
    };
    const { clock, consumer, stored, join, deliver } = await running({ offsets: { positions } }, store);
    await join();
    await clock.advance(60_000);
    expect([...consumer.paused]).toEqual(["verdicts/0"]);
    store.isAway = false;
    await clock.advance(30_000);
    await deliver(range(0, 3));

    expect(stored).toEqual([key(0)]);
  });
});

describe("verdicts that the topic deleted before they were archived", () => {
  const deletion = "the topic deleted verdicts before the archive read them";
  /** The audit's findings on the objects alone. */
  const gaps = async (store: FakeObjectStore) => {
    const found: string[] = [];
    const onFinding = ({ finding }: { finding: string }) => found.push(finding);
    const signal = new AbortController().signal;
    await audit("verdicts", {
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
    return found.filter((finding) => finding !== "not_a_verdict");
  };

  test("leave a gap in the objects, are counted once, and the gap is committed", async () => {
    const { consumer, log, lost, store, positions, join, deliver } = await running();
    await join();
    await deliver(range(0, 3));
    const hash = linkTo(store.objects.get(key(0)));
    await join();
    positions.set(0, { committed: 3, metadata: `weir-archive/2 ${hash}`, earliest: 100 });
    consumer.handler.joined([here]);
    await settled();
    expect(consumer.commits.at(-1)).toEqual([{ ...here, offset: 100, metadata: `weir-archive/2 ${hash}` }]);
    await deliver(range(100, 103));

    expect([...store.objects.keys()]).toEqual([key(0), key(100)]);
    expect(store.objects.get(key(100))?.metadata).toMatchObject({ start: 100, end: 102, count: 3 });
    expect(lost).toEqual([97]);
    expect(log.messages("error")).toEqual([deletion]);
    expect(await gaps(store)).toEqual(["gap"]);
    await join();
    expect(lost).toEqual([97]);
  });

  test("cut the waiting verdicts before them to an object of their own, during a run", async () => {
    const { consumer, handler, log, lost, store, join, deliver } = await running();
    await join();
    await deliver([0, 1]);
    handler.lost?.({ ...here, offset: 2 }, 50);
    await settled();
    await deliver(range(50, 53));

    expect([...store.objects.values()].map(({ metadata: { start, end } }) => [start, end])).toEqual([
      [0, 1],
      [50, 52],
    ]);
    expect(consumer.commits.flat().map(({ offset }) => offset)).toEqual([50, 53]);
    expect(lost).toEqual([48]);
    expect(log.messages("error")).toEqual([deletion]);
    expect(await gaps(store)).toEqual(["gap"]);
  });

  test("may be reported by the brokers before the archive position is known", async () => {
    const known = Promise.withResolvers<ReadonlyMap<number, GroupPosition>>();
    const { handler, lost, store, join, deliver } = await running({ offsets: { positions: () => known.promise } });
    await join();
    handler.lost?.({ ...here, offset: 5 }, 9);
    known.resolve(new Map([[0, { committed: 5, metadata: "weir-archive/2 ", earliest: 8 }]]));
    await settled();
    await deliver(range(9, 12));

    expect([...store.objects.keys()]).toEqual([key(9)]);
    expect(lost).toEqual([4]);
  });

  test("are not lost as far as an uncommitted object holds them", async () => {
    const store = new FakeObjectStore();
    store.objects.set(key(0), objectAt(range(0, 5)));
    const { lost, log, positions, join, deliver } = await running({}, store);
    positions.set(0, { committed: 0, metadata: "weir-archive/2 ", earliest: 4 });
    await join();
    await deliver(range(4, 8));

    expect(store.objects.get(key(5))?.metadata).toMatchObject({
      start: 5,
      end: 7,
      previous_sha256: linkTo(objectAt(range(0, 5))),
    });
    expect(lost).toEqual([]);
    expect(log.messages("error")).toEqual([]);
  });
});

describe("a recreated topic with objects of the old topic", () => {
  const halt = (why: string) => `${why}: the archive stops at this partition`;

  test("halts when the commit names the old topic, however long the new one is", async () => {
    const store = new FakeObjectStore();
    const old = objectAt(range(0, 6));
    store.objects.set(key(0), old);
    const { log, loop, positions, join, deliver } = await running({}, store);
    const metadata = `weir-archive/2 ${linkTo(old)}`;
    positions.set(0, { committed: 6, committedId: "A", topicId: "B", metadata, earliest: 0, end: 90 });
    await join();

    expect(await deliver(range(6, 9))).toBe(false);
    expect(loop.state).toMatchObject({ halted: [0], locating: 0 });
    expect(log.lines.filter(({ level }) => level === "error")).toMatchObject([
      {
        message: halt("the topic was made anew under its name"),
        fields: { partition: 0, oldId: "A", newId: "B", archived: 5 },
      },
    ]);
    expect([...store.objects.keys()]).toEqual([key(0)]);
  });

  test("is archived when the commit names the new topic or none", async () => {
    for (const committedId of ["A", undefined]) {
      const { loop, positions, join, deliver } = await running();
      positions.set(0, { committed: 0, committedId, topicId: "A", metadata: "weir-archive/2 ", earliest: 0 });
      await join();
      expect(await deliver(range(0, 3))).toBe(true);
      expect(loop.state.halted).toEqual([]);
    }
  });

  test.each([
    ["without a commit", undefined],
    ["with the old one", 6],
  ])("halts while it is shorter than the objects, %s", async (_name, committed) => {
    const store = new FakeObjectStore();
    const old = objectAt(range(0, 6));
    store.objects.set(key(0), old);
    const { clock, log, loop, positions, join, deliver } = await running({}, store);
    const metadata = committed === undefined ? "" : `weir-archive/2 ${linkTo(old)}`;
    positions.set(0, { committed, metadata, earliest: 0, end: 5 });
    await join();
    await clock.advance(24_999);
    expect(loop.state).toMatchObject({ halted: [], locating: 1 });
    await clock.advance(1);

    expect(await deliver(range(0, 5))).toBe(false);
    expect(loop.state).toMatchObject({ halted: [0], locating: 0 });
    expect(log.messages("error")).toEqual([halt("the archive goes on beyond the end of the topic")]);
    expect([...store.objects.keys()]).toEqual([key(0)]);
  });

  test("halts when an object does not match its metadata: half a body, or another one", async () => {
    const store = new FakeObjectStore();
    const old = objectAt([0, 1]);
    store.objects.set(old.key, { ...old, lines: old.lines.subarray(0, 2) });
    const { clock, log, loop, positions, join, deliver } = await running({}, store);
    positions.set(0, { committed: undefined, metadata: "", earliest: 0, end: 9 });
    await join();
    await deliver(range(0, 9));
    // The object may be in the middle of a change.
    expect(loop.state.halted).toEqual([]);
    await clock.advance(3_000);

    expect(log.messages("error")).toEqual([halt("an object of the archive does not hold what it says")]);
    expect(loop.state.halted).toEqual([0]);
  });

  test("halts when its verdicts differ, also on another day", async () => {
    const store = new FakeObjectStore();
    const old = objectAt([0, 1]);
    const name = key(0).replace("2026-01-01", "2025-12-31");
    const lines = Buffer.from("others\n");
    store.objects.set(name, { key: name, lines, metadata: { ...old.metadata, sha256: sha256(lines) } });
    const { log, loop, positions, join, deliver } = await running({}, store);
    positions.set(0, { committed: undefined, metadata: "", earliest: 0, end: 9 });
    await join();
    await deliver(range(0, 9));

    expect(loop.state.halted).toEqual([0]);
    expect(log.messages("error")).toEqual([halt("the archive holds other verdicts than the topic")]);
    expect([...store.objects.keys()]).toEqual([name]);
  });

  test("is not suspected when a leader learns its end a little later, or when a topic has no records", async () => {
    const store = new FakeObjectStore();
    store.objects.set(key(0), objectAt([0, 1]));
    const { clock, loop, stored, positions, join, deliver } = await running({}, store);
    positions.set(0, { committed: undefined, metadata: "", earliest: 0, end: 1 });
    positions.set(1, { committed: undefined, metadata: "", earliest: 0, end: 0 });
    await join([here, there]);
    expect(loop.state).toMatchObject({ halted: [], locating: 1 });
    positions.set(0, { committed: undefined, metadata: "", earliest: 0, end: 9 });
    await clock.advance(5_000);
    await deliver(range(0, 5));

    expect(loop.state.halted).toEqual([]);
    expect(stored).toEqual([key(0), key(2)]);
  });
});

describe("an object that is changed while it is read back", () => {
  /** A store that runs an action before it gives lines, a number of times. */
  class Touched extends FakeObjectStore {
    touches: ((store: FakeObjectStore) => void)[] = [];
    override async lines(name: string) {
      this.touches.shift()?.(this);
      return super.lines(name);
    }
  }
  const standing = (own: Partial<ArchiveObject> = {}) => ({ ...objectAt([0, 1]), ...own });
  const other = standing({ lines: Buffer.from("5\n6\n") });
  const remove = (store: FakeObjectStore) => store.objects.delete(key(0));
  const put = (object: ArchiveObject) => (store: FakeObjectStore) => store.objects.set(key(0), object);
  /** Without a commit the last object is read back at the start. With a commit, the next put finds it. */
  const touched = async (committed: number | undefined, ...touches: Touched["touches"]) => {
    const store = new Touched();
    store.objects.set(key(0), standing());
    store.touches = touches;
    const it = await running({}, store);
    const metadata = committed === undefined ? "" : "weir-archive/2 ";
    it.positions.set(0, { committed, metadata, earliest: 0, end: 9 });
    await it.join();
    await it.deliver(range(0, 5));
    await it.clock.advance(60_000);
    return it;
  };
  const deleted = "an archive object was deleted during a read";

  test.each([undefined, 0])("is stored again when it was deleted (committed: %s)", async (committed) => {
    const { loop, store, log, consumer } = await touched(committed, remove);

    expect(Buffer.from(store.objects.get(key(0))?.lines ?? []).toString()).toBe("0\n1\n2\n");
    expect(loop.state.halted).toEqual([]);
    expect(log.messages("error")).toEqual([deleted]);
    expect(consumer.commits.flat().map(({ offset }) => offset)).toEqual([3]);
  });

  test.each([undefined, 0])("counts once it is whole again (committed: %s)", async (committed) => {
    const { loop, log, consumer } = await touched(committed, put(other), put(standing()));

    expect(loop.state.halted).toEqual([]);
    expect(log.messages("error")).toEqual([]);
    expect(consumer.commits.flat().map(({ offset }) => offset)).toEqual([2, 5]);
  });

  test("is compared in its new form when its metadata has changed", async () => {
    const { loop, log, consumer } = await touched(0, put(objectAt(range(0, 3))));

    expect([loop.state.halted, log.messages("error")]).toEqual([[], []]);
    expect(consumer.commits.flat().map(({ offset }) => offset)).toEqual([3]);
  });

  test("is not equal when it was changed to something else, and halts its partition", async () => {
    const { loop, log, consumer } = await touched(0, put(objectAt([0, 3])));

    expect(loop.state.halted).toEqual([0]);
    expect(consumer.commits).toEqual([]);
    expect(log.messages("error")).toEqual([
      "the archive holds other verdicts than the topic: the archive stops at this partition",
    ]);
  });

  test("halts its partition when it is deleted again and again", async () => {
    class Gone extends FakeObjectStore {
      override async putNew() {
        return standing();
      }
    }
    const { loop, log, positions, join, deliver } = await running({}, new Gone());
    positions.set(0, { committed: 0, metadata: "weir-archive/2 ", earliest: 0, end: 9 });
    await join();
    await deliver(range(0, 5));

    expect(loop.state.halted).toEqual([0]);
    expect(log.messages("error")).toEqual([
      deleted,
      deleted,
      deleted,
      "an object of the archive is deleted again and again: the archive stops at this partition",
    ]);
  });

  test("is requested again when it was deleted between the listing and the read", async () => {
    class Vanishing extends FakeObjectStore {
      override async head(name: string) {
        const found = await super.head(name);
        if (name === key(3)) this.objects.delete(name);
        return name === key(3) ? undefined : found;
      }
    }
    const store = new Vanishing();
    const [first, second] = [objectAt(range(0, 3)), objectAt(range(3, 5), 3, linkTo(objectAt(range(0, 3))))];
    for (const object of [first, second]) store.objects.set(object.key, object);
    const { clock, stored, failures, positions, join, deliver } = await running({}, store);
    // The topic has deleted the beginning of the first object.
    positions.set(0, { committed: undefined, metadata: "", earliest: 2, end: 9 });
    await join();
    await clock.advance(1_000);
    await deliver(range(2, 6));

    expect(failures).toEqual(["objects"]);
    expect(stored).toEqual([key(3)]);
  });
});

describe("an object that is longer than the verdicts read", () => {
  const standingAt = async (standing: ArchiveObject, end?: number) => {
    const store = new FakeObjectStore();
    store.objects.set(key(0), standing);
    const it = await running({ maxBytes: 20 }, store);
    it.positions.set(0, {
      committed: 0,
      metadata: "weir-archive/2 ",
      earliest: 0,
      ...(end === undefined ? {} : { end }),
    });
    await it.join([here, there]);
    return it;
  };
  const claiming = (claims: Partial<ArchiveObject["metadata"]>) => {
    const object = objectAt([0, 1]);
    return { ...object, metadata: { ...object.metadata, ...claims } };
  };

  test("is compared without keeping lines, although memory is full", async () => {
    const { clock, consumer, loop, stored, store, join, deliver } = await standingAt(objectAt(range(0, 900)));
    for (let from = 0; from < 890; from += 10) {
      await deliver(range(from, from + 10));
      expect(loop.state.bytes).toBe(0);
    }
    store.isAway = true;
    await deliver(range(0, 10), there);
    expect([loop.state.bytes, [...consumer.paused]]).toEqual([20, ["verdicts/1"]]);
    await deliver(range(890, 900));
    expect(stored).toEqual([key(0)]);

    expect(consumer.commits.flat()).toMatchObject([{ partition: 0, offset: 900 }]);
    await deliver(range(900, 901));
    expect([...consumer.paused].toSorted()).toEqual(["verdicts/0", "verdicts/1"]);
    store.isAway = false;
    await clock.advance(60_000);
    expect([...consumer.paused]).toEqual([]);
    await join();
  });

  test("halts as soon as more verdicts came than it holds", async () => {
    const { loop, deliver } = await standingAt(claiming({ end: 1_000_000_000, count: 25 }));
    for (const from of [0, 10]) await deliver(range(from, from + 10));
    expect(loop.state).toMatchObject({ halted: [], bytes: 0 });
    await deliver(range(20, 30));

    expect(loop.state).toMatchObject({ halted: [0], bytes: 0 });
  });

  test("halts when it continues beyond the end of the topic", async () => {
    const { clock, loop, deliver } = await standingAt(claiming({ end: 1_000_000_000, count: 1_000_000_000 }), 50);
    await deliver(range(0, 10));
    expect(loop.state.halted).toEqual([]);
    await clock.advance(25_000);

    expect(loop.state.halted).toEqual([0]);
  });

  test("halts when it ends between verdicts or holds other lines", async () => {
    for (const claims of [
      { end: 2, count: 3 },
      { end: 3, count: 3 },
    ]) {
      const { loop, deliver } = await standingAt(claiming(claims));
      await deliver([0, 1]);
      await deliver([3, 4, 5]);
      expect(loop.state.halted).toEqual([0]);
    }
  });
});

describe("a halted partition", () => {
  test("gives its memory to the others and keeps the age of its waiting verdicts", async () => {
    const store = new FakeObjectStore();
    const { clock, consumer, loop, stored, join, deliver } = await running({ maxBytes: 20 }, store);
    await join([here, there]);
    store.isAway = true;
    await deliver(range(0, 10));
    await deliver([0], there);
    expect([...consumer.paused].toSorted()).toEqual(["verdicts/0", "verdicts/1"]);
    store.objects.set(key(0), objectAt([0, 7]));
    store.isAway = false;
    await clock.advance(60_000);

    expect(loop.state).toMatchObject({ halted: [0], bytes: 0, oldestAt: Date.UTC(2026, 0, 1) });
    expect([...consumer.paused]).toEqual(["verdicts/0"]);
    await deliver(range(1, 4), there);
    await clock.advance(300_000);
    expect(stored).toEqual([key(0, 1), key(1, 1)]);
  });

  test("may halt for a record with an impossible date, and the process continues", async () => {
    const { handler, log, loop, stored, join, deliver } = await running();
    await join([here, there]);
    const [record] = recordsAt([0], here);
    if (record === undefined) throw new Error("there is one");
    handler.delivered(
      range(0, 3).map((offset) => ({ ...record, offset, timestamp: -1, value: Buffer.from("s3cret") })),
    );
    await settled();
    await deliver(range(0, 3), there);

    expect(loop.state.halted).toEqual([0]);
    expect(stored).toEqual([key(0, 1)]);
    expect(log.messages("error")).toEqual(["what waits cannot be archived: the archive stops at this partition"]);
    expect(JSON.stringify(log.lines)).not.toContain("s3cret");
  });
});

test("a partition without a leader is archived on at its commit once it has one; others go on meanwhile", async () => {
  const { clock, consumer, positions, loop, stored, join, deliver } = await running();
  positions.set(0, { committed: 7, metadata: "", earliest: 0, end: 0, isLeaderless: true });
  await join([here, there]);
  await deliver(range(0, 3), there);
  await clock.advance(600_000);
  expect([stored, loop.state.locating, [...consumer.paused]]).toEqual([[key(0, 1)], 1, ["verdicts/0"]]);
  expect(loop.state.halted).toEqual([]);
  positions.set(0, { committed: 7, metadata: "", earliest: 0, end: 9 });
  await clock.advance(30_000);
  await deliver(range(7, 10));
  expect([stored, loop.state.locating]).toEqual([[key(0, 1), key(7)], 0]);
});

describe("a topic that lost verdicts that are archived", () => {
  const message = "the topic lost verdicts that are archived: the archive stops at this partition";

  /** Three verdicts are archived, and the group begins anew. */
  async function archived() {
    const archive = await running();
    await archive.join();
    await archive.deliver(range(0, 3));
    return archive;
  }

  test("is archived no further, whichever is known first: the place or the loss", async () => {
    for (const isLossFirst of [true, false]) {
      const { handler, log, loop, stored, join, deliver } = await archived();
      const tell = () => handler.located([{ ...here, offset: 2, agreesUntil: 2 }]);
      const joined = join();
      if (isLossFirst) tell();
      await joined;
      if (!isLossFirst) tell();
      expect(loop.state).toMatchObject({ halted: [0], locating: 0 });
      expect(await deliver(range(2, 5))).toBe(false);
      expect(stored).toEqual([key(0)]);
      expect(log.lines.filter(({ level }) => level === "error")).toEqual([
        { level: "error", message, fields: { ...here, archived: 2, end: 2 } },
      ]);
    }
  });

  test("goes on where only an object beyond the commit lies past the compared epochs", async () => {
    const store = new FakeObjectStore();
    const [one, two] = [objectAt([0, 1]), objectAt([2, 3, 4, 5], 2, linkTo(objectAt([0, 1])))];
    for (const each of [one, two]) await store.putNew(each);
    const { positions, handler, loop, join } = await running({}, store);
    positions.set(0, { committed: 2, metadata: `weir-archive/2 ${linkTo(one)}`, earliest: 4, end: 50 });
    await join();
    handler.located([{ ...here, offset: 2, agreesUntil: 3 }]);
    await settled();

    expect(loop.state.halted).toEqual([]);
  });

  test("goes on where all that is archived is there", async () => {
    const { handler, loop, stored, join, deliver } = await archived();
    await join();
    handler.located([{ ...here, offset: 3, agreesUntil: 3 }]);
    await deliver(range(3, 6));
    expect([loop.state.halted, stored]).toEqual([[], [key(0), key(3)]]);
  });
});

test("told to stop, it leaves; what waits is read again by the next", async () => {
  const { consumer, stopping, ended, store, join, deliver } = await running();
  await join();
  await deliver([0]);
  stopping.abort();

  await expect(ended).resolves.toBeUndefined();
  expect(consumer.isStopped).toBe(true);
  expect(store.objects.size).toBe(0);
});

test("a consumer that has ended for good ends the loop", async () => {
  const { handler, ended } = await running();
  handler.failed(new TypeError("x"), true);
  handler.failed(new TypeError("y"), false);

  await expect(ended).rejects.toThrow("y");
});

describe("the state of the archive:", () => {
  const idle = {
    assigned: [0],
    halted: [],
    bytes: 0,
    oldestAt: undefined,
    idleSince: undefined,
    failing: [],
  };

  test("not joined, then joined, with the waiting verdicts and their age", async () => {
    const { loop, storedBytes, join, deliver } = await running();
    expect(loop.state).toEqual({ ...idle, assigned: [], isJoined: false, locating: 0 });
    await join();
    await deliver([0, 1]);

    const written = Date.UTC(2026, 0, 1);
    expect(loop.state).toEqual({ ...idle, isJoined: true, locating: 0, bytes: 4, oldestAt: written });
    await deliver([2]);
    expect(loop.state).toEqual({ ...idle, isJoined: true, locating: 0 });
    expect(storedBytes).toEqual([6]);
  });

  test("with unknown archive positions it gives their number and the failing step, and counts each attempt", async () => {
    const store = new FakeObjectStore();
    store.isAway = true;
    const { clock, loop, failures, join } = await running({}, store);
    await join([here, there]);
    expect(loop.state).toMatchObject({ isJoined: true, assigned: [0, 1], locating: 2, failing: ["objects"] });
    expect(failures).toEqual(["objects", "objects"]);
    await clock.advance(250);
    expect(failures).toEqual(["objects", "objects", "objects", "objects"]);
    await join([here]);
    expect(loop.state).toMatchObject({ assigned: [0], locating: 1 });

    store.isAway = false;
    await clock.advance(1_000);
    expect(loop.state).toMatchObject({ locating: 0, failing: [] });
  });

  test("a partition with a usable commit does not wait for one that needs the store", async () => {
    const store = new FakeObjectStore();
    store.isAway = true;
    const { consumer, loop, positions, join, deliver } = await running({}, store);
    positions.set(1, { committed: 0, metadata: "weir-archive/2 ", earliest: 0 });
    await join([here, there]);

    expect([...consumer.paused]).toEqual(["verdicts/0"]);
    expect(await deliver([0], there)).toBe(true);
    expect(loop.state).toMatchObject({ locating: 1, bytes: 2 });
  });

  test("while the store is unavailable, attempts fail, and nothing is idle for long", async () => {
    const { clock, loop, store, failures, join, deliver } = await running();
    await join();
    store.isAway = true;
    await deliver([0, 1, 2]);
    expect(loop.state.failing).toEqual(["store"]);
    await clock.advance(3_600_000);

    expect(failures.length).toBeGreaterThan(200);
    const { idleSince = Number.NaN } = loop.state;
    expect(clock.ticks() - idleSince).toBeLessThanOrEqual(15_000);
  });

  test("a put that never ends is visible, because nothing was attempted since the object was due", async () => {
    const { clock, loop, store, join, deliver } = await running();
    await join();
    await clock.advance(1_000);
    store.hold = Promise.withResolvers<void>().promise;
    // It was written a second ago.
    await deliver([0]);
    expect(loop.state.idleSince).toBeUndefined();
    await clock.advance(299_000);
    const due = clock.ticks();
    await clock.advance(60_000);

    expect(loop.state.idleSince).toBe(due);
  });

  test("a refused commit counts as a failed attempt", async () => {
    const { consumer, failures, join, deliver } = await running();
    await join();
    consumer.answer = new Error("rebalancing");
    await deliver(range(0, 3));

    expect(failures).toEqual(["commit"]);
  });
});

test("told to stop during a join, it leaves at once", async () => {
  const consumer = new FakeConsumer();
  const start = consumer.start.bind(consumer);
  consumer.start = async (handler) => {
    await start(handler);
    await new Promise<never>(() => undefined);
  };
  const { ended, stopping } = await running({}, undefined, consumer);
  stopping.abort();

  await expect(ended).resolves.toBeUndefined();
  expect(consumer.isStopped).toBe(true);
});
