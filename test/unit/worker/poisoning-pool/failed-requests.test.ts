import { describe, expect, test } from "vitest";
import {
  RateLimitedError,
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../src/worker/service-errors.ts";
import { settled } from "../../../fakes/virtual-clock.ts";
import { numbers } from "../../../support/numbers.ts";
import { event, evm, evmAlike } from "../../../support/poisoning-parts.ts";
import { isPooled, poolSetup } from "../../../support/pool-setup.ts";

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
  test("a request of several is halved like any other that is refused", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 1) && isAbout(request, 2)) throw new UnauthorizedError("403");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(2).map((i) => ask(event(i)))));

    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect(sent().map((targets) => targets.toSorted())).toEqual([[evm(1), evm(2)], [evm(1)], [evm(2)]]);
  });

  test("so is one of the same users without strangers, and a pooled one of a single event goes without them", async () => {
    const { calibrate, clock, ask, service, sent, pooled } = poolSetup();
    await calibrate();
    const users = [evm(20), evm(21)];
    const targets = [evmAlike(20), evmAlike(21)];
    service.alter = (request, answer) => {
      if (!isPooled(request) && request.target_addresses.length > 1) throw new UnauthorizedError("403");
      return answer;
    };
    const outcomes = await clock.runUntil(Promise.all(targets.map((target) => ask({ target, users }))));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect(sent().map((each) => each.length)).toEqual([2, 2, 1, 1]);

    service.requests.length = 0;
    service.alter = (request, answer) => {
      if (isPooled(request)) throw new UnauthorizedError("403");
      return answer;
    };
    expect(await clock.runUntil(ask(event(1)))).toMatchObject({ ok: true });
    expect([pooled().length, sent()]).toEqual([1, [[evm(1)], [evm(1)]]]);
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
