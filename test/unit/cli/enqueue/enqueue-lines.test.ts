import { describe, expect, test } from "vitest";
import type { FileRecord } from "../../../../src/adapters/files/input/records.ts";
import type { Unfinished } from "../../../../src/adapters/files/input/unfinished.ts";
import { EnqueueLines } from "../../../../src/cli/enqueue/enqueue-lines.ts";
import { type Enqueued, NOTHING } from "../../../../src/cli/enqueue/enqueue-window.ts";
import { Rate } from "../../../../src/cli/enqueue/rate.ts";
import { InputUnreadableError, OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { FakePublisher } from "../../../fakes/fake-publisher.ts";
import { recordOf } from "../../../fakes/records.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { heapUsed } from "../../../support/heap-used.ts";

const event = (i: number) => ({ type: "address", chain_id: "eth", address: `0x${String(i).padStart(40, "0")}` });

function linesOf(contents: readonly (object | string)[]): FileRecord[] {
  return contents.map((content, i) => {
    const record = recordOf(content as string, i + 1);
    return { ...record, source: { file: "events.ndjson", line: i + 1 }, isEventJson: true };
  });
}

interface Own {
  readonly begun?: Enqueued;
  readonly rate?: Rate;
  readonly publisher?: FakePublisher;
  readonly keep?: (done: Enqueued) => Promise<void>;
  readonly onBad?: () => void;
  readonly waiting?: Unfinished;
}

function enqueuing(records: Iterable<FileRecord> | AsyncIterable<FileRecord>, own: Own = {}) {
  const clock = new VirtualClock(0);
  const publisher = own.publisher ?? new FakePublisher();
  const kept: Enqueued[] = [];
  const bad: [number, string][] = [];
  const stopping = new AbortController();
  const lines = new EnqueueLines({
    records: (async function* () {
      yield* records;
    })(),
    waiting: () => own.waiting,
    topic: "bulk",
    begun: own.begun ?? NOTHING,
    publisher,
    clock,
    rate: own.rate,
    keep: own.keep ?? (async (done) => void kept.push(done)),
    onBad: own.onBad ?? ((line, detail) => bad.push([line, detail])),
    stop: stopping.signal,
  });
  const ended = lines.run();
  ended.catch(() => undefined);
  return { clock, publisher, kept, bad, stopping, lines, ended };
}

const five = linesOf([event(1), event(2), "{", event(4), event(5)]);

test("every line is sent in order, including lines that are no events, and the progress is kept", async () => {
  const { publisher, kept, bad, lines, ended } = enqueuing(five);
  await ended;

  expect(publisher.records.map(({ value }) => Buffer.from(value).toString().slice(0, 24))).toEqual([
    '{"id":"events.ndjson/1",',
    '{"id":"events.ndjson/2",',
    "{",
    '{"id":"events.ndjson/4",',
    '{"id":"events.ndjson/5",',
  ]);
  expect([lines.sent, lines.bad, bad]).toEqual([5, 1, [[3, "not valid JSON"]]]);
  expect(kept.at(-1)).toEqual({ lines: 5, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

describe("a second run", () => {
  const doneWith = async (records: readonly FileRecord[]) => {
    const { lines, ended } = enqueuing(records);
    await ended;
    return lines.done;
  };

  test("skips the sent lines and sends the rest, with the same final state", async () => {
    const { publisher, lines, ended } = enqueuing(five, { begun: await doneWith(five.slice(0, 3)) });
    await ended;

    expect(publisher.to("bulk").map(({ value }) => (value as { id: string }).id)).toEqual([
      "events.ndjson/4",
      "events.ndjson/5",
    ]);
    expect(lines.done).toEqual(await doneWith(five));
    expect([lines.sent, lines.bad]).toEqual([2, 1]);
  });

  test("sends nothing when no line was added", async () => {
    const { publisher, kept, ended } = enqueuing(five, { begun: await doneWith(five) });
    await ended;

    expect([publisher.records, kept]).toEqual([[], []]);
  });

  test.each([
    ["a line that changed", [event(1), event(9), "{", event(4)], "the lines up to 3 are not those"],
    ["a line that was put in", [event(1), event(2), event(3), "{", event(4)], "the lines up to 3 are not those"],
    ["lines that are gone", [event(1), event(2)], "line 3 was enqueued before, and is no longer there"],
    ["no line at all", [], "line 3 was enqueued before, and is no longer there"],
  ])("is refused for %s, before it sends anything", async (_name, contents, message) => {
    const { publisher, ended } = enqueuing(linesOf(contents), { begun: await doneWith(five.slice(0, 3)) });

    await expect(ended).rejects.toThrow(message);
    await expect(ended).rejects.toBeInstanceOf(InputUnreadableError);
    expect(publisher.records).toEqual([]);
  });
});

test("a second run is refused where a run with --finished sent lines that wait now", async () => {
  const first = enqueuing(five.slice(0, 3));
  await first.ended;

  const waiting = { from: 3, to: 3, isQuoted: false };
  const { publisher, ended } = enqueuing(five.slice(0, 2), { begun: first.lines.done, waiting });

  await expect(ended).rejects.toThrow(
    "the end of the file was enqueued before and may still grow (line 3): give --finished if nothing more comes, or name another --state",
  );
  expect(publisher.records).toEqual([]);
});

test("the kept progress never passes a line that is not durable, in any order of completions", async () => {
  const publisher = new FakePublisher();
  const waits = new Map<string, PromiseWithResolvers<void>>();
  publisher.durable = ({ key }) => {
    const wait = Promise.withResolvers<void>();
    waits.set(String(key).slice(-1), wait);
    return wait.promise;
  };
  const { clock, kept, lines, ended } = enqueuing(linesOf([1, 2, 3, 4].map(event)), { publisher });
  await settled();
  for (const [key, done] of [
    ["2", 0],
    ["1", 2],
    ["4", 2],
    ["3", 4],
  ] as const) {
    waits.get(key)?.resolve();
    await clock.advance(1_000);
    expect([key, lines.done.lines]).toEqual([key, done]);
  }
  await ended;
  expect(kept.map(({ lines: upTo }) => upTo)).toEqual([2, 4]);
});

test("at most 5,000 lines are in flight", async () => {
  const publisher = new FakePublisher();
  const durable = Promise.withResolvers<void>();
  let begun = 0;
  publisher.durable = () => {
    begun++;
    return durable.promise;
  };
  const { lines, ended } = enqueuing(linesOf(Array.from({ length: 6_000 }, (_, i) => event(i))), { publisher });
  for (let turns = 0; turns < 1_000 && begun < 5_000; turns++) await settled();
  await settled();
  expect(begun).toBe(5_000);
  durable.resolve();
  await ended;
  expect(lines.sent).toBe(6_000);
});

test("the memory does not grow with the lines", async () => {
  const [begun, lines] = [20_000, 60_000];
  const publisher = new FakePublisher();
  publisher.publish = () => Promise.resolve();
  const [record] = linesOf(["{"]) as [FileRecord];
  let grown = Number.NaN;
  const { lines: sent, ended } = enqueuing(
    (async function* () {
      let before = 0;
      for (let line = 1; line <= lines; line++) {
        if (line % 500 === 0) await settled();
        if (line === begun) before = await heapUsed();
        yield { ...record, source: { ...record.source, line } };
      }
      grown = (await heapUsed()) - before;
    })(),
    { publisher, onBad: () => undefined },
  );
  await ended;

  expect(sent.sent).toBe(lines);
  // A reaction on a promise that outlives the line takes at least a hundred bytes.
  expect(grown / (lines - begun)).toBeLessThan(40);
});

test("a rate spaces the lines", async () => {
  const { clock, publisher, ended } = enqueuing(five, { rate: new Rate(2 / 1_000) });
  await settled();
  const sent: number[] = [];
  for (let ms = 0; ms < 2_000; ms += 500) {
    sent.push(publisher.records.length);
    await clock.advance(500);
  }
  await ended;
  expect(sent).toEqual([1, 2, 3, 4]);
});

describe("the run ends", () => {
  test("on a stop, once the lines in flight are durable", async () => {
    const publisher = new FakePublisher();
    const durable = Promise.withResolvers<void>();
    publisher.durable = () => durable.promise;
    const endless = Promise.withResolvers<FileRecord>();
    const { kept, stopping, lines, ended } = enqueuing(
      (async function* () {
        yield* five.slice(0, 2);
        yield await endless.promise;
      })(),
      { publisher },
    );
    await settled();
    stopping.abort(new Error("told to stop"));
    endless.resolve(five[2] as FileRecord);
    await settled();
    expect(kept).toEqual([]);
    durable.resolve();

    await expect(ended).rejects.toThrow("told to stop");
    expect([lines.sent, kept.at(-1)?.lines]).toEqual([2, 2]);
  });

  test("on a stop without a durable line, after 15 s", async () => {
    const publisher = new FakePublisher();
    publisher.durable = () => new Promise(() => undefined);
    const { clock, kept, stopping, ended } = enqueuing(five, { publisher });
    await settled();
    stopping.abort(new Error("told to stop"));
    await clock.advance(15_000);

    await expect(ended).rejects.toThrow("told to stop");
    expect(kept).toEqual([]);
  });

  test("as soon on a stop during a wait for room", async () => {
    const publisher = new FakePublisher();
    publisher.durable = () => new Promise(() => undefined);
    const { clock, stopping, ended } = enqueuing(linesOf(Array.from({ length: 5_001 }, (_, i) => event(i))), {
      publisher,
    });
    for (let turns = 0; turns < 10; turns++) await settled();
    stopping.abort(new Error("told to stop"));
    await clock.advance(15_000);

    await expect(Promise.race([ended, settled()])).rejects.toThrow("told to stop");
  });

  test("when the brokers accept no record for two minutes", async () => {
    const publisher = new FakePublisher();
    publisher.durable = () => new Promise(() => undefined);
    const { clock, ended } = enqueuing(five, { publisher });
    await clock.advance(125_000);

    await expect(ended).rejects.toThrow("the brokers took nothing for 120 s");
  });

  test("when a line is refused, and no further line is sent", async () => {
    const publisher = new FakePublisher();
    const refused = new OutputUnwritableError("not authorized");
    const next = Promise.withResolvers<void>();
    publisher.durable = () => Promise.reject(refused);
    let begun = 0;
    const { ended } = enqueuing(
      (async function* () {
        for (const record of five) {
          begun++;
          yield record;
          await next.promise;
        }
      })(),
      { publisher },
    );
    await expect(ended).rejects.toBe(refused);
    next.resolve();
    await settled();

    expect(begun).toBe(2);
  });

  test("when a line is refused while others wait for room", async () => {
    const publisher = new FakePublisher();
    const refused = new OutputUnwritableError("not authorized");
    const durable = Promise.withResolvers<void>();
    publisher.durable = () => durable.promise;
    const { ended } = enqueuing(linesOf(Array.from({ length: 5_001 }, (_, i) => event(i))), { publisher });
    for (let turns = 0; turns < 10; turns++) await settled();
    durable.reject(refused);

    await expect(ended).rejects.toBe(refused);
  });

  test("when a line is durable twice: a bug, and no unhandled rejection", async () => {
    const publisher = new FakePublisher();
    const never = new Promise<void>(() => undefined);
    publisher.durable = ({ key }) => (String(key).endsWith("1") ? never : Promise.resolve());
    const [first, second] = linesOf([event(1), event(2)]) as [FileRecord, FileRecord];
    const { ended } = enqueuing([first, second, second], { publisher });

    await expect(ended).rejects.toThrow("offset 2 is settled already");
  });

  test("when the progress cannot be kept", async () => {
    const full = new OutputUnwritableError("no room");
    const { clock, ended } = enqueuing(five, { keep: async () => Promise.reject(full) });
    await clock.advance(2_000);

    await expect(ended).rejects.toBe(full);
  });

  test("when the file becomes unreadable, and keeps the progress", async () => {
    const broken = new InputUnreadableError("cut off");
    const { kept, ended } = enqueuing(
      (async function* () {
        yield* five.slice(0, 2);
        throw broken;
      })(),
    );

    await expect(ended).rejects.toBe(broken);
    expect(kept.at(-1)?.lines).toBe(2);
  });
});
