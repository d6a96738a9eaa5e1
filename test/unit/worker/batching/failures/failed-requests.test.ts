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

describe("of a request that was refused", () => {
  test("those that are held back are told as well when the service is down", async () => {
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

  test("those that are held back are asked though the others meet a bug, which reaches these only", async () => {
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

  test("those that are held back are asked as soon as the others come to nothing, not after these", async () => {
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

describe("an event for which the service fails every time", () => {
  test("is found by halves among those who share its request twice, who are answered", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 7)) throw new UnavailableError("500");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(400).map((i) => ask(event(i)))));

    expect(outcomes.flatMap(({ ok }, i) => (ok ? [] : [i + 1]))).toEqual([7]);
    expect(outcomes[6]).toMatchObject({ error: { code: "UNAVAILABLE" } });
    // Twice all of them, once each half, and eight to find one of 200; then it has three attempts of its own.
    expect(sent().map((targets) => targets.length)).toEqual([
      400, 400, 200, 200, 100, 150, 175, 187, 194, 3, 4, 1, 5, 1, 1,
    ]);
  });

  test("costs those no answer either who share its users", async () => {
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

  test("costs nobody an answer when the process can afford no repetition", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (request.target_addresses.some(({ address }) => numbers(39, 500).some((i) => address === evm(i))))
        throw new UnavailableError("500");
      return answer;
    };
    // Each takes 20 of 500 tokens, and an answer brings one back.
    for (const i of numbers(39, 500)) {
      await clock.runUntil(ask(event(i)));
      await clock.runUntil(ask(event(i + 100)));
    }
    service.requests.length = 0;

    const outcomes = await clock.runUntil(Promise.all(numbers(8, 538).map((i) => ask(event(i)))));

    expect(outcomes.map(({ ok }) => ok)).toEqual([false, ...numbers(7).map(() => true)]);
    // Its own three attempts are repetitions: they wait until nothing else is on its way.
    expect(sent().map((targets) => targets.length)).toEqual([8, 4, 4, 2, 3, 1, 3, 1, 1, 1]);
  });

  test("is searched for by the halves that were begun after a 429", async () => {
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

test("what fails while others fail as well is asked once more before it is halved again", async () => {
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

describe("what failed, where the process can afford no repetition", () => {
  /** One request of others is on its way all the time, and one event of each lane has failed once. */
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

  test("waits, and has its answer: in realtime after ten seconds, of the backfill when nothing else is on its way", async () => {
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

  test("is not asked again when nobody waits for it any more, and holds up nobody", async () => {
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

test("what failed for good is not asked again", async () => {
  const { calibrate, clock, ask, service, sent } = poolSetup();
  await calibrate();
  service.alter = () => {
    throw new UnavailableError("503");
  };
  expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: false, trace: { requests: 5 } });

  await clock.advance(3_600_000);

  expect([sent().length, clock.sleeping]).toEqual([5, 0]);
});

test("what loses nothing by a failure waits again at once; what loses an attempt waits before", async () => {
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

test("the end of the run reaches what waits for another try", async () => {
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

describe("refused as a key is refused, by a service that has answered", () => {
  test("a request of several is halved, once a request was answered that left after its refusal", async () => {
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

  test("so is one of the same users without strangers, and a pooled one of a single event goes without them", async () => {
    const { calibrate, clock, ask, service, sent, pooled } = poolSetup({ knock: async () => "an answer" });
    await calibrate();
    // So many that our own rule is not asked.
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

  test("an event alone fails at its eighth refusal after an answer to others, and not before", async () => {
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
