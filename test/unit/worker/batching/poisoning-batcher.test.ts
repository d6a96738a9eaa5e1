import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { PoisoningBatchRequest, PoisoningBatchResponse } from "../../../../src/api/schemas/address-poisoning.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import type { Outcome } from "../../../../src/worker/answers/outcome.ts";
import {
  ChainUnsupportedError,
  RateLimitedError,
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import { settled } from "../../../fakes/virtual-clock.ts";
import { lookalikeGroups } from "../../../fixtures/lookalikes.generated.ts";
import { numbers } from "../../../support/numbers.ts";
import {
  addressOf,
  chainOf,
  event,
  evm,
  evmAlike,
  evmCanary,
  isCanaryTarget,
  questionAbout,
} from "../../../support/poisoning-parts.ts";
import { isPooled, poolSetup } from "../../../support/pool-setup.ts";

const clean = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
const mimicking = { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" };

type TargetItem = PoisoningBatchResponse["data"]["target_addresses"][number];
function alterTargets(answer: PoisoningBatchResponse, alter: (items: TargetItem[]) => TargetItem[]) {
  return { ...answer, data: { ...answer.data, target_addresses: alter([...answer.data.target_addresses]) } };
}
const textOf = (request: PoisoningBatchRequest) =>
  [request.user_addresses, request.target_addresses, request.token_addresses]
    .map((items) =>
      items
        .map(({ address }) => address)
        .toSorted()
        .join(),
    )
    .join(";");

describe("the packing of requests", () => {
  test("one permit is requested at a time, and events that wait for it are counted until the request has left", async () => {
    const { calibrate, clock, pool, slots, ask } = poolSetup();
    await calibrate();
    slots.isShut = true;
    expect(pool.waiting).toBe(0);
    const asked = [ask(event(1)), ask(event(1)), ask(event(2))];
    await settled();
    expect([pool.waiting, slots.waiting]).toEqual([3, 1]);

    asked.push(ask(event(3)));
    await settled();
    expect([pool.waiting, slots.waiting]).toEqual([4, 1]);
    slots.give();
    await clock.runUntil(Promise.all(asked));

    expect([pool.waiting, slots.waiting]).toEqual([0, 0]);
  });

  test("a service that takes one address per request gets one target each, and no canary", async () => {
    const { clock, ask, sent, service, log, pool } = poolSetup({ hasBatches: false });

    const same = [event(1), event(2)].map(({ target }) => ({ target, users: [evm(9)] }));
    const asked = [...numbers(40).map((i) => event(i)), ...same].map((each) => ask(each));
    const outcomes = await clock.runUntil(Promise.all(asked));

    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(sent().map((targets) => targets.length)).toEqual(Array(42).fill(1));
    const batches = service.requests.flatMap(({ route, request }) => (route === "poisoningBatch" ? [request] : []));
    expect(batches.filter(isPooled)).toEqual([]);
    expect(log.messages("error")).toEqual([]);
    // The canaries were never tested, because the service never took a batch.
    expect(pool.isOff).toBe(false);
  });

  test("concurrent events share a request", async () => {
    const { calibrate, clock, ask, sent, pooled } = poolSetup();
    await calibrate();

    const outcomes = await clock.runUntil(Promise.all(numbers(300).map((i) => ask(event(i)))));

    expect(sent()).toHaveLength(1);
    expect(sent()[0]?.toSorted()).toEqual(
      numbers(300)
        .map((i) => evm(i))
        .toSorted(),
    );
    expect(pooled()[0]?.user_addresses).toHaveLength(303);
    const at = clock.now();
    const trace = { requests: 1, askedAt: at, answeredAt: at, cached: false };
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, value: { target: clean }, trace });
  });

  test("events that exceed one request take as few requests as possible, each as full as possible", async () => {
    const { calibrate, clock, ask, pooled } = poolSetup();
    await calibrate();

    await clock.runUntil(Promise.all(numbers(600).map((i) => ask(event(i)))));

    const sizes = pooled().map((request) => request.user_addresses.length + request.target_addresses.length);
    expect(sizes).toEqual([1000, 212]);
  });

  test("an event that arrives between the request for a permit and the permit joins the request", async () => {
    const { calibrate, clock, slots, ask, sent } = poolSetup();
    await calibrate();
    slots.isShut = true;
    const first = ask(event(1));
    await settled();
    expect(slots.waiting).toBe(1);

    const second = ask(event(2), "backfill");
    await settled();
    slots.give();
    await clock.runUntil(Promise.all([first, second]));

    expect(sent().map((targets) => targets.toSorted())).toEqual([[evm(1), evm(2)]]);
  });

  test("backfill events linger for half a second, and do not linger when no more events are expected", async () => {
    const { calibrate, clock, pool, ask, sent } = poolSetup();
    await calibrate();
    const first = ask(event(1), "backfill");
    await clock.advance(499);
    expect(sent()).toEqual([]);
    await clock.advance(1);
    expect(sent()).toEqual([[evm(1)]]);
    await first;

    pool.expectMore(false);
    await clock.runUntil(ask(event(2), "backfill"));

    expect(sent()).toEqual([[evm(1)], [evm(2)]]);
    expect(clock.sleeping).toBe(0);
  });
});

describe("before a format is calibrated", () => {
  const [single, batch] = ["poisoningSingle", "poisoningBatch"];

  test("concurrent events are sent alone, as long as that takes no more requests than a calibration", async () => {
    const { clock, ask, service } = poolSetup();

    await clock.runUntil(Promise.all(numbers(9).map((i) => ask(event(i)))));

    expect(service.requests.map(({ route }) => route)).toEqual(Array(9).fill(batch));
  });

  test("one more event triggers the calibration, and all events wait for it and share a request", async () => {
    const { clock, ask, service, pooled } = poolSetup();

    await clock.runUntil(Promise.all(numbers(10).map((i) => ask(event(i)))));

    // The two weaker probes are not flagged, but the third is: three pairs, each with its user and without.
    expect(service.requests.map(({ route }) => route)).toEqual([...Array(2 + 6).fill(single), batch]);
    expect(pooled().map(({ target_addresses }) => target_addresses.length)).toEqual([10 + 3]);
  });

  test("events that come one by one never pay for a calibration", async () => {
    const { clock, ask, service } = poolSetup();

    for (const i of numbers(30)) await clock.runUntil(ask(event(i)));

    expect(service.requests).toHaveLength(30);
  });

  test("events that come in pairs pay for a calibration once sharing would have saved as much", async () => {
    const { clock, ask, service, pooled } = poolSetup();
    const pair = (i: number) => clock.runUntil(Promise.all([ask(event(2 * i)), ask(event(2 * i + 1))]));

    for (const i of numbers(8)) await pair(i);
    expect(service.requests).toHaveLength(16);
    await pair(9);

    expect(service.requests).toHaveLength(16 + 8 + 1);
    expect(pooled()).toHaveLength(1);
  });

  test("the events of each format are counted separately", async () => {
    const { clock, ask, service } = poolSetup();
    const onTron = lookalikeGroups.tron
      .slice(0, 9)
      .map(([text = ""]) => ask({ chain: chainOf("tron"), target: addressOf(text, "tron") }));

    await clock.runUntil(Promise.all([...onTron, ...numbers(9).map((i) => ask(event(i)))]));

    expect(service.requests).toHaveLength(18);
  });

  describe("when the service fails during the calibration", () => {
    /** Fails the first `times` single requests with an error that is not retried. */
    const failing = (times: number) => {
      const setup = poolSetup();
      const { service } = setup;
      const answer = service.ask.bind(service);
      let calibrations = 0;
      service.ask = async (route, request, signal) => {
        const answered = await answer(route, request, signal);
        if (route === single && ++calibrations <= times) throw new RejectedError("422");
        return answered;
      };
      return setup;
    };

    test("the waiting events are not all sent alone: after ten of them the calibration is repeated", async () => {
      const { clock, ask, service, pooled } = failing(1);

      const outcomes = await clock.runUntil(Promise.all(numbers(200).map((i) => ask(event(i)))));

      expect(service.requests.map(({ route }) => route)).toEqual([
        single,
        ...Array(10).fill(batch),
        ...Array(8).fill(single),
        batch,
      ]);
      expect(pooled().map(({ target_addresses }) => target_addresses.length)).toEqual([200 - 10 + 3]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, trace: { requests: 1 } });
    });

    test("each failure makes the next calibration rarer, and all events are answered", async () => {
      const { clock, ask, service } = failing(Number.POSITIVE_INFINITY);

      const outcomes = await clock.runUntil(Promise.all(numbers(200).map((i) => ask(event(i)))));

      // At once, and after 10, 20, 40 and 80 more events.
      expect(service.requests.flatMap(({ route }, i) => (route === single ? [i] : []))).toEqual([0, 11, 32, 73, 154]);
      expect(service.requests).toHaveLength(200 + 5);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, trace: { requests: 1 } });
    });
  });

  test("an unsupported chain does not prevent the calibration for events on other chains", async () => {
    const { clock, ask, service, pooled } = poolSetup();
    const answer = service.ask.bind(service);
    service.ask = async (route, request, signal) => {
      if (JSON.stringify(request).includes('"56"')) throw new ChainUnsupportedError("unsupported chainId: 56");
      return answer(route, request, signal);
    };
    const onBsc = numbers(10).map((i) => ask({ ...event(i), chain: chainOf("56") }));

    const outcomes = await clock.runUntil(Promise.all([...onBsc, ...numbers(90, 11).map((i) => ask(event(i)))]));

    expect(outcomes.map(({ ok }) => ok)).toEqual([...Array(10).fill(false), ...Array(90).fill(true)]);
    expect(service.requests).toHaveLength(8 + 1);
    expect(pooled()).toHaveLength(1);
  });
});

describe("confirmations", () => {
  test("a flag for another event's user is confirmed without that user, and the second answer counts", async () => {
    const { calibrate, clock, ask, sent, service } = poolSetup();
    await calibrate();
    const [alice, bob, carol] = [evm(20), evm(21), evm(22)];

    const [own, strangers, neither] = await clock.runUntil(
      Promise.all([
        ask({ target: evmAlike(20), users: [alice] }),
        ask({ target: evmAlike(22), users: [bob] }),
        ask({ target: evm(3), users: [carol] }),
      ]),
    );

    // The worker's own rule sees the imitation.
    expect(own).toMatchObject({ ok: true, value: { target: mimicking }, trace: { requests: 1 } });
    expect(strangers).toMatchObject({ ok: true, value: { target: clean }, trace: { requests: 2 } });
    expect(neither).toMatchObject({ ok: true, value: { target: clean }, trace: { requests: 1 } });
    expect(sent().map((targets) => targets.length)).toEqual([3, 1]);
    const confirming = service.requests.slice(1).map(({ request }) => request);
    expect(confirming).toEqual([
      {
        user_addresses: [{ chain_id: "1", address: bob }],
        target_addresses: [{ chain_id: "1", address: evmAlike(22) }],
        token_addresses: [],
      },
    ]);
  });

  test("flagged targets of the same users share one confirmation, and a target without users is sent in the single form", async () => {
    const { calibrate, clock, ask, sent, service } = poolSetup();
    await calibrate();
    const [alice, bob] = [evm(20), evm(21)];

    await clock.runUntil(
      Promise.all([
        ask({ target: evmAlike(22), users: [alice] }),
        ask({ target: evmAlike(22), users: [alice, bob] }),
        ask({ target: evmAlike(23), users: [alice] }),
        ask({ target: evmAlike(20) }),
        ask({ target: evm(4), users: [evm(22)] }),
        ask({ target: evm(5), users: [evm(23)] }),
      ]),
    );

    expect(
      sent()
        .slice(1)
        .map((targets) => targets.toSorted()),
    ).toEqual([[evmAlike(22), evmAlike(23)], [evmAlike(22)], [evmAlike(20)]]);
    expect(service.requests.map(({ route }) => route)).toEqual([
      "poisoningBatch",
      "poisoningBatch",
      "poisoningBatch",
      "poisoningSingle",
    ]);
  });
});

describe("equal questions", () => {
  test("equal questions at one time share one request, whatever the order of their users", async () => {
    const { calibrate, clock, ask, sent } = poolSetup();
    await calibrate();
    const users = [evm(20), evm(21)];

    const [one, other] = await clock.runUntil(
      Promise.all([ask({ target: evm(1), users }), ask({ target: evm(1), users: users.toReversed() }, "backfill")]),
    );

    expect(sent()).toEqual([[evm(1)]]);
    expect(one).toBe(other);
  });

  test("an answer is reused for as long as the cache age of the lane allows", async () => {
    const { calibrate, clock, ask, sent } = poolSetup();
    await calibrate();
    const answered = clock.now();
    await clock.runUntil(ask(event(1)));
    await clock.advance(59_999);

    const cached = await clock.runUntil(ask(event(1)));
    expect(cached).toEqual({
      ok: true,
      value: { target: { chain_id: "1", address: evm(1), ...clean } },
      trace: { requests: 0, askedAt: answered, answeredAt: answered, cached: true },
    });
    await clock.advance(1);
    await clock.runUntil(ask(event(1), "backfill"));
    expect(sent()).toHaveLength(1);
    await clock.runUntil(ask(event(1)));
    expect(sent()).toHaveLength(2);
  });

  test("a backfill question that a realtime event joins becomes urgent", async () => {
    const { calibrate, clock, ask, sent } = poolSetup();
    await calibrate();
    const slow = ask(event(1), "backfill");
    await clock.advance(100);
    expect(sent()).toEqual([]);

    const joined = ask(event(1));
    await settled();

    expect(sent()).toEqual([[evm(1)]]);
    expect(await slow).toBe(await joined);
  });

  test("a backfill question that a realtime event joins in flight stays urgent for its retry", async () => {
    const { calibrate, clock, ask, sent, service } = poolSetup();
    await calibrate();
    const arrived = Promise.withResolvers<void>();
    service.alter = async (request, answer) => {
      if (!isPooled(request) || sent().length > 1) return answer;
      await arrived.promise;
      return alterTargets(answer, (items) => items.filter(({ address }) => address !== evm(1)));
    };
    const slow = ask(event(1), "backfill");
    await clock.advance(500);
    expect(sent()).toEqual([[evm(1)]]);
    const joined = ask(event(1));
    arrived.resolve();
    await clock.advance(250);

    expect(sent()).toEqual([[evm(1)], [evm(1)]]);
    expect(await slow).toBe(await joined);
  });
});

describe("a listener without a promise", () => {
  /** Records all calls of all listeners in one list. */
  function listening() {
    const heard: string[] = [];
    const as = (name: string) => ({
      answered: (outcome: Outcome<PoisoningEvidence>) =>
        heard.push(`${name}: ${outcome.ok ? outcome.value.target.is_poisoning : outcome.error.code}`),
      failed: (reason: unknown) => heard.push(`${name} failed: ${String(reason)}`),
    });
    return { heard, as };
  }

  test("all listeners of a question are called in order when the answer arrives, and at once for a cached answer", async () => {
    const { clock, pool } = poolSetup();
    const { heard, as } = listening();
    const question = questionAbout({ target: evmAlike(1), users: [evm(1)] });
    const claim = { lane: "realtime", tenant: "" } as const;

    for (const name of ["a", "b", "c"]) pool.askFor(as(name), question, claim);
    expect(heard).toEqual([]);
    await clock.advance(0);
    expect(heard).toEqual(["a: 1", "b: 1", "c: 1"]);
    pool.askFor(as("d"), question, claim);

    expect(heard).toEqual(["a: 1", "b: 1", "c: 1", "d: 1"]);
  });

  test("a question in several entries is refused without a promise", () => {
    const { pool } = poolSetup();
    const { heard, as } = listening();
    const question = questionAbout({ target: evm(1), users: numbers(1_500, 2_000).map(evm) });

    expect(() => pool.askFor(as("a"), question, { lane: "realtime", tenant: "" })).toThrow(
      "a question in several parts is asked by promises",
    );
    expect(heard).toEqual([]);
  });

  test("a bug reaches the listener, and the promise of a question in several entries", async () => {
    const { clock, pool, service } = poolSetup();
    const { heard, as } = listening();
    service.alter = () => {
      throw new TypeError("a bug");
    };
    const claim = { lane: "realtime", tenant: "" } as const;
    const question = (count: number) => questionAbout({ target: evm(1), users: numbers(count, 2_000).map(evm) });
    const c = as("c");

    pool.askFor(as("a"), question(2), claim);
    pool.askFor(as("b"), question(2), claim);
    pool.ask(question(1_500), claim).then(c.answered, c.failed);
    await clock.advance(0);

    const failed = "failed: TypeError: a bug";
    expect(heard.toSorted()).toEqual([`a ${failed}`, `b ${failed}`, `c ${failed}`]);
  });
});

/** From now on answers wait, and fail as soon as the returned promise is resolved. */
function failsLater(service: ReturnType<typeof poolSetup>["service"]): PromiseWithResolvers<void> {
  const failing = Promise.withResolvers<void>();
  service.alter = () =>
    failing.promise.then(() => {
      throw new UnavailableError("503");
    });
  return failing;
}

describe("a listener that withdraws", () => {
  const claim = { lane: "realtime", tenant: "" } as const;
  const nobody = { answered: () => {}, failed: () => {} };
  const askedBy = ({ pool }: ReturnType<typeof poolSetup>, i: number) =>
    pool.askFor(nobody, questionAbout(event(i)), claim);

  test("a withdrawn question that is in no request leaves nothing behind", async () => {
    const setup = poolSetup();
    const { calibrate, clock, pool, slots, sent, ask } = setup;
    await calibrate();
    const before = sent().length;
    slots.isShut = true;
    const waiting = numbers(3).map((i) => askedBy(setup, i));
    await settled();
    expect(pool.waiting).toBe(3);

    for (const each of waiting) if (each !== undefined) pool.withdraw(each, nobody);
    expect([pool.waiting, pool.waits("realtime")]).toEqual([0, 0]);
    slots.isShut = false;
    slots.give();
    await clock.advance(1_000);
    expect(sent()).toHaveLength(before);

    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true });
  });

  test("a withdrawn question stays for the other events that ask it", async () => {
    const setup = poolSetup();
    const { calibrate, clock, pool, slots, ask } = setup;
    await calibrate();
    slots.isShut = true;
    const first = askedBy(setup, 1);
    const other = ask(event(1));
    await settled();

    if (first !== undefined) pool.withdraw(first, nobody);
    expect(pool.waiting).toBe(1);
    slots.isShut = false;
    slots.give();

    expect(await clock.runUntil(other)).toMatchObject({ ok: true, value: { target: clean } });
  });

  test("a withdrawn request in flight goes on, and answers the next event with the question", async () => {
    const setup = poolSetup();
    const { calibrate, clock, pool, service, sent, ask } = setup;
    await calibrate();
    const before = sent().length;
    const arrived = Promise.withResolvers<void>();
    service.alter = (_request, answer) => arrived.promise.then(() => answer);
    const asked = askedBy(setup, 1);
    await clock.advance(1_000);

    if (asked !== undefined) pool.withdraw(asked, nobody);
    const next = ask(event(1));
    arrived.resolve();

    expect(await clock.runUntil(next)).toMatchObject({ ok: true, value: { target: clean } });
    expect(sent()).toHaveLength(before + 1);
  });

  test("a withdrawn question is not retried when its request fails", async () => {
    const setup = poolSetup();
    const { calibrate, clock, pool, service, sent } = setup;
    await calibrate();
    const before = sent().length;
    const failing = failsLater(service);
    const asked = askedBy(setup, 1);
    await clock.advance(1_000);
    expect(sent()).toHaveLength(before + 1);

    if (asked !== undefined) pool.withdraw(asked, nobody);
    failing.resolve();
    await clock.advance(120_000);

    expect(sent()).toHaveLength(before + 1);
    expect(pool.waiting).toBe(0);
  });

  test("a new event with the question is answered after the withdrawn request has failed", async () => {
    const setup = poolSetup();
    const { calibrate, clock, ask, pool, service } = setup;
    await calibrate();
    const failing = failsLater(service);
    const asked = askedBy(setup, 1);
    await clock.advance(1_000);
    if (asked !== undefined) pool.withdraw(asked, nobody);
    failing.resolve();
    await clock.advance(120_000);
    service.alter = (_request, answer) => answer;

    const again = ask(event(1));
    await clock.advance(1_000);

    expect(await Promise.race([again, "nobody answers"])).toMatchObject({ ok: true });
  });

  test("a withdrawn question is not sent when the calibration ends", async () => {
    const setup = poolSetup();
    const { clock, pool, service, sent } = setup;
    const arrived = Promise.withResolvers<void>();
    const answer = service.ask.bind(service);
    service.ask = (route, request, signal) => arrived.promise.then(() => answer(route, request, signal));
    const asked = numbers(100).map((i) => askedBy(setup, i));
    await clock.advance(900);

    for (const each of asked) if (each !== undefined) pool.withdraw(each, nobody);
    arrived.resolve();
    await clock.advance(120_000);

    const about = sent().flat();
    expect(about).toHaveLength(8);
    expect([about.includes(evm(1)), about.includes(evm(100))]).toEqual([false, false]);
    expect(pool.waiting).toBe(0);
  });
});

describe("a refused request", () => {
  test("a refused request is halved until the bad entry is alone, no request is repeated, and no other event fails", async () => {
    const { calibrate, clock, ask, service, pool } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (request.target_addresses.some(({ address }) => address === evm(13))) throw new RejectedError("400");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(64).map((i) => ask(event(i)))));

    expect(outcomes.map(({ ok }) => ok)).toEqual(numbers(64).map((i) => i !== 13));
    expect(outcomes[12]).toMatchObject({ ok: false, error: { code: "REJECTED" }, trace: { requests: 6 } });
    const bytes = service.requests.map(({ request }) => textOf(request as PoisoningBatchRequest));
    expect(new Set(bytes).size).toBe(bytes.length);
    expect(bytes).toHaveLength(9);
    expect(pool.isOff).toBe(false);
  });

  test("a full refused request takes at most eleven more requests", async () => {
    for (const bad of [1, 13, 497]) {
      const { calibrate, clock, ask, service, sent } = poolSetup();
      await calibrate();
      service.alter = (request, answer) => {
        if (request.target_addresses.some(({ address }) => address === evm(bad))) throw new RejectedError("400");
        return answer;
      };

      const outcomes = await clock.runUntil(Promise.all(numbers(497).map((i) => ask(event(i)))));

      expect(sent()[0]).toHaveLength(497);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(496);
      expect(sent().length - 1).toBeLessThanOrEqual(11);
    }
  });

  test("the held entries of a refused request are sent when a half gets no result", async () => {
    const { calibrate, clock, ask, service } = poolSetup();
    await calibrate();
    let failures = 3;
    service.alter = (request, answer) => {
      if (request.target_addresses.some(({ address }) => address === evm(13))) throw new RejectedError("400");
      if (failures-- > 0) throw new UnavailableError("500");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(64).map((i) => ask(event(i)))));

    expect(outcomes.map(({ ok }) => ok)).toEqual(numbers(64).map((i) => i !== 13));
  });

  test("a refused request is not repeated when its event failed and is asked again", async () => {
    const { calibrate, clock, ask, service, sent, pooled } = poolSetup();
    await calibrate();
    service.alter = (request) => {
      if (isPooled(request)) throw new RejectedError("422");
      throw new UnavailableError("500");
    };
    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" } });
    expect(pooled()).toHaveLength(1);

    service.alter = (_request, answer) => answer;
    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true });
    expect(pooled()).toHaveLength(1);
    expect(sent().at(-1)).toEqual([evm(1)]);

    await clock.advance(3_600_000);
    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true, trace: { cached: false } });
    expect(pooled()).toHaveLength(2);
  });

  test("a refused request is sent again without the item that the refusal names", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      const at = request.user_addresses.findIndex(({ address }) => address === evm(1013));
      if (at >= 0) throw new RejectedError(`user_addresses[${at}]: bad checksum`);
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(64).map((i) => ask(event(i)))));

    expect(outcomes.map(({ ok }) => ok)).toEqual(numbers(64).map((i) => i !== 13));
    expect(sent().map((targets) => targets.length)).toEqual([64, 63, 1]);
  });

  test("a refused request with a single event is sent again without canaries", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (isPooled(request)) throw new RejectedError("413");
      return answer;
    };

    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true, trace: { requests: 2 } });
    expect(sent()).toEqual([[evm(1)], [evm(1)]]);
  });
});

describe("an answer that is invalid for an event", () => {
  test("an error of one item fails only its event, and is final", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    const error = { code: "invalid_address", detail: "bad" };
    service.alter = (_request, answer) =>
      alterTargets(answer, (items) =>
        items.map((item) => (item.address === evm(2) ? { chain_id: "1", address: evm(2), error } : item)),
      );

    const [first, second, third] = await clock.runUntil(Promise.all(numbers(3).map((i) => ask(event(i)))));

    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({ ok: false, error: { code: "ITEM_FAILED", message: "invalid_address: bad" } });
    expect(third).toMatchObject({ ok: true });
    expect(sent()).toHaveLength(1);
  });

  test("a missing item is asked for again in a batch, then alone, then no more", async () => {
    const { calibrate, clock, ask, service, pooled, sent } = poolSetup();
    await calibrate();
    service.alter = (_request, answer) => alterTargets(answer, (items) => items.filter((i) => i.address !== evm(2)));

    const [first, second] = await clock.runUntil(Promise.all(numbers(2).map((i) => ask(event(i)))));

    expect(first).toMatchObject({ ok: true, trace: { requests: 1 } });
    expect(second).toMatchObject({ ok: false, error: { code: "ANSWER_INVALID" }, trace: { requests: 3 } });
    expect(sent().map((targets) => targets.length)).toEqual([2, 1, 1]);
    expect(pooled()).toHaveLength(2);
  });

  test("an answer that lacks many items counts as one failure, and all missing items are asked for again", async () => {
    const { calibrate, clock, ask, service } = poolSetup();
    await calibrate();
    service.alter = (request, answer) =>
      alterTargets(answer, (items) =>
        request === service.requests[0]?.request ? items.filter(({ address }) => isCanaryTarget(address)) : items,
      );

    const outcomes = await clock.runUntil(Promise.all(numbers(300).map((i) => ask(event(i)))));

    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(300);
  });

  const stranger = { chain_id: "1", address: evm(4_000), ...mimicking } as TargetItem;
  const noticed = {
    level: "warn",
    message: "the service answered about items that were not in the request",
    fields: { extra: 1 },
  };

  test("an answer with an item that the request lacks is invalid, and the request is repeated", async () => {
    const { calibrate, clock, ask, service, log, sent, pooled } = poolSetup();
    await calibrate();
    service.alter = (request, answer) =>
      request === service.requests[0]?.request ? alterTargets(answer, (items) => [...items, stranger]) : answer;

    const outcomes = await clock.runUntil(Promise.all(numbers(300).map((i) => ask(event(i)))));

    expect(outcomes.every(({ ok, trace }) => ok && trace.requests === 2)).toBe(true);
    expect([sent().map((targets) => targets.length), pooled().length]).toEqual([[300, 300], 2]);
    expect(log.lines).toEqual([noticed]);
  });

  test.each([
    ["in company", isPooled, { ok: true, value: { target: clean } }],
    ["always", () => true, { ok: false, error: { code: "ANSWER_INVALID" } }],
  ])("a service that adds an item %s gets the same verdicts as without batching", async (_when, adds, outcome) => {
    const { calibrate, clock, ask, service, log, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) =>
      adds(request) ? alterTargets(answer, (items) => [...items, stranger]) : answer;

    const outcomes = await clock.runUntil(Promise.all(numbers(498).map((i) => ask(event(i)))));

    for (const each of outcomes) expect(each).toMatchObject(outcome);
    // No more than a search for a bad entry may cost.
    expect(sent().length).toBe(641);
    expect(log.lines.every((line) => isDeepStrictEqual(line, noticed))).toBe(true);
  });
});

describe("canaries", () => {
  const silence = (answer: PoisoningBatchResponse) =>
    alterTargets(answer, (items) =>
      items.map((item) => (item.address === evmCanary?.target ? ({ ...item, ...clean } as TargetItem) : item)),
    );
  const lose = (answer: PoisoningBatchResponse) =>
    alterTargets(answer, (items) => items.filter(({ address }) => address !== evmCanary?.target));

  test("a silent canary voids its request, and batching stays off", async () => {
    const { calibrate, clock, ask, service, sent, pooled, log, pool } = poolSetup();
    await calibrate();
    service.alter = (_request, answer) => silence(answer);

    const outcomes = await clock.runUntil(Promise.all(numbers(3).map((i) => ask(event(i)))));
    await clock.runUntil(Promise.all(numbers(3, 4).map((i) => ask(event(i)))));

    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, trace: { requests: 2 } });
    expect(sent().map((targets) => targets.length)).toEqual([3, 1, 1, 1, 1, 1, 1]);
    expect(pooled()).toHaveLength(1);
    expect(pool.isOff).toBe(true);
    expect(log.lines).toEqual([
      { level: "error", message: "a canary was not flagged: Weir sends no more batches until a restart" },
    ]);
  });

  test("a silent canary voids the batches in flight as well, whatever their canaries do", async () => {
    const { calibrate, clock, ask, service, pooled, log } = poolSetup();
    await calibrate();
    service.alter = async (request, answer) => {
      if (!isPooled(request)) return answer;
      if (pooled().length === 1) return silence(answer);
      await clock.sleep(100);
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(600).map((i) => ask(event(i)))));

    expect(pooled()).toHaveLength(2);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, trace: { requests: 2 } });
    expect(log.lines).toEqual([
      { level: "error", message: "a canary was not flagged: Weir sends no more batches until a restart" },
    ]);
  });

  test("a silent canary voids the '0's of a shared request with the same users that is in flight", async () => {
    const { calibrate, clock, ask, service, pooled, sent } = poolSetup();
    await calibrate();
    // Too many users for the worker's own rule.
    const own = [evm(1000), evm(2000), ...numbers(7).map((i) => evm(3000 + i))];
    service.alter = async (request, answer) => {
      const isFirst = pooled().length === 1 && isPooled(request);
      if (!isPooled(request) && request.target_addresses.length > 1) {
        await clock.sleep(100);
        return alterTargets(answer, (items) =>
          items.map((item, i) => (i === 0 ? item : ({ ...item, ...clean } as TargetItem))),
        );
      }
      return isFirst ? answer : isPooled(request) ? silence(answer) : answer;
    };
    const flagged = Promise.all([
      ask({ target: evmAlike(1000), users: own }),
      ask({ target: evmAlike(2000), users: own }),
    ]);
    // Both are flagged in the batch, and confirmed in one request.
    void ask(event(9));
    await clock.advance(50);
    await clock.runUntil(ask(event(3)));

    const outcomes = await clock.runUntil(flagged);

    expect(outcomes.map((outcome) => outcome.ok && outcome.value.target.is_poisoning)).toEqual(["1", "1"]);
    expect(outcomes.map(({ trace }) => trace.requests).toSorted()).toEqual([2, 3]);
    expect(sent().filter((targets) => targets.length === 1 && targets[0] !== evm(3))).toHaveLength(1);
  });

  test("an answer from a clock that was ahead is not reused, neither then nor later", async () => {
    const { calibrate, clock, ask } = poolSetup();
    await calibrate();
    clock.stepWall(3_600_000);
    await clock.runUntil(ask(event(1)));
    clock.stepWall(-3_600_000);
    await clock.advance(3_630_000);

    expect((await clock.runUntil(ask(event(1)))).trace).toMatchObject({ requests: 1, cached: false });
  });

  test("a silent canary drops all earlier answers", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    await clock.runUntil(Promise.all(numbers(2).map((i) => ask(event(i), "backfill"))));
    service.alter = (_request, answer) => silence(answer);
    await clock.runUntil(ask(event(3), "backfill"));
    service.requests.length = 0;

    for (const i of numbers(3)) await clock.runUntil(ask(event(i), "backfill"));

    // The third event was answered alone, after batching went off.
    expect(sent()).toEqual([[evm(1)], [evm(2)]]);
  });

  test("a canary without an answer voids only its request, and the third in a row stops batching for a minute", async () => {
    const { calibrate, clock, ask, service, pooled, log, pool } = poolSetup();
    await calibrate();
    service.alter = (_request, answer) => lose(answer);
    const askOne = (i: number) => clock.runUntil(ask(event(i)));

    expect(await askOne(1)).toMatchObject({ ok: true, trace: { requests: 2 } });
    await askOne(2);
    service.alter = (_request, answer) => answer;
    await askOne(3);
    service.alter = (_request, answer) => lose(answer);
    await askOne(4);
    await askOne(5);
    expect(pool.isOff).toBe(false);
    await askOne(6);

    expect(pool.isOff).toBe(true);
    expect(pooled()).toHaveLength(6);
    const lost = "a canary was not answered: Weir discards the answers of this batch";
    expect(log.messages("warn")).toEqual([lost, lost, lost, lost]);
    expect(log.messages("error")).toEqual(["canaries were not answered: Weir sends no batches for a while"]);

    service.alter = (_request, answer) => answer;
    await clock.advance(59_000);
    await askOne(7);
    expect(pooled()).toHaveLength(6);
    await clock.advance(1_000);
    await askOne(8);
    expect(pool.isOff).toBe(false);
    expect(pooled()).toHaveLength(7);
  });
});

describe("a chain that the service refuses item by item", () => {
  const bsc = chainOf("56");
  const error = { code: "unsupported_chain", detail: "unsupported chainId: 56" };
  const refuse = (answer: PoisoningBatchResponse, isRefused: (address: string) => boolean) =>
    alterTargets(answer, (items) =>
      items.map(({ chain_id, address, ...flags }) =>
        chain_id === "56" && isRefused(address)
          ? { chain_id, address, error }
          : ({ chain_id, address, ...flags } as TargetItem),
      ),
    );
  const clearAll = (items: TargetItem[]) =>
    items.map((item) => (item.chain_id === "56" ? ({ ...item, ...clean } as TargetItem) : item));

  test("the refused chain costs events on other chains nothing, however often it occurs", async () => {
    const { calibrate, clock, ask, service, pool, log } = poolSetup();
    await calibrate();
    service.alter = (_request, answer) => refuse(answer, () => true);

    for (let round = 0; round < 4; round++) {
      service.requests.length = 0;
      const good = numbers(200, 1 + 200 * round).map((i) => ask(event(i), "backfill"));
      const bad = ask({ ...event(3000 + round), chain: bsc }, "backfill");
      const outcomes = await clock.runUntil(Promise.all(good));

      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ ok: true, value: { target: clean }, trace: { requests: 1 } });
      expect(await bad).toMatchObject({ ok: false, error: { code: "CHAIN_UNSUPPORTED" }, trace: { requests: 1 } });
      expect(service.requests).toHaveLength(1);
    }
    expect(pool.isOff).toBe(false);
    expect(log.lines).toEqual([]);
  });

  test("a chain with only its canaries refused clears no target, and three such requests stop batching for a minute", async () => {
    const { calibrate, clock, ask, service, sent, pooled, log, pool } = poolSetup();
    await calibrate();
    service.alter = (request, answer) =>
      isPooled(request) ? refuse(alterTargets(answer, clearAll), isCanaryTarget) : answer;
    const imitating = { chain: bsc, target: evmAlike(7), users: [evm(7)] };

    const [good, bad] = await clock.runUntil(Promise.all([ask(event(1)), ask(imitating)]));

    expect(good).toMatchObject({ ok: true, value: { target: clean }, trace: { requests: 1 } });
    expect(bad).toMatchObject({ ok: true, value: { target: mimicking }, trace: { requests: 2 } });
    expect(sent().map((targets) => targets.toSorted())).toEqual([[evm(1), evmAlike(7)].toSorted(), [evmAlike(7)]]);
    expect(pool.isOff).toBe(false);

    for (const i of [8, 9, 10]) await clock.runUntil(ask({ ...event(i), chain: bsc }));
    expect(pool.isOff).toBe(true);
    expect(pooled()).toHaveLength(3);
    const refused = "the service refused the canaries of a chain: Weir discards the answers about this chain";
    expect(log.messages("warn")).toEqual([refused, refused]);
    expect(log.messages("error")).toEqual(["canaries were not answered: Weir sends no batches for a while"]);
  });
});

describe("when the service fails", () => {
  test("an event that a firewall refuses with 403 fails by itself, and stops no other event", async () => {
    const { calibrate, clock, ask, service } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (request.target_addresses.some(({ address }) => address === evm(3))) throw new UnauthorizedError("403");
      return answer;
    };

    const refused = ask(event(3));
    let isOver = false;
    void refused.then(() => (isOver = true));
    const answered: boolean[] = [];
    for (let i = 100; i < 150 && !isOver; i++) answered.push((await clock.runUntil(ask(event(i)))).ok);

    expect(await refused).toMatchObject({ ok: false, error: { code: "UNAUTHORIZED" } });
    expect(answered.length).toBeLessThan(50);
    expect(new Set(answered)).toEqual(new Set([true]));
  });

  test("a 429 costs only time", async () => {
    const { calibrate, clock, ask, service } = poolSetup();
    await calibrate();
    const start = clock.now();
    let failures = 20;
    service.alter = (_request, answer) => {
      if (failures-- > 0) throw new RateLimitedError("429", 1_000);
      return answer;
    };

    const outcome = await clock.runUntil(ask(event(1)));

    expect(outcome).toMatchObject({ ok: true, trace: { requests: 21, askedAt: start, answeredAt: start + 20_000 } });
  });

  test("an entry that failed twice in a batch is sent alone, five times in all", async () => {
    const { calibrate, clock, ask, service, pooled } = poolSetup();
    await calibrate();
    service.alter = () => {
      throw new UnavailableError("503");
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(2).map((i) => ask(event(i)))));

    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" }, trace: { requests: 5 } });
    expect(pooled().flatMap(({ target_addresses }) => target_addresses).length - 3 * pooled().length).toBe(4);
  });

  test("after the patience limit every event fails with the error that the service is down", async () => {
    const { calibrate, clock, ask, service } = poolSetup({ patienceMs: 60_000 });
    await calibrate();
    service.alter = () => {
      throw new UnauthorizedError("401");
    };
    const start = clock.now();

    const outcomes = await clock.runUntil(Promise.allSettled(numbers(3).map((i) => ask(event(i)))));

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: "rejected" });
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(ServiceDownError);
    }
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
    await expect(clock.runUntil(ask(event(4)))).rejects.toBeInstanceOf(ServiceDownError);
  });

  test("a bug reaches every event of the request, and no later event", async () => {
    const { calibrate, clock, ask, service } = poolSetup();
    await calibrate();
    const bug = new TypeError("bug");
    service.alter = () => {
      throw bug;
    };
    const failed = await clock.runUntil(Promise.allSettled([ask(event(1)), ask(event(2))]));
    service.alter = (_request, answer) => answer;

    expect(failed).toEqual([bug, bug].map((reason) => ({ status: "rejected", reason })));
    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true });
  });

  test("an event that lingers fails when the run ends", async () => {
    const { calibrate, clock, ask, ending } = poolSetup();
    await calibrate();
    const lingering = Promise.allSettled([ask(event(1), "backfill")]);
    await settled();
    const reason = new Error("stop");

    ending.abort(reason);

    expect(await clock.runUntil(lingering)).toEqual([{ status: "rejected", reason }]);
  });
});

test("a question with too many users is sent in several entries, and a '1' of any entry stands", async () => {
  const { calibrate, clock, ask, pooled } = poolSetup();
  await calibrate();
  const users = numbers(1500, 1).map((i) => evm(i));

  const outcome = await clock.runUntil(ask({ target: evmAlike(1400), users }));

  expect(outcome).toMatchObject({ ok: true, value: { target: mimicking } });
  expect(pooled().map(({ user_addresses }) => user_addresses.length)).toEqual([995, 511]);
});
