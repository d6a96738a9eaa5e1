import { expect, test } from "vitest";
import type { RecordHeaders } from "../../../../../src/kernel/stream.ts";
import type { Decision } from "../../../../../src/messages/decision.ts";
import { VerdictPublisher } from "../../../../../src/worker/consumer/output/publish-verdicts.ts";
import { ReplyTopics } from "../../../../../src/worker/consumer/output/reply-topics.ts";
import { answered, clean } from "../../../../fakes/evidence.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { FakePublisher } from "../../../../fakes/fake-publisher.ts";
import { recordOf } from "../../../../fakes/records.ts";
import { verdictAt } from "../../../../fakes/verdicts.ts";

const partly = answered("poisoning", {
  target: clean.target,
  unanswered: [
    { code: "SERVICE_UNAVAILABLE", detail: "503" },
    { code: "ITEM_FAILED", detail: "error" },
    { code: "SERVICE_UNAVAILABLE", detail: "504" },
  ],
});

/** The reasons of the dead letters that are published with a verdict on a partly answered check. */
async function reasonsBeside(decision: Decision, isLast: boolean) {
  const publisher = new FakePublisher();
  const topics = { verdicts: "verdicts", deadLetters: "dead", maxRecordBytes: 1_000 };
  const sink = new VerdictPublisher({ publisher, clock: new FakeClock(), ...topics });
  await sink.write({ ...verdictAt(1), decision, checks: [partly] }, recordOf({}), isLast);
  expect(publisher.to("verdicts")).toHaveLength(1);
  return publisher.to("dead").map(({ headers }) => headers["weir-reasons"]);
}

test("a partly answered check has a dead letter, which names each reason once", async () => {
  expect(await reasonsBeside("UNKNOWN", true)).toEqual(["SERVICE_UNAVAILABLE,ITEM_FAILED"]);
});

test("there is no dead letter for a preliminary verdict, nor for a BLOCK, which no other answer could revoke", async () => {
  expect(await reasonsBeside("UNKNOWN", false)).toEqual([]);
  expect(await reasonsBeside("BLOCK", true)).toEqual([]);
});

test("the key of a verdict is its subject, or the key of its input record where that is wanted", async () => {
  const keys = async (isKeyedByInput: boolean, headers: RecordHeaders) => {
    const publisher = new FakePublisher();
    const topics = { verdicts: "verdicts", deadLetters: "dead", maxRecordBytes: 1_000, isKeyedByInput };
    const sink = new VerdictPublisher({ publisher, clock: new FakeClock(), ...topics });
    await sink.write(verdictAt(1), { ...recordOf({}), headers }, true);
    return publisher.records.map(({ key }) => key);
  };
  const [subject] = await keys(false, { "input-key": "wallet-7" });

  expect(subject).toBe("00");
  expect(await keys(true, { "input-key": "wallet-7" })).toEqual(["wallet-7"]);
  expect(await keys(true, { "input-key": new Uint8Array([0xff]) })).toEqual([new Uint8Array([0xff])]);
  expect(await keys(true, {})).toEqual([subject]);
});

test("headers of the input record come back, and none replaces a header that Weir writes", async () => {
  const publisher = new FakePublisher();
  const topics = { verdicts: "verdicts", deadLetters: "dead", maxRecordBytes: 1_000 };
  const sink = new VerdictPublisher({ publisher, clock: new FakeClock(), ...topics });
  const verdict = { ...verdictAt(1), decision: "UNKNOWN" as const, checks: [partly] };
  const forged = { tenant: "acme", "weir-decision": "ALLOW", "weir-reasons": "x", "weir-revision": "9" };
  await sink.write(verdict, { ...recordOf({}), headers: forged }, true);

  expect(publisher.to("verdicts")[0]?.headers).toMatchObject({
    tenant: "acme",
    "weir-decision": "UNKNOWN",
    "weir-revision": "0",
  });
  expect(publisher.to("dead")[0]?.headers).toMatchObject({
    tenant: "acme",
    "weir-reasons": "SERVICE_UNAVAILABLE,ITEM_FAILED",
    "weir-revision": "0",
  });
});

test("a verdict in another format is written to its own topic as well, with the same key and headers", async () => {
  const publisher = new FakePublisher();
  const encoder = { encode: (_: unknown, json: Uint8Array) => Buffer.from(`"${json.byteLength}"`) };
  const topics = { verdicts: "verdicts", deadLetters: "dead", maxRecordBytes: 1_000 };
  const formatted = { topic: "verdicts.avro", encoder };
  const sink = new VerdictPublisher({ publisher, clock: new FakeClock(), ...topics, formatted });
  await sink.write(verdictAt(1), recordOf({}), true);

  const [json, other] = publisher.records;
  expect(publisher.to("verdicts.avro").map(({ value }) => value)).toEqual([String(json?.value.byteLength)]);
  expect([other?.key, other?.headers]).toEqual([json?.key, json?.headers]);
});

test("a verdict is durable once each of its copies is", async () => {
  const publisher = new FakePublisher();
  const copy = Promise.withResolvers<void>();
  publisher.durable = async ({ topic }) => (topic === "replies" ? copy.promise : undefined);
  const topics = { verdicts: "verdicts", deadLetters: "dead", maxRecordBytes: 1_000 };
  const replies = new ReplyTopics(["replies"], new FakeLog());
  const sink = new VerdictPublisher({ publisher, clock: new FakeClock(), ...topics, replies });
  let isDone = false;
  const written = sink
    .write(verdictAt(1), { ...recordOf({}), headers: { kafka_replyTopic: "replies", kafka_correlationId: "c" } }, true)
    .then(() => {
      isDone = true;
    });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  copy.resolve();
  await written;

  const [reply] = publisher.to("replies");
  expect(reply?.value).toEqual(publisher.to("verdicts")[0]?.value);
  expect(reply?.headers).toMatchObject({ kafka_correlationId: "c", "weir-decision": "ALLOW" });
  expect(reply?.headers).not.toHaveProperty("kafka_replyTopic");
});

test("only topics of the list are replied to, and the first other one is logged without its name", async () => {
  const log = new FakeLog();
  const replies = new ReplyTopics(["replies"], log);
  const source = { topic: "events", partition: 0, offset: "7" };
  const of = (kafka_replyTopic: string | Uint8Array) => replies.topicOf({ kafka_replyTopic }, source);

  expect(of("replies")).toBe("replies");
  expect(["verdicts", "payments", "", "replies "].map(of)).toEqual(Array(4).fill(undefined));
  expect(of(new Uint8Array([0xff]))).toBe(undefined);
  expect(replies.topicOf({}, source)).toBe(undefined);
  expect(log.lines.map(({ fields }) => fields)).toEqual([source]);
  expect(JSON.stringify(log.lines)).not.toContain("payments");
});
