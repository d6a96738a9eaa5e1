import { describe, expect, test } from "vitest";
import { type QuotaStatement, readStatement, statementBytes } from "../../../../../src/messages/quota-statement.ts";
import { Headroom } from "../../../../../src/worker/rate-limit/sharing/headroom.ts";
import { QuotaMember } from "../../../../../src/worker/rate-limit/sharing/quota-member.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const CLOSED_MS = 2 ** 30;
const quota = { requests: 102, windowMs: 1_000 };

/**
 * Process "a", with a topic that returns what was written. With `isAway` it fails, and with `isLate` the test decides
 * when records are read.
 */
function setup(demand = Number.POSITIVE_INFINITY, isLate = false) {
  const clock = new VirtualClock(0);
  const log = new FakeLog();
  const paces: number[] = [];
  const written: QuotaStatement[] = [];
  const wants = { demand, mark: "0-1", isAway: false, isStuck: false };
  const unread: Uint8Array[] = [];
  const headroom = new Headroom(() => undefined);
  const stop = new AbortController();
  const member = new QuotaMember({
    member: "a",
    quota,
    weight: 1,
    alone: 0.1,
    headroom,
    mark: () => wants.mark,
    meter: { perSecond: () => wants.demand },
    slots: { pace: (ms) => void paces.push(ms) },
    clock,
    log,
    write: async (key, value) => {
      if (wants.isAway) throw new Error("no broker");
      const statement = readStatement(value);
      if (statement === undefined || statement.member !== key) throw new Error("not a statement of ours");
      written.push(statement);
      if (isLate) unread.push(value);
      else member.read(value);
      if (wants.isStuck) await new Promise(() => undefined);
    },
  });
  const ended = member.run(stop.signal);
  let sequence = 0;
  const other = (changes: Partial<QuotaStatement> = {}) =>
    member.read(
      statementBytes({
        member: "b",
        key: "0-1",
        sequence: ++sequence,
        demand: null,
        weight: 1,
        quota: { requests: 102, window_ms: 1_000 },
        leaves: false,
        // By a wrong clock.
        sent_at: 1,
        ...changes,
      }),
    );
  return { clock, log, headroom, paces, written, unread, wants, member, other, stop, ended };
}

test("permits are closed until the process reads its own statement, and then come at its share", async () => {
  const { clock, paces, other, member } = setup();
  expect(paces).toEqual([CLOSED_MS]);
  await clock.advance(1_250);
  expect([paces, member.perSecond, member.members]).toEqual([[CLOSED_MS, 1_000 / 101], 101, 1]);
  other();
  await clock.advance(250);

  expect([paces.at(-1), member.perSecond, member.members]).toEqual([20, 50, 2]);
});

test("a process states its demand every 2 s, at once when it suddenly wants everything, and that it leaves", async () => {
  const { clock, written, wants, stop, ended } = setup(3);
  await clock.advance(2_500);
  wants.demand = Number.POSITIVE_INFINITY;
  await clock.advance(250);
  stop.abort();
  await ended;

  expect(written.map(({ sequence, demand, leaves, sent_at }) => [sequence, demand, leaves, sent_at])).toEqual([
    [1, 3, false, 0],
    [2, 3, false, 2_000],
    [3, null, false, 2_750],
    [4, 0, true, 2_750],
  ]);
});

test("a process states a demand of more than twice the last one at once, but not within half a second", async () => {
  const { clock, written, wants } = setup(3);
  await clock.advance(250);
  wants.demand = 6.1;
  await clock.advance(500);
  wants.demand = 12.2;
  await clock.advance(750);

  expect(written.map(({ demand, sent_at }) => [demand, sent_at])).toEqual([
    [3, 0],
    [6.1, 500],
  ]);
});

test("a process that leaves or changes its key releases its share, and one with another key has none", async () => {
  const { clock, other, member } = setup();
  other();
  await clock.advance(1_250);
  expect([member.members, member.perSecond]).toEqual([2, 50]);
  other({ leaves: true });
  await clock.advance(1_500);
  expect([member.members, member.perSecond]).toEqual([1, 101]);
  other({ key: "0-2" });
  await clock.advance(250);
  expect(member.members).toBe(1);
  other();
  other({ key: "0-2" });

  expect(member.members).toBe(1);
});

test("the last statement read counts, whatever its number, and junk changes nothing", async () => {
  const { clock, other, member } = setup();
  other({ sequence: 5, demand: null });
  other({ sequence: 4, demand: 10 });
  member.read(Buffer.from("junk"));
  member.read(undefined);
  await clock.advance(1_250);

  expect([member.members, member.perSecond]).toEqual([2, 90]);
});

test("a forged statement with a wrong number silences no process", async () => {
  const { clock, other, member } = setup();
  other();
  await clock.advance(2_000);
  other({ sequence: Number.MAX_SAFE_INTEGER });
  for (let i = 0; i < 10; i++) {
    await clock.advance(2_000);
    other();
  }

  expect([member.members, member.perSecond]).toEqual([2, 50]);
});

test("a weight beyond the limit, and a sudden crowd of processes, are logged once", async () => {
  const { clock, log, other, member } = setup();
  other({ weight: 100 });
  other({ weight: 101 });
  other({ weight: 1_000, member: "c" });
  await clock.advance(12_000);
  const crowd = () => {
    for (let i = 0; i < 60; i++) other({ member: `p${i}`, demand: 0 });
  };
  crowd();
  await clock.advance(250);
  crowd();
  await clock.advance(250);

  expect(member.members).toBe(61);
  expect(log.messages("warn")).toEqual([
    "a process on this key states a weight beyond all bounds: it counts as the largest that may be given",
    "many more processes share this key than before: if you did not start them, check which clients may write to TOPIC_CONTROL",
  ]);
});

test("without a topic the process goes on with what it knew, and logs that once", async () => {
  const { clock, log, other, member, wants } = setup();
  other();
  await clock.advance(4_000);
  other();
  expect(member.perSecond).toBe(50);
  wants.isAway = true;
  await clock.advance(30_000);
  expect([member.members, member.perSecond]).toEqual([2, 50]);
  await clock.advance(40_000);
  expect(member.perSecond).toBe(10);
  wants.isAway = false;
  await clock.advance(4_000);

  expect(log.messages("warn")).toEqual([
    "Weir cannot write to the control topic: this process continues with the last known quota shares",
  ]);
  expect(log.messages("info")).toEqual(["Weir can write to the control topic again"]);
  // The other process was last read long ago, but this process itself could not read.
  expect([member.members, member.perSecond]).toEqual([2, 50]);
});

test("another quota of another process is logged once, and an equivalent quota is not", async () => {
  const { log, other } = setup();
  other({ quota: { requests: 204, window_ms: 2_000 } });
  expect(log.messages("warn")).toEqual([]);
  other({ quota: { requests: 50, window_ms: 1_000 } });
  other({ quota: { requests: 50, window_ms: 1_000 } });

  expect(log.messages("warn")).toEqual([
    "another process on this key was given another SERVICE_QUOTA: give all of them the same",
  ]);
});

test("429s are stated as soon as they come, and those of others count like own ones", async () => {
  const { clock, written, headroom, other } = setup(3);
  await clock.advance(2_250);
  headroom.refused();
  await clock.advance(250);
  headroom.refused();
  await clock.advance(250);
  expect(written.map(({ refused, sent_at }) => [refused, sent_at])).toEqual([
    [0, 0],
    [0, 2_000],
    [1, 2_500],
  ]);
  expect(headroom.closeness).toBe(0);
  for (let i = 0; i < 400; i++) headroom.taken();
  // 429s from before its first statement, statements without a number, and a repeated number do not count.
  other({ refused: 7 });
  other();
  other({ refused: 7 });
  expect(headroom.closeness).toBe(1);
  other({ refused: 8 });

  expect(headroom.closeness).toBe(0);
});

test("a share that grows by less than a fiftieth is ignored, and one that shrinks is not", async () => {
  const { clock, paces, other } = setup();
  other({ demand: 50 });
  await clock.advance(1_250);
  other({ demand: 49.5 });
  await clock.advance(1_500);
  expect(paces).toEqual([CLOSED_MS, 20]);
  other({ demand: 49 });
  await clock.advance(1_500);
  expect(paces).toEqual([CLOSED_MS, 20, 1_000 / 51]);
  other({ demand: 49.5 });
  await clock.advance(250);

  expect(paces).toEqual([CLOSED_MS, 20, 1_000 / 51, 1_000 / 50.5]);
});

test("a share of less than one request per second is a pace, too", async () => {
  const { clock, paces, other } = setup();
  for (let i = 0; i < 50; i++) other({ member: `p${i}`, weight: 30 });
  await clock.advance(1_250);

  expect(paces).toEqual([CLOSED_MS, 1_020]);
});

test("a process states a changed demand with its next statement, and none while one is being written", async () => {
  const { clock, written, wants } = setup(3);
  await clock.advance(1_000);
  wants.demand = 4;
  await clock.advance(750);
  expect(written).toHaveLength(1);
  wants.isStuck = true;
  await clock.advance(10_000);

  expect(written.map(({ demand, sent_at }) => [demand, sent_at])).toEqual([
    [3, 0],
    [4, 2_000],
  ]);
});

test("a process knows the last 64 of its own statements", async () => {
  const { clock, unread, member } = setup(3, true);
  await clock.advance(64 * 2_000);
  expect(unread).toHaveLength(65);
  member.read(unread[0]);
  expect(member.members).toBe(0);
  member.read(unread[1]);

  expect(member.members).toBe(1);
});

describe("429s that a returning process had meanwhile are old", () => {
  const again = { sequence: 1, refused: 7 } as const;
  const before = { sequence: 9, refused: 3 } as const;

  test("after it has left", async () => {
    const { clock, other, member, headroom } = setup();
    other(before);
    other({ sequence: 10, leaves: true });
    await clock.advance(250);
    expect(member.members).toBe(1);
    other(again);

    expect([member.members, headroom.closeness]).toEqual([2, 2]);
  });

  test.each([
    { others: ["b", "c", "d", "e"], closeness: 0 },
    { others: ["b", "c", "d", "e", "f"], closeness: 2 },
  ])("once more than twice as many processes have gone as are present: $others", async ({ others, closeness }) => {
    const { clock, other, member, headroom } = setup();
    for (const name of others) other({ member: name, ...before });
    await clock.advance(14_250);
    expect(member.members).toBe(1);
    other({ ...before, member: "z" });
    other(again);

    expect([member.members, headroom.closeness]).toEqual([3, closeness]);
  });
});

test("own 429s that are read from the topic do not count again, and a statement without a number counts none", async () => {
  const { clock, headroom, other } = setup(3);
  await clock.advance(2_250);
  headroom.refused();
  for (let i = 0; i < 399; i++) headroom.taken();
  await clock.advance(2_500);
  headroom.taken();
  expect(headroom.closeness).toBe(1);
  other({ refused: 7 });
  other();
  other({ refused: 8 });

  expect(headroom.closeness).toBe(0);
});
