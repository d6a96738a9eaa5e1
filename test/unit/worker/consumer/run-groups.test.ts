import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { StreamRecord } from "../../../../src/kernel/stream.ts";
import { DeadLetterHeaders } from "../../../../src/messages/dead-letter.ts";
import { TicketRecord } from "../../../../src/messages/ticket.ts";
import { Verdict } from "../../../../src/messages/verdict.ts";
import { UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { readLetter } from "../../../../src/worker/consumer/records/replay-ticket.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { singleAnswer } from "../../../fakes/single-answer.ts";
import { ManualSlots } from "../../../fakes/slots.ts";
import { settled } from "../../../fakes/virtual-clock.ts";
import { running, SECOND, START, traceparent } from "../../../support/running-groups.ts";

const target = "0x52908400098527886e0f7030069857d2e4169ee7";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const event = { type: "address", chain_id: "eth", address: target, user_addresses: [user] };
const withToken = { ...event, token_address: token, id: "order-7", tenant: "acme" };

const inProgress = (pollAfter: number) =>
  ({ code: "0", status: "in progress", pollAfter }) as ResponseOf<"tokenSecurity">;
const analysed = { code: "0", status: "ok", data: clean.tokenSecurity } as ResponseOf<"tokenSecurity">;

function service(
  tokenAnswer: (nth: number) => ResponseOf<"tokenSecurity"> = () => analysed,
  mayAnswer: () => void = () => undefined,
) {
  return new FakeService()
    .on("poisoningBatch", (request) => {
      mayAnswer();
      const targets = (request.target_addresses ?? []).map((each) => ({ ...each, ...clean.target }));
      const tokens = (request.token_addresses ?? []).map((each) => ({ ...each, ...clean.token }));
      const data = { target_addresses: targets, token_addresses: tokens };
      return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
    })
    .on("tokenSecurity", (_request, nth) => tokenAnswer(nth));
}

const down = () => {
  throw new UnavailableError("502");
};

test("an event becomes a verdict, keyed by its subject, with its trace, and is committed then", async () => {
  const { publisher, events, deliver, bytes, pass } = await running(service());
  await deliver({ offset: 7, value: bytes({ ...event, lane: "backfill" }) });
  await pass(SECOND);

  const [out, ...others] = publisher.to("verdicts");
  const verdict = Verdict.parse(out?.value);
  expect(others).toEqual([]);
  expect(verdict).toMatchObject({
    decision: "ALLOW",
    revision: 0,
    event_id: "live/0/7",
    source: { topic: "live", partition: 0, offset: "7" },
  });
  expect(out?.key).toBe(`evm:${target}`);
  expect(out?.headers).toEqual({
    traceparent,
    "weir-verdict-id": verdict.verdict_id,
    "weir-revision": "0",
    "weir-decision": "ALLOW",
  });
  expect(events.commits).toEqual([[{ topic: "live", partition: 0, offset: 8 }]]);
});

test("no offset is committed before the verdict is durable", async () => {
  const { publisher, events, deliver, bytes, pass } = await running(service());
  const durable = Promise.withResolvers<void>();
  publisher.durable = () => durable.promise;
  await deliver({ value: bytes(event) });
  await pass(5 * SECOND);
  expect(events.commits).toEqual([]);

  durable.resolve();
  await pass(SECOND);
  expect(events.commits).toEqual([[{ topic: "live", partition: 0, offset: 1 }]]);
});

describe("a record that is no event", () => {
  test.each([
    ["broken JSON", "{", "not valid JSON"],
    ["a tombstone", undefined, "the record has no value"],
  ])("%s: gets UNKNOWN and a dead letter with its bytes, before it is completed", async (_name, value, detail) => {
    const { publisher, events, deliver, bytes, pass } = await running(service());
    const dead = Promise.withResolvers<void>();
    publisher.durable = async ({ topic }) => (topic === "dead" ? dead.promise : undefined);
    await deliver({ offset: 3, value: value === undefined ? undefined : bytes(value) });
    await pass(SECOND);
    expect(events.commits).toEqual([]);
    dead.resolve();
    await pass(SECOND);

    const verdict = Verdict.parse(publisher.to("verdicts")[0]?.value);
    expect(verdict).toMatchObject({ decision: "UNKNOWN", checks: [{ error: { code: "EVENT_MALFORMED", detail } }] });
    const [letter] = publisher.records.filter(({ topic }) => topic === "dead");
    expect(Buffer.from(letter?.value ?? []).toString()).toBe(value ?? "");
    expect(letter?.key).toBe(verdict.verdict_id);
    expect(letter?.headers).toEqual({
      traceparent,
      "weir-reasons": "EVENT_MALFORMED",
      "weir-verdict-id": verdict.verdict_id,
      "weir-revision": "0",
      "weir-default-id": "live/0/3",
      "weir-topic": "live",
      "weir-partition": "0",
      "weir-offset": "3",
      "weir-lane": "realtime",
      "weir-attempts": "0",
      "weir-sha256": sha256(value ?? ""),
      "weir-bytes": String(value?.length ?? 0),
      "weir-failed-at": "2026-01-01T00:00:00.000Z",
    });
    expect(DeadLetterHeaders.safeParse(letter?.headers).success).toBe(true);
    expect(events.commits).toEqual([[{ topic: "live", partition: 0, offset: 4 }]]);
  });

  test("is cut in a dead letter if it is too large, with a reference to the whole record", async () => {
    const { publisher, deliver, bytes, pass } = await running(service(), { maxRecordBytes: 1_000 });
    const value = bytes("x".repeat(5_000));
    await deliver({ value });
    await pass(SECOND);

    const [letter] = publisher.records.filter(({ topic }) => topic === "dead");
    expect(letter?.value.byteLength).toBe(1_000);
    expect(letter?.headers).toMatchObject({ "weir-bytes": "5000", "weir-sha256": sha256(value) });
  });
});

describe("an answer that is not ready", () => {
  test("comes with the headers and the key of the record, byte by byte, and so does its dead letter", async () => {
    const asked = service((nth) => (nth === 1 ? inProgress(45) : analysed));
    const { publisher, deliver, bytes, bringBack, pass } = await running(asked);
    const headers = { tenant: "acme", kafka_correlationId: new Uint8Array([0xff, 0]), "input-key": "wallet-7" };
    await deliver({ topic: "bulk", value: bytes(withToken), headers });
    await pass(SECOND);
    expect(publisher.to("retry.1m")[0]?.headers).toEqual(headers);
    await bringBack();
    await pass(46 * SECOND);
    expect(publisher.to("verdicts").map((each) => each.headers)).toEqual([expect.objectContaining(headers)]);

    await deliver({ topic: "bulk", offset: 1, value: bytes("{"), headers });
    await pass(SECOND);
    const letter = publisher.records.find(({ topic }) => topic === "dead");
    expect(letter?.headers).toMatchObject(headers);
    const at = { topic: "dead", partition: 0, offset: 0, timestamp: 0 };
    const read = readLetter({ ...at, value: letter?.value, headers: letter?.headers ?? {} });
    expect(read).toMatchObject({ traces: headers });
  });

  test("sends its event to the retry topic of the delay, keyed by the question, and completes the record", async () => {
    const asked = service((nth) => (nth === 1 ? inProgress(45) : analysed));
    const { publisher, events, retries, deliver, bytes, bringBack, pass } = await running(asked);
    await deliver({ topic: "bulk", offset: 2, value: bytes(withToken) });
    await pass(SECOND);

    expect(publisher.to("verdicts")).toEqual([]);
    const [out] = publisher.to("retry.1m");
    expect(out?.key).toBe(`token|1|${token}`);
    expect(out?.headers).toEqual({ traceparent });
    const ticket = TicketRecord.parse(out?.value);
    expect(ticket).toMatchObject({
      source: { topic: "bulk", partition: 0, offset: "2" },
      default_id: "bulk/0/2",
      lane: "backfill",
      revision: 0,
      attempt: 1,
      first_seen_at: START,
      due_at: START + 45 * SECOND,
      checks: [{ check: "poisoning", outcome: "ok" }],
    });
    expect(Buffer.from(ticket.record, "base64")).toEqual(bytes(withToken));
    expect(events.commits).toEqual([[{ topic: "bulk", partition: 0, offset: 3 }]]);

    await bringBack(9);
    await pass(43 * SECOND);
    expect(publisher.to("verdicts")).toEqual([]);
    expect(retries.commits).toEqual([]);
    await pass(SECOND);
    await pass(SECOND);
    const verdict = Verdict.parse(publisher.to("verdicts")[0]?.value);
    expect(verdict).toMatchObject({
      verdict_id: ticket.verdict_id,
      revision: 0,
      decision: "ALLOW",
      tenant: "acme",
      event_id: "order-7",
      source: { topic: "bulk", partition: 0, offset: "2" },
    });
    expect(publisher.to("verdicts")[0]?.headers).toMatchObject({ traceparent });
    const routes = asked.requests.map(({ route }) => route);
    expect(routes.toSorted()).toEqual(["poisoningBatch", "poisoningBatch", "tokenSecurity", "tokenSecurity"]);
    expect(retries.commits).toEqual([[{ topic: "retry.1m", partition: 0, offset: 10 }]]);
  });

  test.each([
    ["1m", 45, 60],
    ["10m", 300, 600],
  ])(
    "waits no longer than its tier (%s) allows, even if the clock was set back meanwhile",
    async (tier, pollAfter, longest) => {
      const asked = service(() => inProgress(pollAfter));
      const polls = () => asked.requests.filter(({ route }) => route === "tokenSecurity").length;
      const { clock, publisher, deliver, bytes, bringBack, pass } = await running(asked);
      await deliver({ topic: "bulk", value: bytes(withToken) });
      await pass(SECOND);
      expect(publisher.to(`retry.${tier}`)).toHaveLength(1);

      clock.stepWall(-40 * 86_400 * SECOND);
      await bringBack();
      await pass(longest * SECOND - 1);
      expect(polls()).toBe(1);
      await pass(50);
      expect(polls()).toBe(2);
    },
  );

  test("waits repeatedly on the longest tier for a longer delay, and is asked for when it is due", async () => {
    const asked = service((nth) => (nth === 1 ? inProgress(1_500) : analysed));
    const polls = () => asked.requests.filter(({ route }) => route === "tokenSecurity").length;
    const { publisher, retries, deliver, bytes, bringBack, pass } = await running(asked);
    await deliver({ topic: "bulk", value: bytes(withToken) });
    await pass(SECOND);
    for (let i = 0; i < 2; i++) {
      await bringBack(i);
      await pass(600 * SECOND);
    }

    const [first, ...others] = publisher.to("retry.10m");
    expect(first?.value).toMatchObject({ attempt: 1, due_at: START + 600 * SECOND, rest_ms: 900 * SECOND });
    expect(others).toMatchObject([
      { key: `token|1|${token}`, headers: { traceparent }, value: { attempt: 1, rest_ms: 300 * SECOND } },
      { key: `token|1|${token}`, headers: { traceparent }, value: { attempt: 1 } },
    ]);
    expect(others[1]?.value).not.toHaveProperty("rest_ms");
    expect(retries.commits.at(-1)).toEqual([{ topic: "retry.10m", partition: 0, offset: 2 }]);
    await bringBack(2);
    await pass(298 * SECOND);
    expect([polls(), publisher.to("verdicts")]).toEqual([1, []]);
    await pass(5 * SECOND);
    expect(polls()).toBe(2);
    expect(publisher.to("verdicts")).toMatchObject([{ value: { decision: "ALLOW", revision: 0 } }]);
  });

  test("leaves a ticket that must wait on to the process that owns its partition now", async () => {
    const { publisher, retries, deliver, bytes, bringBack, pass } = await running(service(() => inProgress(1_500)));
    await deliver({ topic: "bulk", value: bytes(withToken) });
    await pass(SECOND);
    await bringBack();
    retries.handler.joined([]);
    await pass(601 * SECOND);

    expect(publisher.to("retry.10m")).toHaveLength(1);
  });

  test("is postponed for a day, and then becomes UNKNOWN and a dead letter", async () => {
    const { publisher, deliver, bytes, bringBack, pass } = await running(service(() => inProgress(20)));
    await deliver({ topic: "bulk", value: bytes(withToken) });
    await pass(SECOND);
    let tickets = 0;
    for (let i = 0; publisher.to("verdicts").length === 0 && i < 1_000; i++) {
      await bringBack(i);
      await pass(600 * SECOND);
      tickets = i;
    }

    expect(tickets).toBeGreaterThan(80);
    const [verdict] = publisher.to("verdicts").map(({ value }) => Verdict.parse(value));
    expect(verdict).toMatchObject({ decision: "UNKNOWN", revision: 0 });
    expect(verdict?.checks[1]?.error?.code).toBe("SERVICE_NOT_READY");
    expect(publisher.records.find(({ topic }) => topic === "dead")?.headers).toMatchObject({
      "weir-reasons": "SERVICE_NOT_READY",
      "weir-topic": "bulk",
    });
  });
});

describe("a question that the service fails to answer", () => {
  test("is postponed for longer each time, and its event gets no UNKNOWN before the last attempt", async () => {
    let isUp = false;
    const asked = service(() => (isUp ? analysed : down()));
    const { publisher, deliver, bytes, bringBack, pass } = await running(asked);
    await deliver({ topic: "bulk", value: bytes(withToken) });
    await pass(60 * SECOND);
    expect(publisher.to("retry.10s")).toMatchObject([{ value: { attempt: 1, revision: 0 } }]);
    expect(publisher.to("verdicts")).toEqual([]);

    await bringBack(0);
    await pass(60 * SECOND);
    expect(publisher.to("retry.1m")).toMatchObject([{ value: { attempt: 2 } }]);
    isUp = true;
    await bringBack(0);
    await pass(61 * SECOND);
    expect(publisher.to("verdicts")).toMatchObject([{ value: { decision: "ALLOW", revision: 0 } }]);
    expect(publisher.to("dead")).toEqual([]);
  });

  test("makes no UNKNOWN before its ticket is durable, since the UNKNOWN would stay if the process died in between", async () => {
    const { publisher, deliver, bytes, pass } = await running(service(() => inProgress(60)));
    const durable = Promise.withResolvers<void>();
    publisher.durable = ({ topic }) => (topic === "retry.1m" ? durable.promise : Promise.resolve());
    await deliver({ value: bytes(withToken) });
    await pass(SECOND);
    expect(publisher.records).toEqual([]);

    durable.resolve();
    await pass(SECOND);
    expect(publisher.records.map(({ topic }) => topic)).toEqual(["retry.1m", "verdicts"]);
  });

  test("makes UNKNOWN at the deadline of a realtime event, without a dead letter, and the next revision follows", async () => {
    let isUp = false;
    const asked = service(() => (isUp ? analysed : down()));
    const { publisher, deliver, bytes, bringBack, pass } = await running(asked, { overdueGraceMs: SECOND });
    await deliver({ value: bytes(withToken), timestamp: START - 29 * SECOND });
    await pass(SECOND);

    const [first] = publisher.to("verdicts").map(({ value }) => Verdict.parse(value));
    expect(first).toMatchObject({ decision: "UNKNOWN", revision: 0, decided_at: "2026-01-01T00:00:01.000Z" });
    expect(publisher.to("retry.10s").concat(publisher.to("retry.1m"))).toMatchObject([{ value: { revision: 1 } }]);
    expect(publisher.records.filter(({ topic }) => topic === "dead")).toEqual([]);
    isUp = true;
    await bringBack();
    await pass(61 * SECOND);
    expect(publisher.to("verdicts")[1]).toMatchObject({
      value: { verdict_id: first?.verdict_id, decision: "ALLOW", revision: 1 },
    });
  });
});

test("each event of an overdue realtime backlog gets one verdict and no retry ticket", async () => {
  const answered = Promise.withResolvers<void>();
  const slow = service().on("poisoningBatch", async ({ target_addresses: targets = [] }) => {
    await answered.promise;
    const data = { target_addresses: targets.map((each) => ({ ...each, ...clean.target })), token_addresses: [] };
    return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
  });
  const { publisher, deliver, bytes, pass } = await running(slow);
  for (let offset = 0; offset < 50; offset++)
    await deliver({ offset, value: bytes({ ...event, id: `old-${offset}` }), timestamp: START - 3_600 * SECOND });
  await pass(1_500);
  answered.resolve();
  await pass(SECOND);

  const said = publisher.to("verdicts").map(({ value }) => Verdict.parse(value));
  expect(said.map(({ revision, decision }) => [revision, decision])).toEqual(Array(50).fill([0, "ALLOW"]));
  expect(publisher.records.filter(({ topic }) => topic.startsWith("retry"))).toEqual([]);
});

describe("an event that is overdue when it is read", () => {
  const old = (id: string, token: string) => ({ ...withToken, id, token_address: token });
  const [other, third] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];

  /** Three such events; of the first two the service answers at 1.5 and 3 s, of the third what the test says. */
  async function answeredInTurn(lastToken: () => Promise<ResponseOf<"tokenSecurity">>) {
    const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked = service(() => analysed).on("tokenSecurity", async ({ address }) => {
      if (address === third) return lastToken();
      await waits[address === other ? 1 : 0]?.promise;
      return { ...analysed, data: { ...clean.tokenSecurity, address: `1:${address}` } } as ResponseOf<"tokenSecurity">;
    });
    const ran = await running(asked);
    for (const [offset, each] of [token, other, third].entries()) {
      const timestamp = START - 3_600 * SECOND;
      await ran.deliver({ offset, value: ran.bytes(old(`old-${offset}`, each)), timestamp });
    }
    for (const wait of waits) {
      await ran.pass(1_500);
      wait.resolve();
    }
    return ran;
  }
  const saidOf = ({ publisher }: Awaited<ReturnType<typeof running>>, id: string) =>
    publisher
      .to("verdicts")
      .map(({ value }) => Verdict.parse(value))
      .filter(({ event_id }) => event_id === id);

  test("waits as long as the service answers others, and for the grace after that", async () => {
    const ran = await answeredInTurn(() => Promise.withResolvers<never>().promise);
    await ran.pass(1_900);
    expect(saidOf(ran, "old-2")).toEqual([]);
    expect(ran.publisher.to("verdicts").map(({ value }) => Verdict.parse(value).decision)).toEqual(["ALLOW", "ALLOW"]);

    await ran.pass(200);
    expect(saidOf(ran, "old-2")).toMatchObject([{ revision: 0, decision: "UNKNOWN" }]);
  });

  test("is put off without a verdict by an analysis in progress, while others are answered", async () => {
    const later = Promise.withResolvers<ResponseOf<"tokenSecurity">>();
    const ran = await answeredInTurn(() => later.promise);
    later.resolve(inProgress(12));
    await ran.pass(100);

    expect(saidOf(ran, "old-2")).toEqual([]);
    expect(ran.publisher.to("retry.1m")).toMatchObject([
      { value: { revision: 0, due_at: START + 15 * SECOND, deadline_at: START + 30 * SECOND } },
    ]);
  });
});

test("a ticket of a realtime event brings its deadline back with it", async () => {
  const asked = service(() => ({ code: "0", status: "in progress", pollAfter: 15 }) as ResponseOf<"tokenSecurity">);
  const { publisher, deliver, bytes, bringBack, pass } = await running(asked);
  await deliver({ value: bytes(withToken), timestamp: START - 5 * SECOND });
  expect(publisher.to("retry.1m")).toMatchObject([
    { value: { revision: 0, due_at: START + 15 * SECOND, deadline_at: START + 25 * SECOND } },
  ]);

  await bringBack();
  await pass(15 * SECOND);
  expect(publisher.to("verdicts")).toMatchObject([{ value: { revision: 0, decision: "UNKNOWN" } }]);
});

describe("after an outage of the service", () => {
  const afterOutage = async (topic: "live" | "bulk") => {
    let isUp = false;
    const asked = service(
      () => analysed,
      () => isUp || down(),
    ).on("poisoningSingle", ({ address }) => {
      if (!isUp) down();
      return singleAnswer(address);
    });
    const { publisher, deliver, bytes, bringBack, pass } = await running(asked);
    await deliver({ topic, value: bytes({ ...event, id: "waits" }) });
    await pass(60 * SECOND);
    const longTickets = () => publisher.to("retry.10m");
    for (let offset = 0; offset < 6 && longTickets().length === 0; offset++) {
      await bringBack(offset);
      await pass(90 * SECOND);
    }
    expect(longTickets()).toHaveLength(1);
    const before = publisher.to("verdicts").length;
    await bringBack(0);
    isUp = true;
    await deliver({ topic: "live", offset: 9, value: bytes({ ...event, address: token, id: "another" }) });
    await pass(30 * SECOND);
    return publisher
      .to("verdicts")
      .slice(before)
      .map(({ value }) => Verdict.parse(value));
  };

  test("a postponed realtime event is asked about after the first answer, before its wait ends", async () => {
    const verdicts = await afterOutage("live");

    // The order of the two verdicts depends on the requests that carry them.
    const said = verdicts.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1));
    expect(said.map(({ event_id, decision, revision }) => [event_id, decision, revision])).toEqual([
      ["another", "ALLOW", 0],
      ["waits", "ALLOW", 1],
    ]);
  });

  test("backfill waits for the full delay", async () => {
    const verdicts = await afterOutage("bulk");

    expect(verdicts.map(({ event_id }) => event_id)).toEqual(["another"]);
  });
});

test("an unread field with addresses is logged once, and its events are screened", async () => {
  const { publisher, deliver, bytes, pass, log } = await running(service());
  for (const offset of [0, 1]) await deliver({ offset, value: bytes({ ...event, data: { memo: user } }) });
  await pass(SECOND);

  expect(publisher.to("verdicts")).toHaveLength(2);
  const told = log.lines.filter(({ message }) => message.startsWith("a field holds addresses and is not read"));
  expect(told).toMatchObject([
    { level: "warn", fields: { name: "data.memo", topic: "live", partition: 0, offset: 0 } },
  ]);
});

test("a revision on an input record is ignored", async () => {
  const { publisher, deliver, bytes, pass } = await running(service());
  await deliver({ value: bytes({ ...event, revision: 7 }), headers: { "weir-revision": "7" } });
  await pass(SECOND);

  const [out] = publisher.to("verdicts");
  expect(out?.value).toMatchObject({ revision: 0 });
  expect(out?.headers["weir-revision"]).toBe("0");
});

test("an unreadable record of a retry topic becomes a dead letter, and delays no other record", async () => {
  const { publisher, retries, deliver, bytes, pass, log } = await running(service());
  await deliver({ topic: "retry.10s", offset: 4, value: bytes("{}") }, retries);
  await pass(SECOND);
  expect(log.lines).toContainEqual({
    level: "error",
    message: "a record of a retry topic is no ticket: it is a dead letter now, and weir replay tries to read it again",
    fields: { topic: "retry.10s", partition: 0, offset: 4 },
  });

  const [letter] = publisher.records;
  expect(letter).toMatchObject({
    topic: "dead",
    headers: {
      "weir-reasons": "TICKET_UNREADABLE",
      "weir-topic": "retry.10s",
      "weir-offset": "4",
      "weir-sha256": sha256("{}"),
    },
  });
  expect(retries.commits).toEqual([[{ topic: "retry.10s", partition: 0, offset: 5 }]]);
});

test("a full tier is paused, and delays no other tier", async () => {
  const { publisher, retries, deliver, bytes, pass } = await running(service(() => inProgress(300)));
  await deliver({ topic: "bulk", value: bytes(withToken) });
  await pass(SECOND);
  const [ticket] = publisher.records;
  const records = Array.from({ length: 5_000 }, (_, offset) => ({
    topic: "retry.10m",
    partition: 0,
    offset,
    timestamp: START,
    value: ticket?.value,
    headers: {},
  }));
  retries.handler.delivered(records);
  await settled();

  expect([...retries.paused]).toEqual(["retry.10m/0"]);
  await deliver({ topic: "retry.10s", value: ticket?.value }, retries);
  expect([...retries.paused]).toEqual(["retry.10m/0"]);
});

describe("the counted bytes cover the memory in use", () => {
  /** A separate function: a shared closure would keep the captured memory. */
  const watch = (memory: object) => {
    const held = new WeakRef(memory);
    return () => held.deref() !== undefined;
  };
  /**
   * Records that were fetched together, as views of one buffer. `isHeld` tells whether the buffer is still in memory.
   */
  const fetched = (topic: string, values: readonly Uint8Array[]) => {
    const memory = Buffer.allocUnsafeSlow(values.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let end = 0;
    const records = values.map((value, offset): StreamRecord => {
      memory.set(value, end);
      end += value.byteLength;
      const own = memory.subarray(end - value.byteLength, end);
      return { topic, partition: 0, offset, timestamp: START, value: own, headers: {} };
    });
    return { records, isHeld: watch(memory.buffer) };
  };
  const collectGarbage = async () => {
    // The target of a weak reference is held until the current turn of the event loop is over.
    await settled();
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
  };

  test("an event in flight holds nothing of its fetch, and keeps its exact bytes", async () => {
    const { publisher, events, bytes, pass } = await running(service());
    const durable = Promise.withResolvers<void>();
    publisher.durable = ({ value }) => (Buffer.from(value).includes("stays") ? durable.promise : Promise.resolve());
    const deliver = () => {
      const values = Array.from({ length: 250 }, (_, i) => bytes({ ...event, id: i === 7 ? "stays" : `event-${i}` }));
      const { records, isHeld } = fetched("bulk", values);
      events.handler.delivered(records);
      return isHeld;
    };
    const isHeld = deliver();
    await pass(SECOND);
    expect(publisher.to("verdicts")).toHaveLength(249);
    await collectGarbage();

    expect(isHeld()).toBe(false);
    durable.resolve();
    await pass(SECOND);
    expect(publisher.to("verdicts")).toHaveLength(250);
  });

  test("the bytes of a record that is no event are exact in its dead letter", async () => {
    const { publisher, events, pass } = await running(service());
    const values = [Buffer.from([0x7b, 0x00, 0x7f, 0x80, 0xc3, 0xa9, 0xff]), Buffer.alloc(0)];
    events.handler.delivered(fetched("bulk", values).records);
    await pass(SECOND);

    const letters = publisher.records.filter(({ topic }) => topic === "dead");
    expect(letters.map(({ value }) => value)).toEqual(values);
    expect(letters.map(({ headers }) => headers["weir-sha256"])).toEqual(values.map((value) => sha256(value)));
  });

  test("a waiting retry ticket holds nothing of its fetch, and comes back whole", async () => {
    const { publisher, deliver, bytes, retries, pass } = await running(
      service((nth) => (nth > 1 ? analysed : inProgress(300))),
    );
    await deliver({ topic: "bulk", value: bytes(withToken) });
    await pass(SECOND);
    const [ticket] = publisher.records;
    if (ticket === undefined) throw new Error("there is no ticket");
    const deliverMany = () => {
      const { records, isHeld } = fetched("retry.10m", [ticket.value, ...Array(9).fill(Buffer.from("{}"))]);
      retries.handler.delivered(records);
      return isHeld;
    };
    const isHeld = deliverMany();
    await pass(SECOND);
    await collectGarbage();
    expect(isHeld()).toBe(false);

    await pass(300 * SECOND);
    expect(publisher.to("verdicts")).toMatchObject([{ value: { decision: "ALLOW", event_id: "order-7" } }]);
  });

  test("events fill their lane by their memory, not only by their bytes", async () => {
    const { publisher, events } = await running(service());
    publisher.durable = () => new Promise<void>(() => undefined);
    const values = Array.from({ length: 250 }, () => Buffer.alloc(100_000, "x"));
    events.handler.delivered(fetched("live", values).records);
    await settled();

    expect([...events.paused]).toEqual(["live/0"]);
  });

  test("retry tickets fill their tier by their memory, not only by their bytes", async () => {
    const { publisher, retries, deliver, bytes, pass } = await running(service(() => inProgress(300)));
    const long = { ...withToken, ref: { note: "x".repeat(2_000) } };
    await deliver({ topic: "bulk", value: bytes(long) });
    await pass(SECOND);
    const [ticket] = publisher.records;
    const values = Array.from({ length: 3_000 }, () => ticket?.value ?? new Uint8Array());
    retries.handler.delivered(fetched("retry.10m", values).records);
    await settled();

    expect([...retries.paused]).toEqual(["retry.10m/0"]);
  });
});

describe("for a partition that moved to another process", () => {
  test("no verdict is written, because the other process writes it", async () => {
    const answer = Promise.withResolvers<void>();
    const asked = service();
    asked.on("tokenSecurity", async () => {
      await answer.promise;
      return analysed;
    });
    const { publisher, events, deliver, bytes, pass } = await running(asked);
    await deliver({ offset: 7, value: bytes(withToken) });
    await pass(SECOND);
    events.handler.joined([{ topic: "bulk", partition: 0 }]);
    answer.resolve();
    await pass(SECOND);

    expect(publisher.records).toEqual([]);
    expect(events.commits).toEqual([]);
  });

  test("no retry ticket is written", async () => {
    const answer = Promise.withResolvers<void>();
    const asked = service();
    asked.on("tokenSecurity", async () => {
      await answer.promise;
      return inProgress(45);
    });
    const { publisher, events, deliver, bytes, pass } = await running(asked);
    await deliver({ topic: "bulk", value: bytes(withToken) });
    events.handler.joined([{ topic: "live", partition: 0 }]);
    answer.resolve();
    await pass(SECOND);

    expect(publisher.records).toEqual([]);
  });

  test("no verdict of a returning retry ticket is written", async () => {
    const { publisher, retries, deliver, bytes, bringBack, pass } = await running(
      service((nth) => (nth === 1 ? inProgress(45) : analysed)),
    );
    await deliver({ topic: "bulk", value: bytes(withToken) });
    await pass(SECOND);
    await bringBack();
    retries.handler.joined([{ topic: "retry.10s", partition: 0 }]);
    await pass(60 * SECOND);

    expect(publisher.records.map(({ topic }) => topic)).toEqual(["retry.1m"]);
  });
});

test("due retry tickets that do not end are a fault, and waiting ones are not", async () => {
  const { publisher, ended, deliver, bytes, bringBack, pass } = await running(service(() => inProgress(600)));
  await deliver({ topic: "bulk", value: bytes(withToken) });
  await pass(SECOND);
  await bringBack();
  publisher.durable = () => new Promise<void>(() => undefined);
  publisher.obstacle = "writing to retry.10m/0 fails: too large";
  for (let waited = 0; waited < 600; waited += 60) await pass(60 * SECOND);
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  ended.then(over, over);
  for (let waited = 0; waited < 3_540; waited += 60) await pass(60 * SECOND);
  expect(isOver).toBe(false);
  for (let waited = 0; waited < 120; waited += 60) await pass(60 * SECOND);

  await expect(ended).rejects.toMatchObject({
    code: "WORKER_STUCK",
    message: "none of 1 event in work was settled for 3600 s: writing to retry.10m/0 fails: too large",
  });
});

describe("an event that is not completed while later ones are", () => {
  const verdictsOf = ({ publisher }: Awaited<ReturnType<typeof running>>) =>
    publisher.records.filter(({ topic }) => topic === "verdicts").length;

  /** An event without questions is completed every minute, in the other partition. */
  async function besides({ deliver, pass }: Awaited<ReturnType<typeof running>>, minutes: number) {
    for (let minute = 0; minute < minutes; minute++) {
      await deliver({ offset: minute, value: Buffer.from("no event") });
      await pass(60 * SECOND);
    }
  }

  test("is a fault once its request was sent and no answer comes", async () => {
    const asked = new FakeService().on("poisoningBatch", () => new Promise<never>(() => undefined));
    const of = await running(asked);
    await of.deliver({ topic: "bulk", offset: 7, value: of.bytes(event) });
    await besides(of, 31);

    await expect(of.ended).rejects.toMatchObject({
      code: "WORKER_STUCK",
      message: "bulk/0 is not settled from offset 7 on, and waited for nothing that is known for 1800 s",
    });
    expect(verdictsOf(of)).toBe(31);
  });

  test("is no fault while it waits for its permit, which may take hours", async () => {
    const slots = new ManualSlots();
    const of = await running(service(), { slots: { run: (job) => slots.run(() => job()), pace: () => undefined } });
    await of.deliver({ topic: "bulk", offset: 7, value: of.bytes(event) });
    await besides(of, 180);
    expect(verdictsOf(of)).toBe(180);
    slots.give();
    slots.give();
    await of.pass(SECOND);
    expect(verdictsOf(of)).toBe(181);
    of.stopping.abort();

    await expect(of.ended).resolves.toBeUndefined();
  });
});

test("on stop, a retry ticket that is not due delays nothing, and is not committed", async () => {
  const { events, retries, stopping, ended, deliver, bytes, bringBack, pass } = await running(
    service(() => inProgress(45)),
  );
  await deliver({ topic: "bulk", value: bytes(withToken) });
  await pass(SECOND);
  await bringBack();
  stopping.abort();
  await settled();

  await expect(ended).resolves.toBeUndefined();
  expect([events.isStopped, retries.isStopped]).toEqual([true, true]);
  expect(retries.commits).toEqual([]);
});

test("when one group fails, the other ends in order, and the failure is reported", async () => {
  const { events, retries, ended } = await running(service());
  retries.handler.failed(new TypeError("x"), false);

  await expect(ended).rejects.toMatchObject({ code: "CONSUMER_DEAD" });
  expect([events.isStopped, retries.isStopped]).toEqual([true, true]);
});
