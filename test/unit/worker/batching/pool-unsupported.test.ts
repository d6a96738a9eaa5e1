import { describe, expect, test } from "vitest";
import { ChainUnsupportedError } from "../../../../src/worker/answers/service-errors.ts";
import { numbers } from "../../../support/numbers.ts";
import { chainOf, event, evm, type PartFields } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

const bsc = chainOf("56");
const onBsc = (i: number): PartFields => ({ ...event(i), chain: bsc });
const REFUSED = "the service answered 400: unsupported chainId: 56";

/** A calibrated batcher at a service that refuses each request with a certain chain, in the words of the interface. */
async function setup(detail = REFUSED) {
  const made = poolSetup();
  const { service, sent } = made;
  await made.calibrate();
  const chain = { isRefused: true };
  const ask = service.ask.bind(service);
  service.ask = async (route, request, signal) => {
    const answer = await ask(route, request, signal);
    if (chain.isRefused && JSON.stringify(request).includes('"56"')) throw new ChainUnsupportedError(detail);
    return answer;
  };
  return { ...made, chain, sizes: () => sent().map((targets) => targets.length) };
}

describe("a chain that the service refuses with the whole request", () => {
  test("waiting entries of the chain are sent one by one until two are refused, and other entries take one more request", async () => {
    const { clock, ask, sizes } = await setup();

    const refused = numbers(200).map((i) => ask(onBsc(i)));
    const others = numbers(200, 201).map((i) => ask(event(i)));
    const outcomes = await clock.runUntil(Promise.all([...refused, ...others]));

    // Five were in flight by then.
    expect(sizes()).toEqual([400, 200, 1, 1, 1, 1, 1]);
    const error = { code: "CHAIN_UNSUPPORTED", message: REFUSED };
    for (const outcome of outcomes.slice(0, 200)) expect(outcome).toMatchObject({ ok: false, error });
    for (const outcome of outcomes.slice(200)) expect(outcome).toMatchObject({ ok: true });
  });

  test("the refusal is reused for a minute, with its original time", async () => {
    const { clock, ask, sizes } = await setup();
    await clock.runUntil(Promise.all(numbers(2).map((i) => ask(onBsc(i)))));
    const askedAt = clock.now();
    await clock.advance(59_999);

    const outcomes = await clock.runUntil(Promise.all(numbers(50, 10).map((i) => ask(onBsc(i)))));

    expect(sizes()).toEqual([2, 1, 1]);
    for (const outcome of outcomes)
      expect(outcome).toEqual({
        ok: false,
        error: expect.objectContaining({ code: "CHAIN_UNSUPPORTED", message: REFUSED }),
        trace: { requests: 0, askedAt, answeredAt: askedAt, cached: true },
      });
  });

  test("one event per minute tests the refusal, alone", async () => {
    const { clock, ask, sizes } = await setup();
    for (const i of numbers(600)) {
      void ask(onBsc(i));
      await clock.advance(1_000);
    }

    // The first two in a batch first, and then each alone.
    expect(sizes()).toEqual(Array<number>(4 + 9).fill(1));
  });

  test("after the first answer the chain is used like any other", async () => {
    const { clock, ask, sizes, chain, service } = await setup();
    await clock.runUntil(Promise.all(numbers(2).map((i) => ask(onBsc(i)))));
    chain.isRefused = false;
    await clock.advance(60_000);
    service.requests.length = 0;

    const first = await clock.runUntil(Promise.all(numbers(3, 10).map((i) => ask(onBsc(i)))));
    const then = await clock.runUntil(Promise.all(numbers(50, 20).map((i) => ask(onBsc(i)))));

    expect(first.map(({ ok }) => ok)).toEqual([true, false, false]);
    expect(then.every(({ ok }) => ok)).toBe(true);
    expect(sizes()).toEqual([1, 50]);
  });

  test("the refusal does not apply to another chain or to the other form", async () => {
    const { clock, ask, sizes, service } = await setup();
    await clock.runUntil(Promise.all(numbers(2).map((i) => ask(onBsc(i)))));
    service.requests.length = 0;

    expect(await clock.runUntil(ask(event(10)))).toMatchObject({ ok: true });
    expect(await clock.runUntil(ask({ target: evm(11), chain: bsc, users: [] }))).toMatchObject({ ok: false });
    // Sent alone at once, because it would cause a batch to be refused.
    expect(sizes()).toEqual([1, 1]);
  });
});

test.each(["the service answered 400: unsupported chainId: 1", "the service answered 400: unsupported chain"])(
  "a refusal that does not name the event's chain applies to no other event: %s",
  async (detail) => {
    const { clock, ask, sizes } = await setup(detail);

    for (const i of numbers(5)) await clock.runUntil(ask(onBsc(i)));

    expect(sizes().length).toBeGreaterThanOrEqual(5);
  },
);

test("repeated refusals of one target say nothing about other events on its chain", async () => {
  const { clock, ask, service, sent } = poolSetup();
  service.alter = (request, answer) => {
    if (request.target_addresses.some(({ address }) => address === evm(1))) throw new ChainUnsupportedError(REFUSED);
    return answer;
  };
  const odd = (user: number) => ({ chain: bsc, target: evm(1), users: [evm(user)] });
  for (const user of [100, 101, 102]) await clock.runUntil(ask(odd(user)));

  expect(await clock.runUntil(ask(onBsc(2)))).toMatchObject({ ok: true });
  expect(sent()).toHaveLength(4);
});
