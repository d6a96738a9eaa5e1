import { describe, expect, test } from "vitest";
import { RejectedError, UnauthorizedError } from "../../../../../src/worker/answers/service-errors.ts";
import { numbers } from "../../../../support/numbers.ts";
import { event, evm } from "../../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../../support/pool-setup.ts";

type Targets = { readonly target_addresses: readonly { readonly address: string }[] };
const isAbout = ({ target_addresses }: Targets, i: number) =>
  target_addresses.some(({ address }) => address === evm(i));

/** A calibrated batcher, and a service that accepts one key, which may differ from the key of the process. */
async function withKeys() {
  const keys = { good: 0, inFile: 0, inUse: 0, refused: 0 };
  const refuse = () => {
    if (keys.inUse === keys.good) return;
    keys.refused++;
    throw new UnauthorizedError("401");
  };
  const reloadKey = async () => {
    const isAnother = keys.inUse !== keys.inFile;
    keys.inUse = keys.inFile;
    return isAnother;
  };
  const setup = poolSetup({ reloadKey, knock: async () => refuse() });
  setup.service.alter = (_request, answer) => {
    refuse();
    return answer;
  };
  await setup.calibrate();
  return { ...setup, keys, refuse };
}

describe("a batch that failed because of a refused key", () => {
  test("is asked again whole, once, when the file holds another key by then", async () => {
    const { clock, ask, sent, keys } = await withKeys();
    keys.good = 1;
    keys.inFile = 1;

    const outcomes = await clock.runUntil(Promise.all(numbers(490).map((i) => ask(event(i)))));

    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(sent().map((targets) => targets.length)).toEqual([490, 490]);
  });

  test("is asked again before later questions", async () => {
    const { clock, ask, sent, keys } = await withKeys();
    keys.good = 1;
    keys.inFile = 1;
    const first = numbers(490).map((i) => ask(event(i), "backfill"));
    await clock.advance(499);
    const later = numbers(300, 1000).map((i) => ask(event(i), "backfill"));

    await clock.runUntil(Promise.all([...first, ...later]));

    const [refused, again, others] = sent().map((targets) => targets.toSorted());
    expect(again).toEqual(refused);
    expect(others?.length).toBe(790 - (refused?.length ?? 0));
    expect(sent()).toHaveLength(3);
  });

  test("is asked again whole by each probe, until the key is replaced", async () => {
    const { clock, ask, sent, keys } = await withKeys();
    keys.good = 1;
    const asked = Promise.all(numbers(490).map((i) => ask(event(i))));
    await clock.advance(60_000);
    keys.inFile = 1;

    const outcomes = await clock.runUntil(asked);

    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(new Set(sent().map((targets) => targets.length))).toEqual(new Set([490]));
    expect(sent().length).toBeLessThan(10);
  });

  test("is asked again whole when the same key is valid again", async () => {
    const { clock, ask, sent, keys } = await withKeys();
    keys.good = 1;
    const asked = Promise.all(numbers(490).map((i) => ask(event(i))));
    await clock.advance(60_000);
    keys.good = 0;

    const outcomes = await clock.runUntil(asked);

    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(new Set(sent().map((targets) => targets.length))).toEqual(new Set([490]));
  });

  test("is asked again whole even if earlier requests to others are answered late", async () => {
    const { clock, ask, service, sent, keys, refuse } = await withKeys();
    service.alter = async (request, answer) => {
      if (isAbout(request, 1000)) await clock.sleep(5_000);
      else refuse();
      return answer;
    };
    const early = ask(event(1000));
    await clock.advance(0);
    keys.good = 1;
    const asked = Promise.all(numbers(490).map((i) => ask(event(i))));
    await clock.advance(60_000);
    keys.inFile = 1;

    const outcomes = await clock.runUntil(asked);

    expect(await early).toMatchObject({ ok: true });
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(
      new Set(
        sent()
          .slice(1)
          .map((targets) => targets.length),
      ),
    ).toEqual(new Set([490]));
  });

  test("costs a search for a bad item no answer, and its events no search of their own", async () => {
    const { clock, ask, service, sent, keys, refuse } = await withKeys();
    let requests = 0;
    service.alter = (request, answer) => {
      if (++requests === 3) {
        keys.good = 1;
        keys.inFile = 1;
      }
      refuse();
      if (isAbout(request, 7)) throw new RejectedError("400");
      return answer;
    };

    const outcomes = await clock.runUntil(Promise.all(numbers(8).map((i) => ask(event(i)))));

    expect(outcomes.flatMap(({ ok }, i) => (ok ? [] : [i + 1]))).toEqual([7]);
    expect(keys.refused).toBe(1);
    expect(sent().map((targets) => targets.length)).toEqual([8, 4, 2, 2, 1, 1]);
  });
});

describe("a batch that is refused for its content while the key is valid", () => {
  test("is bisected once a request that was sent after the refusal is answered", async () => {
    const { clock, ask, service, sent, refuse } = await withKeys();
    service.alter = (request, answer) => {
      refuse();
      if (isAbout(request, 7)) throw new UnauthorizedError("403");
      return answer;
    };

    const asked = Promise.all(numbers(96).map((i) => ask(event(i))));
    const outcomes = await clock.runUntil(asked);

    expect(outcomes.flatMap(({ ok }, i) => (ok ? [] : [i + 1]))).toEqual([7]);
    expect(outcomes[6]).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    // The whole batch until a health probe was answered, then the bisection. At the end only the refused entry, until
    // its own fault is known.
    expect(sent().map((targets) => targets.length)).toEqual([
      ...[96, 96, 96, 48, 72, 84, 90, 3, 4, 1, 5],
      ...Array<number>(15).fill(1),
    ]);
  });

  test("is bisected where no other request and no health probe is answered", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup({
      knock: () => Promise.reject(new UnauthorizedError("403")),
    });
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 7)) throw new UnauthorizedError("403");
      return answer;
    };
    let answered = 0;
    for (const i of numbers(8)) void ask(event(i)).then(() => answered++);

    await clock.advance(600_000);

    expect(answered).toBe(7);
    const whole = Array<number>(8).fill(8);
    expect(
      sent()
        .slice(0, 14)
        .map((targets) => targets.length),
    ).toEqual([...whole, 4, 4, 2, 3, 1, 3]);
  });

  test("lets questions that came meanwhile go first", async () => {
    const { calibrate, clock, ask, service, sent } = poolSetup();
    await calibrate();
    service.alter = (request, answer) => {
      if (isAbout(request, 7)) throw new UnauthorizedError("403");
      return answer;
    };
    void ask(event(7));
    await clock.advance(0);

    const outcomes = await clock.runUntil(Promise.all(numbers(5, 100).map((i) => ask(event(i)))));

    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(sent().map((targets) => targets.length)).toEqual([1, 1, 5, 1]);
  });
});
