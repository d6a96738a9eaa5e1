import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import policyFile from "../../../../data/policy.json" with { type: "json" };
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import { canonicalEvent, verdictId } from "../../../../src/messages/identity.ts";
import { Verdict } from "../../../../src/messages/verdict.ts";
import { readPolicy } from "../../../../src/policy/policy.ts";
import type { OutcomeListener } from "../../../../src/worker/answers/outcome.ts";
import { UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { verdictIdOf } from "../../../../src/worker/plan/reading/record-identity.ts";
import type { InputRecord } from "../../../../src/worker/ports.ts";
import { Screener } from "../../../../src/worker/screening/screener.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { settled } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const target = "0x52908400098527886e0f7030069857d2e4169ee7";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const event = { type: "address", chain_id: "eth", address: target, user_addresses: [user] };

/** Answers every question about `target` and `token`, with these flags on the target. */
function service(flags: Readonly<Record<string, string>> = {}) {
  return new FakeService()
    .on("poisoningBatch", (request) => {
      const item = { chain_id: "1", address: target, ...clean.target, ...flags };
      const tokens = (request.token_addresses ?? []).map((each) => ({ ...each, ...clean.token }));
      const data = { target_addresses: [item], token_addresses: tokens };
      return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
    })
    .on("tokenSecurity", () => ({ code: "0", status: "ok", data: clean.tokenSecurity }) as ResponseOf<"tokenSecurity">);
}

/** Screens one record to its verdict. */
async function verdictOn(record: InputRecord, asked: FakeService): Promise<Verdict> {
  const sink = new FakeSink();
  const worker = workerFor(asked, { sink });
  worker.pool.expectMore(false);
  await screenRecord(record, worker);
  const [verdict] = sink.verdicts;
  if (verdict === undefined || sink.verdicts.length > 1) throw new Error(`${sink.verdicts.length} verdicts`);
  return verdict;
}

const screen = (content: Readonly<Record<string, unknown>> | string, asked = service(), line = 7) =>
  verdictOn(recordOf(content, line), asked);

test("a verdict holds everything that an audit needs", async () => {
  const verdict = await screen({ ...event, id: "order-7", tenant: "acme", ref: { a: [1] } });

  expect(verdict).toEqual({
    schema: "weir.verdict/1",
    verdict_id: verdictId("acme", "order-7", canonicalEvent(eventOf(event))),
    event_id: "order-7",
    tenant: "acme",
    revision: 0,
    decision: "ALLOW",
    reasons: [
      {
        check: "poisoning",
        finding: "no_signal",
        severity: "INFO",
        detail: "no configured signal; not a guarantee of safety",
      },
    ],
    subject: { type: "address", chain_id: "1", address: target, user_addresses: [user] },
    required_checks: ["poisoning"],
    checks: [
      {
        check: "poisoning",
        outcome: "ok",
        requested_at: "2026-01-01T00:00:00.000Z",
        answered_at: "2026-01-01T00:00:00.000Z",
        cached: false,
        attempts: 1,
        data: { target: { chain_id: "1", address: target, ...clean.target } },
      },
    ],
    policy: { id: "strictest", sha256: readPolicy(policyFile)("acme").sha256 },
    source: { file: "events.ndjson", line: 7 },
    ref: { a: [1] },
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
  });
});

test("an event without id and tenant is identified by its position, and decided by the default policy", async () => {
  const verdict = await screen(event);

  expect(verdict).toMatchObject({
    event_id: "events.ndjson/7",
    tenant: "",
    policy: { id: "default", sha256: defaultPolicy.sha256 },
    verdict_id: verdictId("", "events.ndjson/7", canonicalEvent(eventOf(event))),
  });
  expect(verdict).not.toHaveProperty("ref");
});

test("a null ref is echoed", async () => {
  expect(await screen({ ...event, ref: null })).toHaveProperty("ref", null);
});

const lookalike = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";

/** A service that answers '0' for every target. */
const allZero = () =>
  new FakeService().on("poisoningBatch", ({ target_addresses = [], token_addresses = [] }) => {
    const targets = target_addresses.map((each) => ({ ...each, ...clean.target }));
    const tokens = token_addresses.map((each) => ({ ...each, ...clean.token }));
    return { code: "0", status: "ok", data: { target_addresses: targets, token_addresses: tokens } } as never;
  });

test("an imitation of the event's user is BLOCK, although the service answers '0'", async () => {
  const imitation = { ...event, address: lookalike };
  const transaction = { from: user, to: lookalike, value: "1" };

  expect(await screen(imitation, allZero())).toMatchObject({
    decision: "BLOCK",
    reasons: [{ finding: "mimics_user", resembles: user }],
    checks: [{ data: { imitators: [{ target: lookalike, user }] } }],
  });
  expect(await screen({ type: "transaction", chain_id: "1", transaction }, allZero())).toMatchObject({
    decision: "BLOCK",
    reasons: [{ finding: "mimics_user", resembles: user }],
  });
  expect(await screen({ ...imitation, user_addresses: [lookalike, user] }, allZero())).toMatchObject({
    decision: "WARN",
    reasons: [{ finding: "known_address_mimics", resembles: user }],
  });
});

test("a raised flag is BLOCK with the pair of addresses", async () => {
  const imitation = { ...event, address: lookalike };
  const flagged = allZero().on("poisoningBatch", ({ target_addresses = [] }) => {
    const flags = { ...clean.target, mimics_user: "1", is_poisoning: "1" };
    return {
      code: "0",
      status: "ok",
      data: { target_addresses: target_addresses.map((each) => ({ ...each, ...flags })), token_addresses: [] },
    } as never;
  });
  const verdict = await screen(imitation, flagged);

  expect(verdict.decision).toBe("BLOCK");
  expect(verdict.reasons[0]).toMatchObject({ finding: "mimics_user", resembles: user });
});

test("all questions of an event are sent concurrently", async () => {
  const gate = Promise.withResolvers<void>();
  const asked = service().on("tokenSecurity", async () => {
    await gate.promise;
    return { code: "0", status: "ok", data: clean.tokenSecurity } as ResponseOf<"tokenSecurity">;
  });

  const screening = screen({ ...event, token_address: token }, asked);
  await settled();
  expect(asked.requests.map(({ route }) => route).sort()).toEqual(["poisoningBatch", "tokenSecurity"]);
  gate.resolve();

  expect(await screening).toMatchObject({ decision: "ALLOW", required_checks: ["poisoning", "token-security"] });
});

test("a service that is down makes UNKNOWN, and a BLOCK beside it stands", async () => {
  const down = () => {
    throw new UnavailableError("the service answered 503");
  };

  const unknown = await screen(event, service().on("poisoningBatch", down));
  const blocked = await screen(
    { ...event, token_address: token },
    service({ mimics_exchange: "1" }).on("tokenSecurity", down),
  );

  expect(unknown).toMatchObject({
    decision: "UNKNOWN",
    unanswered: true,
    checks: [{ error: { code: "SERVICE_UNAVAILABLE" } }],
  });
  expect(Object.keys(Verdict.parse(unknown))).toContain("unanswered");
  expect(blocked).toMatchObject({ decision: "BLOCK" });
  expect(blocked.checks.map(({ outcome }) => outcome)).toEqual(["ok", "failed"]);
});

test("checks that were settled without a request come before the other checks", async () => {
  const verdict = await screen({ ...event, token_address: token, checks: ["solana-simulation"] });

  expect(verdict.decision).toBe("UNKNOWN");
  expect(verdict.checks.map(({ check, outcome }) => [check, outcome])).toEqual([
    ["solana-simulation", "failed"],
    ["poisoning", "ok"],
    ["token-security", "ok"],
  ]);
});

describe("a record that is no event", () => {
  test("such a record is UNKNOWN without a tenant, and identified by its raw bytes", async () => {
    const asked = service();

    const verdict = await screen('{"type":"address"', asked);

    expect(verdict).toEqual({
      schema: "weir.verdict/1",
      verdict_id: verdictId("", "events.ndjson/7", '{"type":"address"'),
      event_id: "events.ndjson/7",
      tenant: "",
      revision: 0,
      decision: "UNKNOWN",
      reasons: [{ check: "event", finding: "EVENT_MALFORMED", severity: "UNKNOWN", detail: "line 7: not valid JSON" }],
      subject: { type: "unreadable", record_sha256: sha256('{"type":"address"') },
      required_checks: [],
      checks: [
        {
          check: "event",
          outcome: "failed",
          cached: false,
          attempts: 0,
          error: { code: "EVENT_MALFORMED", detail: "line 7: not valid JSON" },
        },
      ],
      policy: { id: "default", sha256: defaultPolicy.sha256 },
      source: { file: "events.ndjson", line: 7 },
      decided_at: "2026-01-01T00:00:00.000Z",
      software: "weir/test",
    });
    expect(asked.requests).toEqual([]);
  });

  test("such a record from a topic names no line", async () => {
    const record = { ...recordOf("nonsense"), source: { topic: "events", partition: 3, offset: "42" } };

    const verdict = await verdictOn(record, service());

    expect(verdict.reasons[0]?.detail).toBe("not valid JSON");
  });

  test("such a record keeps its id, tenant and ref, and its revision is ignored", async () => {
    const given = { type: "address", id: "a", tenant: "b", ref: { order: 7 }, revision: 9 };

    expect(await screen(given)).toMatchObject({
      verdict_id: verdictId("b", "a", JSON.stringify(given)),
      event_id: "a",
      tenant: "b",
      ref: { order: 7 },
      revision: 0,
    });
    expect(await screen('{"id":"a","id":"c"}')).toMatchObject({ event_id: "events.ndjson/7", tenant: "" });
  });

  test("such a record is decided by the policy of the tenant that it names", async () => {
    const asked: (string | undefined)[] = [];
    const policyFor = (tenant?: string) => {
      asked.push(tenant);
      return defaultPolicy;
    };
    const worker = workerFor(service(), { sink: new FakeSink(), policyFor });
    await screenRecord(recordOf({ type: "address", tenant: "b" }, 7), worker);

    expect(asked).toEqual(["b"]);
  });
});

test.each<[string, Readonly<Record<string, unknown>> | string]>([
  ["an address", event],
  ["an address with a token", { ...event, token_address: token }],
  ["an unknown chain", { ...event, chain_id: "nowhere" }],
  ["an impossible address", { ...event, address: "0x" }],
  ["a transaction", { type: "transaction", chain_id: "1", transaction: {}, user_addresses: [user] }],
  ["a broken record", "{"],
])("the verdict's own schema reads the verdict on %s, through JSON and unchanged", async (_name, content) => {
  const verdict = await screen(content);

  expect(Verdict.parse(JSON.parse(JSON.stringify(verdict)))).toEqual(JSON.parse(JSON.stringify(verdict)));
});

test("a revision in an input record is ignored", async () => {
  expect((await screen({ ...event, revision: 5 })).revision).toBe(0);
});

test.each<[string, Readonly<Record<string, unknown>> | string]>([
  ["an event", { ...event, id: "order-7", tenant: "acme" }],
  ["an event without an id", event],
  ["an event that is refused", { ...event, chain_id: "nowhere" }],
  ["a broken record", "{"],
])("the verdict id of %s is known before it is screened", async (_name, content) => {
  expect(verdictIdOf(recordOf(content, 7))).toBe((await screen(content)).verdict_id);
});

test("an abort gives no verdict", async () => {
  const stop = new AbortController();
  const asked = service().on("poisoningBatch", () => {
    stop.abort(new Error("stop"));
    throw new UnavailableError("aborted");
  });
  const sink = new FakeSink();
  const worker = workerFor(asked, { sink, signal: stop.signal });
  worker.pool.expectMore(false);

  await expect(screenRecord(recordOf(event), worker)).rejects.toThrow();
  expect(sink.verdicts).toEqual([]);
});

describe("many concurrent records", () => {
  /** Screens records with verdicts that wait for one write, and records all notifications in order. */
  function screening(own: Parameters<typeof workerFor>[1] = {}) {
    const write = Promise.withResolvers<void>();
    const told: string[] = [];
    const sink = { write: () => write.promise };
    const onVerdict = ({ event_id }: Verdict) => told.push(`verdict ${event_id}`);
    const worker = workerFor(service(), { sink, onVerdict, ...own });
    worker.pool.expectMore(false);
    const screener = new Screener<string>(worker, {
      settled: (place) => told.push(`settled ${place}`),
      failed: (place, thrown) => told.push(`failed ${place}: ${String(thrown)}`),
    });
    return { write, told, screen: (line: number) => screener.screen(recordOf(event, line), `at ${line}`) };
  }

  test("records of one write are notified when it is done, each after its verdict", async () => {
    const { write, told, screen } = screening();

    screen(1);
    screen(2);
    await settled();
    expect(told).toEqual([]);
    write.resolve();
    await settled();

    expect(told).toEqual(["verdict events.ndjson/1", "settled at 1", "verdict events.ndjson/2", "settled at 2"]);
  });

  test("records of one write fail together, and no verdict is reported", async () => {
    const { write, told, screen } = screening();

    screen(1);
    screen(2);
    await settled();
    write.reject(new Error("disk full"));
    await settled();

    expect(told).toEqual(["failed at 1: Error: disk full", "failed at 2: Error: disk full"]);
  });

  test("records of different writes are notified by their own write, in any order", async () => {
    const writes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let nth = 0;
    const { told, screen } = screening({
      sink: { write: () => writes[nth++]?.promise ?? Promise.reject(new Error("too many")) },
      onVerdict: () => undefined,
    });

    screen(1);
    screen(2);
    await settled();
    writes[1]?.resolve();
    await settled();
    expect(told).toEqual(["settled at 2"]);
    writes[0]?.resolve();
    await settled();

    expect(told).toEqual(["settled at 2", "settled at 1"]);
  });

  test("a bug in writing or reporting one record fails only that record", async () => {
    const sink = {
      write: ({ event_id }: Verdict) => {
        if (event_id === "events.ndjson/1") throw new TypeError("no such field");
        return Promise.resolve();
      },
    };
    const onVerdict = ({ event_id }: Verdict) => {
      if (event_id === "events.ndjson/2") throw new TypeError("no such count");
    };
    const { told, screen } = screening({ sink, onVerdict });

    for (const line of [1, 2, 3]) screen(line);
    await settled();

    expect(told).toEqual([
      "failed at 1: TypeError: no such field",
      "failed at 2: TypeError: no such count",
      "settled at 3",
    ]);
  });
});

test("a record of a lost partition is settled without a verdict", async () => {
  const sink = new FakeSink();
  const worker = workerFor(service(), { sink });
  worker.pool.expectMore(false);
  const told: Verdict[] = [];

  await screenRecord({ ...recordOf(event), isOurs: () => false }, { ...worker, onVerdict: (each) => told.push(each) });

  expect([sink.verdicts, told]).toEqual([[], []]);
});

test("a verdict is released once it is written, however long its event stays in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const asking: OutcomeListener<PoisoningEvidence>[] = [];
  const written: WeakRef<Verdict>[] = [];
  const pool = {
    ask: () => Promise.reject(new Error("its question has one part")),
    askFor: (told: OutcomeListener<PoisoningEvidence>) => void asking.push(told),
    withdraw: () => {},
    mayClear: () => true,
  };
  const sink = { write: async (verdict: Verdict) => void written.push(new WeakRef(verdict)) };
  const done = screenRecord(recordOf(event), { ...workerFor(service(), { sink }), pool });
  const trace = { requests: 1, askedAt: 5, answeredAt: 7, cached: false };

  asking[0]?.answered({ ok: true, value: { target: clean.target }, trace });
  await done;
  await new Promise((resolve) => setImmediate(resolve));
  collect();

  expect([asking.length, written.length]).toEqual([1, 1]);
  expect(written[0]?.deref()).toBeUndefined();
});
