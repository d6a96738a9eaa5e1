/**
 * Topics leave room beside a value of RECORD_MAX_BYTES. All other parts of a record must fit into it, whatever a
 * producer wrote.
 */
import { expect, test } from "vitest";
import { PassedHeaders } from "../../../../../src/adapters/kafka/consumer/passed-headers.ts";
import { streamRecord } from "../../../../../src/adapters/kafka/consumer/stream-record.ts";
import { BATCH_OVERHEAD_BYTES } from "../../../../../src/adapters/kafka/topics/topic-checks.ts";
import { RecordBatch } from "../../../../../src/adapters/kafka/wire/record-batch.ts";
import { quietLog } from "../../../../../src/kernel/log.ts";
import type { OutRecord } from "../../../../../src/kernel/stream.ts";
import { failureCodes } from "../../../../../src/messages/verdict.ts";
import { failed } from "../../../../../src/worker/answers/check-entry.ts";
import { VerdictPublisher } from "../../../../../src/worker/consumer/output/publish-verdicts.ts";
import { readEventRecord } from "../../../../../src/worker/consumer/records/read-event.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { verdictAt } from "../../../../fakes/verdicts.ts";

test("the longest key and headers of a record fit, with those of its dead letter", async () => {
  const topic = "t".repeat(249);
  const names = Array.from({ length: 33 }, (_, i) => `${i}${"n".repeat(62)}`.padEnd(64, "n"));
  const headers = new PassedHeaders({ names, addsKey: true }, quietLog);
  const message = {
    offset: String(Number.MAX_SAFE_INTEGER),
    timestamp: "1700000000000",
    attributes: 0,
    key: Buffer.alloc(512, "k"),
    value: Buffer.alloc(100_000, "x"),
    headers: Object.fromEntries(names.map((name) => [name, Buffer.alloc(192, "h")])),
  };
  const record = streamRecord({ topic, partition: 2_147_483_647 }, message, headers);
  expect(Object.keys(record.headers)).toHaveLength(33);
  const published: OutRecord[] = [];
  const sink = new VerdictPublisher({
    publisher: { publish: async (each) => void published.push({ ...each }) },
    clock: new FakeClock(),
    verdicts: "verdicts",
    deadLetters: "dead",
    maxRecordBytes: 50_000,
  });
  const checks = failureCodes.map((code) => failed("poisoning", code, ""));
  await sink.write({ ...verdictAt(1), decision: "UNKNOWN", checks }, readEventRecord(record, "realtime"), true);

  const letter = published.find((each) => each.topic === "dead");
  if (letter === undefined) throw new Error("no dead letter");
  expect(Object.keys(letter.headers)).toEqual(expect.arrayContaining(["weir-key", "input-key", ...names.slice(0, 32)]));
  const batch = new RecordBatch();
  batch.add(letter, 0);
  expect(batch.size).toBeLessThanOrEqual(50_000 + BATCH_OVERHEAD_BYTES);
});
