import { describe, expect, test } from "vitest";
import {
  RateLimitedError,
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { settled } from "../../../../fakes/virtual-clock.ts";
import { numbers } from "../../../../support/numbers.ts";
import { event, evm, evmAlike, questionAbout } from "../../../../support/poisoning-parts.ts";
import { isPooled, poolSetup } from "../../../../support/pool-setup.ts";

type Targets = { readonly target_addresses: readonly { readonly address: string }[] };
const isAbout = ({ target_addresses }: Targets, i: number) =>
  target_addresses.some(({ address }) => address === evm(i));

describe("the held entries of a refused request", () => {
  test("held entries also fail when the service is down", async () => {
    const { calibrate, clock, ask, service } = poolSetup({ patienceMs: 60_000 });
    await calibrate();
    let refusals = 1;
    service.alter = () => {
      if (refusals-- > 0) throw new RejectedError("400");
      throw new UnauthorizedError("401");
    };

    const outcomes = await clock.runUntil(Promise.allSettled(numbers(4).map((i) => ask(event(i)))));

    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual(
      numbers(4).map(() => expect.any(ServiceDownError)),
    );
  });

  test("held entries are sent although the other half meets a bug, which reaches only that half", async () => {
    const { calibrate, clock, ask, service } = poolSetup();
    await calibrate();
    const bug = new TypeError("a bug");
    service.alter = (request, answer) => {
      if (isAbout(request, 1) && isAbout(request, 3)) throw new RejectedError("400");
      if (isAbout(request, 1)) throw bug;
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.allSettled(numbers(4).map((i) => ask(event(i)))));

    expect(outcomes).toMatchObject([
      { status: "rejected", reason: bug },
      { status: "rejected", reason: bug },
      { status: "fulfilled", value: { ok: true } },
      { status: "fulfilled", value: { ok: true } },
    ]);
  });

  test("held entries are sent as soon as the other half gets no result, and do not wait for its retries", async () => {
    const { calibrate, clock, ask, service } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 1) && isAbout(request, 3)) throw new RejectedError("400");
      if (isAbout(request, 1)) throw new UnavailableError("503");
      return answer;
    };
    const answered: number[] = [];
    for (const i of numbers(4)) void ask(event(i)).then(() => answered.push(i));

    await clock.advance(0);

    expect(answered.toSorted()).toEqual([3, 4]);
  });
});

describe("an event for which the service always fails", () => {
  test("the failing event is found by halving after two shared requests, and the other events are answered", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 7)) throw new UnavailableError("500");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(400).map((i) => ask(event(i)))));

    expect(outcomes.flatMap(({ ok }, i) => (ok ? [] : [i + 1]))).toEqual([7]);
    expect(outcomes[6]).toMatchObject({ error: { code: "UNAVAILABLE" } });
    // All entries twice, each half once, and eight requests to find one of 200. Then the event has three attempts of
    // its own.
    expect(sent().map((targets) => targets.length)).toEqual([
      400, 400, 200, 200, 100, 150, 175, 187, 194, 3, 4, 1, 5, 1, 1,
    ]);
  });

  test("the failing event costs no answer of events with the same users", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 3)) throw new UnavailableError("500");
      return answer;
    };

    const asked = numbers(6).map((i) => ask({ target: evm(i), users: [evm(1000)] }));
    const outcomes = await clock.runUntil(Promise.all(asked));

    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false, true, true, true]);
    expect(sent().map((targets) => targets.length)).toEqual([6, 6, 3, 3, 1, 1, 1, 1, 1]);
  });

  test("the failing event costs no answer of other events when the retry budget is empty", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (request.target_addresses.some(({ address }) => numbers(39, 500).some((i) => address === evm(i))))
        throw new UnavailableError("500");
      return answer;
    };
    // Each retry takes 20 of 500 tokens, and an answer returns one.
    for (const i of numbers(39, 500)) {
      await clock.runUntil(ask(event(i)));
      await clock.runUntil(ask(event(i + 100)));
    }
    service.requests.length = 0;

    const outcomes = await clock.runUntil(Promise.all(numbers(8, 538).map((i) => ask(event(i)))));

    expect(outcomes.map(({ ok }) => ok)).toEqual([false, ...numbers(7).map(() => true)]);
    // The event's own three attempts are retries, which wait until no other request is in flight.
    expect(sent().map((targets) => targets.length)).toEqual([8, 4, 4, 2, 3, 1, 3, 1, 1, 1]);
  });

  test("the search for the failing event continues with the same halves after a 429", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    let requests = 0;
    service.alter = (request, answer) => {
      if (++requests === 3) throw new RateLimitedError("429", 1_000);
      if (isAbout(request, 7)) throw new UnavailableError("500");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(8).map((i) => ask(event(i)))));

    expect(outcomes.flatMap(({ ok }, i) => (ok ? [] : [i + 1]))).toEqual([7]);
    expect(sent().map((targets) => targets.length)).toEqual([8, 8, 4, 4, 2, 4, 1, 1, 1, 1]);
  });
});

test("entries that fail while other requests fail too are sent together once more before they are halved again", async () => {
  const { calibrate, clock, ask, service, sent } = poolSetup();
  await calibrate();
  const failing = [1, 2, 3, 4, 7];
  let requests = 0;
  service.alter = (_request, answer) => {
    if (failing.includes(++requests)) throw new UnavailableError("500");
    return answer;
  };
  const first = numbers(2, 50).map((i) => ask(event(i)));
  await clock.advance(0);
  const second = numbers(8).map((i) => ask(event(i)));

  const outcomes = await clock.runUntil(Promise.all([...first, ...second]));

  expect(outcomes.every(({ ok }) => ok)).toBe(true);
  expect(sent().map((targets) => targets.length)).toEqual([2, 8, 8, 2, 1, 1, 4, 4, 4]);
});

describe("a failed entry with an empty retry budget", () => {
  /** A request of other events is always in flight, and one event of each lane has failed once. */
  const setup = async () => {
    const { calibrate, clock, ask, service, gate, sent, pool } = poolSetup();
    await calibrate();
    while (gate.mayRetry(new UnavailableError("500")));
    const others = gate.run(() => ({ events: ["others"], answer: clock.sleep(60_000) }), someTurn());
    let failures = 2;
    service.alter = (_request, answer) => {
      if (failures-- > 0) throw new UnavailableError("500");
      return answer;
    };
    const answered: string[] = [];
    const tell = (what: string) => () => answered.push(what);
    void ask(event(1), "backfill").then(tell("backfill"));
    await clock.advance(1_000);
    const deposit = { target: evm(2), users: [evm(3)] };
    return { clock, gate, pool, sent, others, answered, tell, ask, deposit };
  };

  test("a failed realtime entry is retried after ten seconds, and a backfill entry when no other request is in flight", async () => {
    const { clock, gate, sent, ask, answered, tell, deposit, others } = await setup();
    void ask(deposit).then(tell("realtime"));
    await clock.advance(9_000);
    expect([answered, sent().length, gate.isQueued]).toEqual([[], 2, true]);

    await clock.advance(2_000);
    expect([answered, sent().length]).toEqual([["realtime"], 3]);
    await clock.advance(47_000);
    expect(answered).toEqual(["realtime"]);
    await clock.advance(2_000);

    await others;
    expect([answered, sent().length, gate.isQueued]).toEqual([["realtime", "backfill"], 4, false]);
  });

  test("a failed entry that no event needs is not retried, and delays no other entry", async () => {
    const { clock, pool, sent, answered, deposit } = await setup();
    const told = { answered: () => answered.push("realtime"), failed: () => answered.push("failed") };
    const asked = pool.askFor(told, questionAbout(deposit), { lane: "realtime", tenant: "" });
    await clock.advance(1_000);
    expect(sent().length).toBe(2);

    if (asked !== undefined) pool.withdraw(asked, told);
    await clock.advance(60_000);

    expect([answered, sent().length]).toEqual([["backfill"], 3]);
  });
});

test("an entry that failed for good is not retried", async () => {
  const { calibrate, clock, ask, service, sent } = poolSetup();
  await calibrate();
  service.alter = () => {
    throw new UnavailableError("503");
  };
  expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: false, trace: { requests: 5 } });

  await clock.advance(3_600_000);

  expect([sent().length, clock.sleeping]).toEqual([5, 0]);
});

test("an entry that loses no attempt is queued again at once, and an entry that loses one waits first", async () => {
  for (const [thrown, waiting] of [
    [new RateLimitedError("429", 1_000), 1],
    [new UnavailableError("503"), 0],
  ] as const) {
    const { calibrate, clock, pool, ask, service, slots } = poolSetup();
    await calibrate();
    service.alter = () => {
      slots.isShut = true;
      throw thrown;
    };
    void ask(event(1));
    await settled();
    await clock.advance(0);

    expect(pool.waiting).toBe(waiting);
  }
});

test("the end of the run reaches entries that wait for a retry", async () => {
  const { calibrate, clock, ask, service, ending } = poolSetup();
  await calibrate();
  service.alter = () => {
    throw new UnavailableError("503");
  };
  const asked = Promise.allSettled([ask(event(1))]);
  await clock.advance(0);
  const reason = new Error("stop");

  ending.abort(reason);

  expect(await clock.runUntil(asked)).toEqual([{ status: "rejected", reason }]);
});

describe("a refusal that looks like a refused key, at a service that has answered", () => {
  test("a refused batch is halved once a later request was answered", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup({ knock: async () => "an answer" });
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 1) && isAbout(request, 2)) throw new UnauthorizedError("403");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(2).map((i) => ask(event(i)))));

    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    const both = [evm(1), evm(2)];
    expect(sent().map((targets) => targets.toSorted())).toEqual([both, both, both, [evm(1)], [evm(2)]]);
  });

  test("a refused request with the same users is halved too, and a refused batch of one event is sent without canaries", async () => {
    const { calibrate, clock, ask, service, sent, pooled } = poolSetup({ knock: async () => "an answer" });
    await calibrate();
    // Too many users for the worker's own rule.
    const users = [evm(20), evm(21), ...numbers(7).map((i) => evm(3000 + i))];
    const targets = [evmAlike(20), evmAlike(21)];
    service.alter = (request, answer) => {
      if (!isPooled(request) && request.target_addresses.length > 1) throw new UnauthorizedError("403");
      return answer;
    };
    const outcomes = await clock.runUntil(Promise.all(targets.map((target) => ask({ target, users }))));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect(sent().map((each) => each.length)).toEqual([2, 2, 2, 2, 1, 1]);

    service.requests.length = 0;
    service.alter = (request, answer) => {
      if (isPooled(request)) throw new UnauthorizedError("403");
      return answer;
    };
    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true });
    expect([pooled().length, sent()]).toEqual([3, [[evm(1)], [evm(1)], [evm(1)], [evm(1)]]]);
  });

  test("an event alone fails at its eighth refusal after an answer to other events, and not before", async () => {
    const { clock, ask, service, sent } = poolSetup();
    service.alter = (request, answer) => {
      if (isAbout(request, 3)) throw new UnauthorizedError("403");
      return answer;
    };
    // One answer is enough for the first refusal to count.
    await clock.runUntil(ask(event(1)));
    const refused = ask(event(3));
    let isOver = false;
    void refused.then(() => {
      isOver = true;
    });
    await settled();
    for (let i = 100; i < 150 && !isOver; i++) await clock.runUntil(ask(event(i)));

    expect(await refused).toMatchObject({ ok: false, error: { code: "UNAUTHORIZED" } });
    const refusals = sent().map((targets) => targets.includes(evm(3)));
    expect(refusals.filter((isRefused, i) => isRefused && refusals[i - 1] === false)).toHaveLength(8);
  });
});
