import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import type { Outcome } from "../../../../src/worker/answers/outcome.ts";
import { RejectedError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { clean } from "../../../fakes/evidence.ts";
import { settled } from "../../../fakes/virtual-clock.ts";
import { numbers } from "../../../support/numbers.ts";
import { event, evm, isCanaryTarget, questionAbout } from "../../../support/poisoning-parts.ts";
import { isPooled, poolSetup } from "../../../support/pool-setup.ts";

const claim = { lane: "realtime", tenant: "" } as const;
type Setup = ReturnType<typeof poolSetup>;

/** Asks a question, and records all calls of its listener. */
function asker({ pool }: Setup, i: number) {
  const heard: (Outcome<PoisoningEvidence> | "failed")[] = [];
  const told = {
    answered: (outcome: Outcome<PoisoningEvidence>) => heard.push(outcome),
    failed: () => heard.push("failed"),
  };
  const waiting = pool.askFor(told, questionAbout(event(i)), claim);
  return {
    heard,
    withdraw: () => {
      if (waiting !== undefined) pool.withdraw(waiting, told);
    },
  };
}

/** Delays every request from now on until the returned function is called. */
function held({ service }: Setup) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = service.ask.bind(service);
  service.ask = (route, request, signal) => promise.then(() => answer(route, request, signal));
  return resolve;
}

describe("while a calibration is running", () => {
  const uncalibrated = async () => {
    const setup = poolSetup();
    const answer = held(setup);
    const asked = numbers(10).map((i) => asker(setup, i));
    await settled();
    return { ...setup, setup, answer, asked };
  };

  test("one of two events with the same question may withdraw, and the other is answered", async () => {
    const { setup, clock, answer, asked } = await uncalibrated();
    const other = asker(setup, 8);
    asker(setup, 8).withdraw();

    answer();
    await clock.advance(60_000);

    expect(other.heard).toMatchObject([{ ok: true, value: { target: clean.target } }]);
    expect([setup.pool.waiting, asked.filter(({ heard }) => heard.length !== 1)]).toEqual([0, []]);
  });

  test("a new event with a question that all others withdrew is answered", async () => {
    const { setup, clock, answer, asked } = await uncalibrated();
    asked[7]?.withdraw();
    const anew = asker(setup, 8);

    answer();
    await clock.advance(60_000);

    expect(anew.heard).toMatchObject([{ ok: true }]);
    expect(asked.slice(0, 7).flatMap(({ heard }) => heard)).toHaveLength(7);
  });

  test("the end of the run reaches all waiting events", async () => {
    const { clock, answer, asked, ending } = await uncalibrated();
    ending.abort(new Error("stop"));
    answer();
    await clock.advance(60_000);

    expect(asked.map(({ heard }) => heard.length)).toEqual(asked.map(() => 1));
    expect(asked[7]?.heard).toEqual(["failed"]);
  });
});

test("a service that flags no lookalike is calibrated once, and each event is sent alone", async () => {
  const { clock, ask, service } = poolSetup();
  const answer = service.ask.bind(service);
  service.ask = async (route, request, signal) => {
    const found = await answer(route, request, signal);
    if (route !== "poisoningSingle") return found;
    const { data, ...envelope } = found as ResponseOf<"poisoningSingle">;
    return { ...envelope, data: { ...data, target_address: clean.target } } as typeof found;
  };
  await clock.runUntil(Promise.all(numbers(10).map((i) => ask(event(i)))));
  service.requests.length = 0;

  await clock.runUntil(Promise.all(numbers(8, 20).map((i) => ask(event(i)))));

  expect(service.requests.map(({ route }) => route)).toEqual(Array(8).fill("poisoningBatch"));
});

describe("a withdrawal of a question that waits for its next request", () => {
  test("the other event with the question gets a retry when the request fails", async () => {
    const setup = poolSetup();
    const { calibrate, clock, slots, service } = setup;
    await calibrate();
    slots.isShut = true;
    const [one, other, another] = [asker(setup, 1), asker(setup, 1), asker(setup, 1)];
    await settled();
    one.withdraw();
    another.withdraw();
    expect(setup.pool.waiting).toBe(1);
    let failures = 1;
    service.alter = (_request, answer) => {
      if (failures-- > 0) throw new UnavailableError("503");
      return answer;
    };
    slots.isShut = false;
    slots.give();
    await clock.advance(60_000);

    expect(other.heard).toMatchObject([{ ok: true, trace: { requests: 2 } }]);
  });

  test("a withdrawn question leaves nothing behind when its request fails, and a new event with it is answered", async () => {
    const setup = poolSetup();
    const { calibrate, clock, service } = setup;
    await calibrate();
    service.alter = async () => {
      await clock.sleep(10);
      throw new UnavailableError("503");
    };
    const one = asker(setup, 1);
    await clock.advance(5);
    one.withdraw();
    await clock.advance(60_000);
    service.alter = (_request, answer) => answer;

    const anew = asker(setup, 1);
    await clock.advance(60_000);

    expect(anew.heard).toMatchObject([{ ok: true, trace: { requests: 1 } }]);
  });
});

describe("lingering", () => {
  test("a realtime entry lingers once a permit took long", async () => {
    const { calibrate, clock, ask, slots, sent } = poolSetup();
    await calibrate();
    slots.isShut = true;
    const first = ask(event(1));
    await clock.advance(6);
    slots.isShut = false;
    slots.give();
    await clock.runUntil(first);

    void ask(event(2));
    await clock.advance(19);
    expect(sent()).toHaveLength(1);
    await clock.advance(1);
    expect(sent()).toHaveLength(2);
  });

  test("backfill does not linger when no more events are expected, and a realtime event ends its lingering at once", async () => {
    const { calibrate, clock, ask, pool, sent } = poolSetup();
    await calibrate();
    void ask(event(1), "backfill");
    await clock.advance(100);
    void ask(event(2));
    await clock.advance(0);
    expect(sent().map((targets) => targets.toSorted())).toEqual([[evm(1), evm(2)]]);

    pool.expectMore(false);
    void ask(event(3), "backfill");
    await clock.advance(0);
    expect(sent()).toHaveLength(2);
  });
});

describe("when batching goes off", () => {
  /** Makes every canary of an answer clean, or removes the canaries. */
  const alterCanaries =
    (isLost: boolean): Setup["service"]["alter"] =>
    (_request, answer) => ({
      ...answer,
      data: {
        ...answer.data,
        target_addresses: answer.data.target_addresses.flatMap((item) =>
          isCanaryTarget(item.address) ? (isLost ? [] : [{ ...item, ...clean.target, address: item.address }]) : [item],
        ),
      },
    });

  test("for good, no waiting entry is sent in a batch any more", async () => {
    const { calibrate, clock, ask, pooled, slots, service, pool } = poolSetup();
    await calibrate();
    service.alter = alterCanaries(false);
    slots.isShut = true;
    const asked = Promise.all(numbers(600).map((i) => ask(event(i))));
    await settled();
    slots.give();
    await clock.advance(0);
    slots.isShut = false;
    slots.give();

    expect((await clock.runUntil(asked)).map(({ ok }) => ok)).toEqual(Array(600).fill(true));
    expect([pooled().length, pool.isOff]).toEqual([1, true]);
  });

  test("for a while, a later refused batch is halved into batches again", async () => {
    const { calibrate, clock, ask, pooled, service, pool } = poolSetup();
    await calibrate();
    service.alter = alterCanaries(true);
    for (const i of numbers(3)) await clock.runUntil(ask(event(i)));
    expect(pool.isOff).toBe(true);
    await clock.advance(60_000);
    service.requests.length = 0;
    service.alter = (request, answer) => {
      if (isPooled(request) && request.target_addresses.length > 5) throw new RejectedError("413");
      return answer;
    };

    await clock.runUntil(Promise.all(numbers(4, 10).map((i) => ask(event(i)))));

    expect(pooled().map(({ target_addresses }) => target_addresses.length - 3)).toEqual([4, 2]);
  });
});
