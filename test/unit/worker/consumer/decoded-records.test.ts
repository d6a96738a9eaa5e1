/** Records in Avro, from their topic to their verdicts, with a registry that the test controls. */
import avro from "avsc";
import { expect, test } from "vitest";
import { UndecodableError } from "../../../../src/adapters/schema-registry/json-text.ts";
import { RegistryDecoder } from "../../../../src/adapters/schema-registry/registry-decoder.ts";
import { SchemaCache } from "../../../../src/adapters/schema-registry/schema-cache.ts";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { TicketRecord } from "../../../../src/messages/ticket.ts";
import { Verdict } from "../../../../src/messages/verdict.ts";
import { UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { readLetter, replayRecord } from "../../../../src/worker/consumer/records/replay-ticket.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { settled } from "../../../fakes/virtual-clock.ts";
import { eventually } from "../../../support/eventually.ts";
import { running, SECOND } from "../../../support/running-groups.ts";

const schema = {
  type: "record",
  name: "Event",
  fields: [
    { name: "type", type: "string" },
    { name: "chain_id", type: "string" },
    { name: "address", type: "string" },
    { name: "user_addresses", type: { type: "array", items: "string" } },
    { name: "id", type: ["null", "string"] },
    { name: "token_address", type: ["null", "string"] },
    { name: "ref", type: { type: "record", name: "Ref", fields: [{ name: "n", type: "long" }] } },
  ],
} as const;
const type = avro.Type.forSchema(schema as unknown as avro.Schema);
const event = {
  type: "address",
  chain_id: "eth",
  address: "0x52908400098527886e0f7030069857d2e4169ee7",
  user_addresses: ["0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91"],
  id: "order-7",
  token_address: null,
  ref: { n: 4503599627370495 },
};
const encoded = (own: object = {}) =>
  Buffer.concat([Buffer.from([0, 0, 0, 0, 5]), type.toBuffer({ ...event, ...own })]);

/** An analysis of a token is in progress at first. */
function service() {
  return new FakeService()
    .on("poisoningBatch", (request) => {
      const targets = (request.target_addresses ?? []).map((each) => ({ ...each, ...clean.target }));
      const tokens = (request.token_addresses ?? []).map((each) => ({ ...each, ...clean.token }));
      const data = { target_addresses: targets, token_addresses: tokens };
      return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
    })
    .on("tokenSecurity", (_, nth) => {
      const answer = nth === 1 ? { status: "in progress", pollAfter: 45 } : { status: "ok", data: clean.tokenSecurity };
      return { code: "0", ...answer } as ResponseOf<"tokenSecurity">;
    });
}

/** A worker with a registry that has schema 5, unless `answer` says otherwise. */
async function decoding({ answer = async (_id: string) => {}, livePartitions = 1 } = {}) {
  const ending = new AbortController();
  const requests: string[] = [];
  const cache = new SchemaCache({
    fetch: async ({ id }) => {
      requests.push(id);
      await answer(id);
      if (id !== "5") throw new UndecodableError("is not in the registry");
      return { type: "AVRO", text: JSON.stringify(schema), references: [] };
    },
    // Compiling takes real time, while the clock of the worker stands.
    clock: { ...systemClock, sleep: (_, signal) => systemClock.sleep(5, signal) },
    random: () => 1,
    log: new FakeLog(),
    onRequest: () => undefined,
    signal: ending.signal,
  });
  const decoder = new RegistryDecoder(cache, { format: "auto", kind: "ids" });
  const worker = await running(service(), { decoder, livePartitions });
  const isPaused = (partition = 0) => worker.events.paused.has(`live/${partition}`);
  const offer = (value: Buffer, { offset = 0, partition = 0 } = {}) =>
    worker.events.handler.delivered([
      { topic: "live", partition, offset, timestamp: worker.clock.now(), value, headers: {} },
    ]);
  /** Delivers a record as often as the broker would: again after each refusal. */
  const deliver = async (value: Buffer, own: { readonly offset?: number; readonly partition?: number } = {}) => {
    await eventually(async () => !isPaused(own.partition) && offer(value, own), Boolean, "the record is accepted");
    await settled();
  };
  const verdicts = () => worker.publisher.to("verdicts").map(({ value }) => Verdict.parse(value));
  return { ...worker, offer, deliver, cache, decoder, requests, isPaused, verdicts };
}

test("a record in Avro has the verdict of the same event in JSON, and its schema is read once", async () => {
  const { deliver, pass, requests, verdicts } = await decoding();
  await deliver(encoded());
  await deliver(Buffer.from(JSON.stringify(event)), { offset: 1 });
  await deliver(encoded(), { offset: 2 });
  await pass(SECOND);

  const all = verdicts();
  expect(all.map(({ decision }) => decision)).toEqual(["ALLOW", "ALLOW", "ALLOW"]);
  expect(new Set(all.map(({ verdict_id }) => verdict_id)).size).toBe(1);
  expect(all[0]?.ref).toEqual({ n: 4503599627370495 });
  expect(requests).toEqual(["5"]);
});

test("while the registry is down its partition waits, nothing is lost or UNKNOWN, and other partitions go on", async () => {
  let isDown = true;
  const answer = async () => {
    if (isDown) throw new UnavailableError("502");
  };
  const { deliver, offer, pass, isPaused, verdicts, events, publisher, cache, requests } = await decoding({
    answer,
    livePartitions: 2,
  });
  expect(offer(encoded())).toBe(false);
  await eventually(async () => requests.length > 3, Boolean, "the registry is asked again");
  await deliver(Buffer.from(JSON.stringify(event)), { partition: 1 });
  await pass(600 * SECOND);

  expect([isPaused(0), isPaused(1)]).toEqual([true, false]);
  expect(verdicts()).toHaveLength(1);
  expect(publisher.to("dead")).toEqual([]);
  expect(events.commits.flat().map(({ partition }) => partition)).toEqual([1]);
  expect([cache.failure, cache.waiting]).toEqual(["failing", 1]);

  isDown = false;
  await deliver(encoded());
  await pass(SECOND);
  expect(verdicts().map(({ decision }) => decision)).toEqual(["ALLOW", "ALLOW"]);
  expect(events.commits.at(-1)).toEqual([{ topic: "live", partition: 0, offset: 1 }]);
});

test("a record of an unknown schema is UNKNOWN, and a replay decodes it once the schema is there", async () => {
  let isThere = false;
  const answer = async () => {
    if (!isThere) throw new UndecodableError("is not in the registry");
  };
  const { deliver, pass, verdicts, publisher, retries, clock, cache } = await decoding({ answer });
  await deliver(encoded(), { offset: 3 });
  await pass(SECOND);

  const [first] = verdicts();
  const detail = "the record names schema ids/5, which is not in the registry";
  expect(first).toMatchObject({ decision: "UNKNOWN", checks: [{ error: { code: "EVENT_MALFORMED", detail } }] });
  const letter = publisher.records.find(({ topic }) => topic === "dead");
  expect(Buffer.from(letter?.value ?? [])).toEqual(encoded());

  isThere = true;
  const { value, headers = {} } = letter ?? {};
  const read = readLetter({ topic: "dead", partition: 0, offset: 0, timestamp: 0, value, headers });
  if (typeof read === "string") throw new Error(read);
  const ticket = replayRecord(read, { topic: "retry.10s", now: clock.now(), maxBytes: 100_000 });
  if (ticket === "large") throw new Error("large");
  // The schema that was lacking is asked for again after a minute.
  Object.defineProperty(cache, "touch", { value: () => false });
  retries.handler.delivered([{ partition: 0, offset: 0, timestamp: 0, ...ticket, key: Buffer.from("k") }]);
  await pass(SECOND);
  const second = async () => {
    await pass(SECOND);
    return verdicts().length === 2;
  };
  await eventually(second, Boolean, "the replay is decoded");

  expect(verdicts()[1]).toMatchObject({ decision: "ALLOW", revision: 1, verdict_id: first?.verdict_id });
});

test("a ticket carries the event as JSON, so its next revision needs no registry", async () => {
  const { deliver, pass, verdicts, publisher, bringBack, requests } = await decoding();
  const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
  await deliver(encoded({ token_address: token }));
  await pass(SECOND);
  const ticket = TicketRecord.parse(publisher.to("retry.1m")[0]?.value);
  expect(JSON.parse(Buffer.from(ticket.record, "base64").toString())).toEqual({ ...event, token_address: token });

  await bringBack();
  await pass(60 * SECOND);
  const { verdict_id } = ticket;
  expect(verdicts()).toMatchObject([
    { decision: "UNKNOWN", revision: 0, event_id: "order-7", verdict_id },
    { decision: "ALLOW", revision: 1, event_id: "order-7", verdict_id },
  ]);
  expect(requests).toEqual(["5"]);
});
