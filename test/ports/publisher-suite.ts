import { expect, test } from "vitest";
import { RecordTooLargeError } from "../../src/kernel/errors.ts";
import type { OutRecord, Publisher, RecordHeaders } from "../../src/kernel/stream.ts";

/** A record as it was written. */
export interface Written {
  readonly key: string | Uint8Array;
  readonly value: string;
  readonly headers: RecordHeaders;
}

/** A publisher, and a topic for one test that it may write to, on any broker. */
export interface PublishedTopic {
  readonly topic: string;
  readonly publisher: Publisher;
  /** Ends the pending publishes with this reason. */
  abort(reason: Error): void;
  /** The present number of records in the topic. */
  count(): Promise<number>;
  /** All present records of the topic; the records of one partition are in order. */
  written(): Promise<readonly Written[]>;
  close(): Promise<void>;
}

/** The largest record of the suite. */
const MAX_RECORD_BYTES = 10_000;

/** The contract of every `Publisher`. Unit tests run it on the fake, and the kafka project runs it on Kafka. */
export function publisherSuite(
  name: string,
  open: (options: { readonly maxRecordBytes: number }) => Promise<PublishedTopic>,
  scenario: (name: string, check: () => Promise<void>) => void = test,
): void {
  const on = (what: string, check: (on: PublishedTopic, publish: Publish) => Promise<void>) =>
    scenario(`${name}: ${what}`, async () => {
      const opened = await open({ maxRecordBytes: MAX_RECORD_BYTES });
      const { publisher, topic } = opened;
      try {
        await check(opened, (key, value, headers = {}) => publisher.publish({ topic, key, value, headers }));
      } finally {
        await opened.close();
      }
    });

  on("a record stands there with its key, its headers and its bytes; a text as UTF-8", async (opened, publish) => {
    await publish("ключ", "žluťoučký 🐎", { name: "värde", other: "" });
    await publish("bytes", Buffer.from([0x7b, 0x7d]));

    const written = await opened.written();
    expect(written.toSorted((a, b) => String(a.key).localeCompare(String(b.key), "en"))).toEqual([
      { key: "bytes", value: "{}", headers: {} },
      { key: "ключ", value: "žluťoučký 🐎", headers: { name: "värde", other: "" } },
    ]);
  });

  on("records of one key stand in the order in which they were published, each once", async (opened, publish) => {
    const keys = ["a", "b", "c", "d", "e"];
    const publishing: Promise<void>[] = [];
    for (let nth = 0; nth < 200; nth++) {
      for (const key of keys) publishing.push(publish(key, `${key}${nth}`));
      // Some records are published while others are in flight.
      if (nth % 40 === 0) await publishing.at(-1);
    }
    await Promise.all(publishing);

    const written = Map.groupBy(await opened.written(), ({ key }) => key);
    expect([...written.keys()].toSorted()).toEqual(keys);
    for (const [key, records] of written) {
      expect(records.map(({ value }) => value)).toEqual(Array.from({ length: 200 }, (_, nth) => `${key}${nth}`));
    }
  });

  on("it resolves no sooner than the record is durable", async (opened, publish) => {
    const counts: number[] = [];
    for (let nth = 0; nth < 20; nth++) {
      await publish(`key ${nth}`, "value");
      counts.push(await opened.count());
    }

    expect(counts).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 1));
  });

  on("a value is taken at once, so that its memory may be used again", async (opened, publish) => {
    const memory = Buffer.alloc(8);
    const publishing = ["first", "second", "third"].map((text) => {
      memory.fill(0).write(text);
      return publish("key", memory.subarray(0, text.length));
    });
    memory.fill(0xff);
    await Promise.all(publishing);

    expect((await opened.written()).map(({ value }) => value)).toEqual(["first", "second", "third"]);
  });

  on(
    "once it is closed, what waits and what comes is rejected with the reason, and not written",
    async (opened, publish) => {
      await publish("key", "before");
      const reason = new Error("enough");
      const waiting = Promise.allSettled(["key", "another", "key"].map((key) => publish(key, "during")));
      opened.abort(reason);

      const rejected = { status: "rejected", reason };
      expect(await waiting).toEqual([rejected, rejected, rejected]);
      await expect(publish("key", "after")).rejects.toBe(reason);
      expect((await opened.written()).map(({ value }) => value)).toEqual(["before"]);
    },
  );

  on("a record that is too large is refused, and those beside it are durable", async (opened, publish) => {
    const large = "x".repeat(MAX_RECORD_BYTES + 1);
    const before = publish("key", "before");
    const refused = Promise.allSettled([publish("key", large), publish(large, ""), publish("key", "", { large })]);
    // A record near the limit is not too large.
    const after = publish("key", "y".repeat(MAX_RECORD_BYTES - 500));

    const refusal = { status: "rejected", reason: expect.any(RecordTooLargeError) };
    expect(await refused).toEqual([refusal, refusal, refusal]);
    await Promise.all([before, after]);
    expect((await opened.written()).map(({ value }) => value.length)).toEqual([6, MAX_RECORD_BYTES - 500]);
  });
}

type Publish = (key: string, value: OutRecord["value"], headers?: RecordHeaders) => Promise<void>;
