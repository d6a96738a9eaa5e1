import { describe, expect, test } from "vitest";
import type { OutRecord } from "../../../../../src/kernel/stream.ts";
import {
  BatchTooLargeError,
  OrderedPublisher,
  type OutBatch,
  type Sender,
} from "../../../../../src/worker/consumer/output/ordered-publisher.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

interface Send {
  readonly to: string;
  readonly keys: readonly string[];
  readonly answer: PromiseWithResolvers<void>;
}

/** A batch with the size of its records' values. Its bytes are its keys. */
class KeyBatch implements OutBatch {
  readonly #records: OutRecord[];

  constructor(records: readonly OutRecord[] = []) {
    this.#records = [...records];
  }

  get count(): number {
    return this.#records.length;
  }

  get size(): number {
    return this.#records.reduce((sum, { value }) => sum + value.length, 0);
  }

  add(record: OutRecord, maxBytes: number): boolean {
    if (this.count > 0 && this.size + record.value.length > maxBytes) return false;
    this.#records.push(record);
    return true;
  }

  split(count: number): readonly [KeyBatch, KeyBatch] {
    return [new KeyBatch(this.#records.slice(0, count)), new KeyBatch(this.#records.slice(count))];
  }

  bytes(): Buffer {
    return Buffer.from(this.#records.map(({ key }) => key).join());
  }
}

const newBatch = () => new KeyBatch();

/** A publisher with sends that the test answers. The first character of a key is its partition. */
function publishing({ maxBytes = 1_000, maxRecordBytes = 1_000 } = {}) {
  const clock = new VirtualClock();
  const log = new FakeLog();
  const stopping = new AbortController();
  const sends: Send[] = [];
  const sender: Sender = {
    partitionOf: (_topic, key) => Number(key[0]),
    newBatch,
    send: (topic, partition, batch) => {
      const answer = Promise.withResolvers<void>();
      sends.push({ to: `${topic}/${partition}`, keys: batch.bytes(0).toString().split(","), answer });
      return answer.promise;
    },
  };
  const bounds = { maxBytes, maxRecordBytes };
  const publisher = new OrderedPublisher({ sender, clock, random: () => 0.5, log, ...bounds, signal: stopping.signal });
  const done: string[] = [];
  const failed: string[] = [];
  const publish = (key: string, bytes = 1, topic = "verdicts") => {
    const record: OutRecord = { topic, key, value: Buffer.alloc(bytes), headers: {} };
    publisher.publish(record).then(
      () => done.push(key),
      (reason: Error) => failed.push(`${key}: ${reason.message}`),
    );
  };
  const answer = async (nth: number, error?: Error) => {
    const { resolve, reject } = sends[nth]?.answer ?? Promise.withResolvers<void>();
    if (error === undefined) resolve();
    else reject(error);
    await settled();
  };
  const sent = () => sends.map(({ to, keys }) => [to, keys]);
  return { publisher, publish, answer, sent, done, failed, clock, log, stopping };
}

test("records that are published together share a send, and later ones wait for its answer, in order", async () => {
  const { publish, answer, sent, done, publisher } = publishing();
  publish("0a");
  publish("0b");
  await settled();
  publish("0c");
  publish("0d");
  await settled();
  expect(sent()).toEqual([["verdicts/0", ["0a", "0b"]]]);
  expect(done).toEqual([]);
  expect(publisher.waiting).toBe(4);

  await answer(0);
  expect(done).toEqual(["0a", "0b"]);
  expect(sent()).toEqual([
    ["verdicts/0", ["0a", "0b"]],
    ["verdicts/0", ["0c", "0d"]],
  ]);
  await answer(1);
  expect(done).toEqual(["0a", "0b", "0c", "0d"]);
  expect(publisher.waiting).toBe(0);
});

test("a batch that is too large for its topic is sent by halves, in order", async () => {
  const { publish, answer, sent, done, publisher } = publishing();
  for (const key of ["0a", "0b", "0c", "0d", "0e"]) publish(key);
  await settled();
  await answer(0, new BatchTooLargeError("5 records are too large for verdicts"));
  await answer(1, new BatchTooLargeError("3 records are too large for verdicts"));
  publish("0f");
  for (let nth = 2; nth < 4; nth++) await answer(nth);
  expect(done).toEqual([]);
  await answer(4);
  await answer(5);
  expect(sent().map(([, keys]) => keys)).toEqual([
    ["0a", "0b", "0c", "0d", "0e"],
    ["0a", "0b", "0c"],
    ["0a", "0b"],
    ["0c"],
    ["0d", "0e"],
    ["0f"],
  ]);
  expect(done.splice(5)).toEqual(["0f"]);
  expect(done).toEqual(["0a", "0b", "0c", "0d", "0e"]);
  expect(publisher.obstacle).toBeUndefined();
});

test("a record beyond the largest size is refused, and delays no other record", async () => {
  const { publish, publisher, answer, sent, done, failed } = publishing({ maxRecordBytes: 5_000 });
  for (let i = 0; i < 500; i++) publish(`0 ${i}`);
  publish("0 large", 5_001);
  for (let i = 500; i < 999; i++) publish(`0 ${i}`);
  await settled();
  expect(failed).toEqual(["0 large: a record for verdicts takes 5001 bytes, and 5000 at most are written"]);
  await answer(0);

  expect(sent()).toEqual([["verdicts/0", Array.from({ length: 999 }, (_, i) => `0 ${i}`)]]);
  expect(done).toHaveLength(999);
  expect([publisher.waiting, publisher.obstacle]).toEqual([0, undefined]);
});

test("a record within the limit that its topic does not accept is tried again, and reported", async () => {
  const { publish, publisher, answer } = publishing();
  publish("0a");
  await settled();
  await answer(0, new BatchTooLargeError("1 records are too large for verdicts: raise its max.message.bytes"));
  expect(publisher.obstacle).toBe(
    "writing to verdicts/0 fails: 1 records are too large for verdicts: raise its max.message.bytes",
  );
});

test("an obstacle is reported until its records are durable", async () => {
  const { publish, publisher, answer, clock } = publishing();
  publish("0a");
  publish("1a");
  await settled();
  expect(publisher.obstacle).toBeUndefined();
  await answer(0, new Error("not authorized"));
  await answer(1, new Error("too large"));
  expect(publisher.obstacle).toBe("writing to verdicts/0 fails: not authorized");

  await clock.advance(5_000);
  await answer(2);
  expect(publisher.obstacle).toBe("writing to verdicts/1 fails: too large");
  await answer(3);
  expect(publisher.obstacle).toBeUndefined();
});

test("a send has records of one partition of one topic, and other partitions do not wait for it", async () => {
  const { publish, answer, sent, done } = publishing();
  publish("0a");
  publish("1a");
  publish("0b", 1, "retries");
  await settled();

  expect(sent()).toEqual([
    ["verdicts/0", ["0a"]],
    ["verdicts/1", ["1a"]],
    ["retries/0", ["0b"]],
  ]);
  await answer(1);
  expect(done).toEqual(["1a"]);
});

test("at most sixteen sends run at once", async () => {
  const { clock, log, stopping } = publishing();
  let underWay = 0;
  let most = 0;
  const sender: Sender = {
    partitionOf: (_topic, key) => Number(key),
    newBatch,
    send: async () => {
      most = Math.max(most, ++underWay);
      await settled();
      underWay--;
    },
  };
  const bounds = { maxBytes: 1e6, maxRecordBytes: 1e6 };
  const all = new OrderedPublisher({ sender, clock, random: () => 0, log, ...bounds, signal: stopping.signal });
  const records = Array.from({ length: 50 }, (_, i) => ({
    topic: "t",
    key: String(i),
    value: Buffer.alloc(1),
    headers: {},
  }));
  await Promise.all(records.map((record) => all.publish(record)));

  expect(most).toBe(16);
});

test("a send has a largest number of bytes, but at least one record", async () => {
  const { publish, answer, sent } = publishing({ maxBytes: 10 });
  publish("0a", 6);
  publish("0b", 4);
  publish("0c", 1);
  publish("0d", 20);
  await settled();
  await answer(0);
  await answer(1);
  await answer(2);

  expect(sent()).toEqual([
    ["verdicts/0", ["0a", "0b"]],
    ["verdicts/0", ["0c"]],
    ["verdicts/0", ["0d"]],
  ]);
});

describe("a send that failed", () => {
  test("is repeated unchanged, after growing waits, before any other send of its partition", async () => {
    const { publish, answer, sent, done, clock, log } = publishing();
    publish("0a");
    await settled();
    publish("0b");
    await answer(0, new Error("no leader"));
    await clock.advance(49);
    expect(sent()).toHaveLength(1);
    await clock.advance(1);
    await answer(1, new Error("no leader"));
    await clock.advance(99);
    expect(sent()).toHaveLength(2);
    await clock.advance(1);
    await answer(2);
    await answer(3);

    expect(sent().map(([, keys]) => keys)).toEqual([["0a"], ["0a"], ["0a"], ["0b"]]);
    expect(done).toEqual(["0a", "0b"]);
    expect(log.lines).toMatchObject([
      { level: "warn", fields: { topic: "verdicts", partition: 0, attempt: 1, reason: "no leader" } },
      { level: "warn", fields: { attempt: 2 } },
    ]);
  });

  test("is given up when the process ends, with all records behind it", async () => {
    const { publish, answer, failed, done, clock, stopping } = publishing();
    publish("0a");
    await settled();
    publish("0b");
    await answer(0, new Error("no leader"));
    stopping.abort(new Error("stop"));
    await clock.advance(1_000);

    expect(failed).toEqual(["0a: stop", "0b: stop"]);
    publish("1c");
    await settled();
    expect(failed).toEqual(["0a: stop", "0b: stop", "1c: stop"]);
    expect(done).toEqual([]);
  });
});
