import { describe, expect, test } from "vitest";
import type { PoisoningBatchRequest, PoisoningBatchResponse } from "../../../../src/api/schemas/address-poisoning.ts";
import { RateLimitedError, RejectedError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { numbers } from "../../../support/numbers.ts";
import { chainOf, evm, isCanaryTarget } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

const LISTED = 2_000;
const listed = (i: number) => evm(LISTED + i);
const listedTargets = new Set<string>(numbers(400).map(listed));
const event = (i: number) => ({ target: listed(i), users: [evm(i)] });
const quiet = (i: number) => ({ target: evm(1_000 + i), users: [evm(i)] });

/** Whether the request contains no user of an event. */
function isAmongCanaries({ user_addresses: users, target_addresses: targets }: PoisoningBatchRequest): boolean {
  return targets.some(({ address }) => isCanaryTarget(address)) && users.length === 3;
}

/** The answer of a service that flags listed targets, whatever the users are. */
function withListed(answer: PoisoningBatchResponse, isListed = (_address: string) => true): PoisoningBatchResponse {
  const raised = answer.data.target_addresses.map((item) =>
    "error" in item || !listedTargets.has(item.address) || !isListed(item.address)
      ? item
      : { ...item, is_poisoning: "1" as const },
  );
  return { ...answer, data: { ...answer.data, target_addresses: raised } };
}

async function setup() {
  const all = poolSetup();
  await all.calibrate();
  all.service.alter = (_request, answer) => withListed(answer);
  const batches = () =>
    all.service.requests.flatMap(({ route, request }) => (route === "poisoningBatch" ? [request] : []));
  return { ...all, batches };
}

describe("a flag that no user raised", () => {
  test("such flags are confirmed in one request among canaries, whatever their users, and keep their answers", async () => {
    const { clock, ask, batches, observed } = await setup();
    const on56 = { ...event(3), chain: chainOf("56") };

    const outcomes = await clock.runUntil(Promise.all([ask(event(1)), ask(event(2)), ask({ target: listed(4) })]));

    expect(batches().map(isAmongCanaries)).toEqual([false, true]);
    expect(batches()[1]?.target_addresses).toHaveLength(3 + 3);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: true, value: { target: { is_poisoning: "1" } }, trace: { requests: 2 } });
    expect(observed.filter(([what]) => what === "confirming")).toHaveLength(3);
    expect(await clock.runUntil(ask(on56))).toMatchObject({ ok: true, value: { target: { is_poisoning: "1" } } });
  });

  test("a target that is not flagged among canaries is sent again alone", async () => {
    const { clock, ask, service, batches } = await setup();
    service.alter = (request, answer) => (isAmongCanaries(request) ? answer : withListed(answer));

    const outcome = await clock.runUntil(ask(event(1)));

    expect(outcome).toMatchObject({ ok: true, value: { target: { is_poisoning: "1" } }, trace: { requests: 3 } });
    expect(batches()[2]?.user_addresses).toEqual([{ chain_id: "1", address: evm(1) }]);
  });

  test("a target that is not flagged alone is not flagged, whatever the batch said", async () => {
    const { clock, ask, service } = await setup();
    service.alter = (request, answer) => (request.user_addresses.length > 3 ? withListed(answer) : answer);

    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true, value: { target: { is_poisoning: "0" } } });
  });

  test.each([
    ["at once when that request is refused", new RejectedError("422"), 1],
    ["when that request failed twice", new UnavailableError("500"), 2],
  ])("such a flag is confirmed alone %s", async (_, error, failures) => {
    const { clock, ask, service, batches } = await setup();
    service.alter = (request, answer) => {
      if (isAmongCanaries(request)) throw error;
      return withListed(answer);
    };

    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true, value: { target: { is_poisoning: "1" } } });
    expect(batches().filter(isAmongCanaries)).toHaveLength(failures);
    expect(batches()).toHaveLength(2 + failures);
  });

  test("a confirmation among canaries is repeated after a 429", async () => {
    const { clock, ask, service, batches } = await setup();
    service.alter = (request, answer) => {
      if (isAmongCanaries(request) && batches().filter(isAmongCanaries).length < 5) throw new RateLimitedError("429");
      return withListed(answer);
    };

    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true, value: { target: { is_poisoning: "1" } } });
    expect(batches().map(isAmongCanaries)).toEqual([false, true, true, true, true, true]);
  });

  test("a flag is confirmed alone when the canaries beside it fall silent", async () => {
    const { clock, ask, service, batches, pool } = await setup();
    service.alter = (request, answer) => {
      if (!isAmongCanaries(request)) return withListed(answer);
      const silent = answer.data.target_addresses.map((item) =>
        "error" in item ? item : { ...item, is_poisoning: "0" as const, mimics_user: "0" as const },
      );
      return withListed({ ...answer, data: { ...answer.data, target_addresses: silent } });
    };

    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true, value: { target: { is_poisoning: "1" } } });
    expect([pool.isOff, batches().length]).toEqual([true, 3]);
  });
});

describe("a service that confirmed 16 flags", () => {
  test("further flags are believed, and their evidence says so", async () => {
    const { clock, ask, observed, log } = await setup();
    await clock.runUntil(Promise.all(numbers(16).map((i) => ask(event(i)))));
    const later = await clock.runUntil(Promise.all(numbers(200).map((i) => ask(event(100 + i)))));

    const believed = later.filter((outcome) => outcome.ok && outcome.value.believed === "learned");
    expect(believed.length).toBeGreaterThan(180);
    expect(believed.length).toBeLessThan(200);
    expect(believed.every(({ trace }) => trace.requests === 1)).toBe(true);
    expect(observed.filter(([what]) => what === "believed")).toHaveLength(believed.length);
    expect(log.lines).toEqual([]);
  });

  test("after a failed confirmation all flags are confirmed again, and believed answers are dropped", async () => {
    const { clock, ask, service, log, observed } = await setup();
    await clock.runUntil(Promise.all(numbers(16).map((i) => ask(event(i)))));
    await clock.runUntil(Promise.all(numbers(20).map((i) => ask(event(100 + i)))));
    service.alter = (request, answer) => (request.user_addresses.length > 3 ? withListed(answer) : answer);
    for (let i = 0; log.lines.length === 0; i++) await clock.runUntil(ask(event(150 + i)));
    const believed = observed.filter(([what]) => what === "believed").length;
    observed.length = 0;

    const outcomes = await clock.runUntil(Promise.all(numbers(20).map((i) => ask(event(100 + i)))));

    expect(log.lines).toEqual([
      {
        level: "warn",
        message:
          "the service does not flag a target without users that it flagged among them: such flags are confirmed again",
        fields: { believed },
      },
    ]);
    expect(outcomes.every((outcome) => outcome.ok && outcome.value.target.is_poisoning === "0")).toBe(true);
    expect(observed.filter(([what]) => what === "believed" || what === "reused")).toEqual([]);
  });
});

describe("a flagged backfill entry", () => {
  test("a flagged backfill entry waits ten seconds for others while more events may come", async () => {
    const { clock, ask, batches } = await setup();
    const first = ask(event(1), "backfill");
    await clock.advance(5_000);
    const second = ask(event(2), "backfill");
    await clock.advance(5_400);
    expect(batches()).toHaveLength(2);

    await clock.advance(200);
    await clock.runUntil(Promise.all([first, second]));

    expect(batches().map(isAmongCanaries)).toEqual([false, false, true]);
  });

  test("a waiting confirmation does not delay later entries", async () => {
    const { clock, ask } = await setup();
    void ask(event(1), "backfill");
    await clock.advance(1_000);
    const start = clock.ticks();

    await clock.runUntil(ask(quiet(2), "backfill"));

    expect(clock.ticks() - start).toBe(500);
  });

  test("a confirmation leaves at once when no more events come, or together with a flagged deposit", async () => {
    const { clock, ask, pool, batches } = await setup();
    const first = ask(event(1), "backfill");
    await clock.advance(600);
    await clock.runUntil(ask(event(2)));
    await clock.runUntil(first);
    expect(batches().map(isAmongCanaries)).toEqual([false, false, true]);

    const last = ask(event(3), "backfill");
    await clock.advance(600);
    pool.expectMore(false);
    const start = clock.ticks();
    await clock.runUntil(last);
    expect(clock.ticks() - start).toBe(0);
  });
});
