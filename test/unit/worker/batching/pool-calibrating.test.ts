import { expect, test } from "vitest";
import { base58check } from "../../../../src/chains/base58.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { RateLimitedError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { settled } from "../../../fakes/virtual-clock.ts";
import { numbers } from "../../../support/numbers.ts";
import { addressOf, chainOf, event } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

const onEvm = (name: string) => addressOf(`0x${sha256(name).slice(0, 40)}`);
const onEvmToo = (i: number) => ({ target: onEvm(`target ${i}`), users: [onEvm(`user ${i}`)] });
const onTron = (name: string) =>
  addressOf(base58check.encode(Buffer.from(`41${sha256(name).slice(0, 40)}`, "hex")), "tron");
const onTronToo = (i: number) => ({
  chain: chainOf("tron"),
  target: onTron(`target ${i}`),
  users: [onTron(`user ${i}`)],
});

/** Grants a permit every 600 ms until all questions are answered. */
async function answered({ clock, slots }: ReturnType<typeof poolSetup>, asked: readonly Promise<unknown>[]) {
  let isOver = false;
  void Promise.all(asked).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.advance(600);
    slots.give();
    await settled();
  }
}

/** A service with a single form that times out after 10 s. It answers every other request after 100 ms. */
function slowAlone({ clock, service }: ReturnType<typeof poolSetup>) {
  const answer = service.ask.bind(service);
  service.ask = async (route, request, signal) => {
    if (route === "poisoningSingle") {
      await clock.sleep(10_000);
      throw new UnavailableError("no answer within 10 s");
    }
    await clock.sleep(100);
    return answer(route, request, signal);
  };
}

test("entries that already wait in a queue when a calibration begins join the entries that wait for it", async () => {
  const setup = poolSetup();
  const { clock, slots, service, ask } = setup;
  slots.isShut = true;
  const answer = service.ask.bind(service);
  let isLimited = true;
  service.ask = async (route, request, signal) => {
    if (!isLimited) return answer(route, request, signal);
    isLimited = false;
    throw new RateLimitedError("used up", 1_000);
  };
  const few = numbers(9).map((i) => ask(event(i), "backfill"));
  await clock.advance(600);
  slots.give();
  await clock.advance(10);
  const many = numbers(500, 10).map((i) => ask(event(i), "backfill"));

  await answered(setup, [...few, ...many]);

  expect(service.requests.map(({ route }) => route)).toEqual([
    "poisoningBatch",
    ...Array(8).fill("poisoningSingle"),
    "poisoningBatch",
    "poisoningBatch",
  ]);
});

test("entries of an uncalibrated format beside a calibrated one also wait for their calibration", async () => {
  const setup = poolSetup();
  const { slots, service, ask } = setup;
  await setup.calibrate();
  service.requests.length = 0;
  slots.isShut = true;
  const asked = numbers(2_000).flatMap((i) => [ask(onEvmToo(i), "backfill"), ask(onTronToo(i), "backfill")]);

  await answered(setup, asked);

  expect(service.requests.filter(({ route }) => route === "poisoningSingle")).toHaveLength(8);
  expect(service.requests.filter(({ route }) => route === "poisoningBatch")).toHaveLength(9);
});

test("entries too few for a calibration stay too few when their requests get a 429", async () => {
  const setup = poolSetup();
  const { slots, service, ask } = setup;
  slots.isShut = true;
  const answer = service.ask.bind(service);
  let refusals = 0;
  service.ask = async (route, request, signal) => {
    if (++refusals > 3) return answer(route, request, signal);
    throw new RateLimitedError("used up", 1_000);
  };

  await answered(
    setup,
    numbers(9).map((i) => ask(event(i), "backfill")),
  );

  expect(service.requests.map(({ route }) => route)).toEqual(Array(9).fill("poisoningBatch"));
});

test("a realtime event waits a second for a calibration and is then sent alone, and a backfill event goes on waiting", async () => {
  const setup = poolSetup();
  const { clock, ask } = setup;
  slowAlone(setup);
  const waits: number[] = [];
  const from = clock.ticks();
  const asked = numbers(12).map((i) => ask(event(i)).then(() => waits.push(clock.ticks() - from)));
  let isBackfillAnswered = false;
  const backfill = ask(event(20), "backfill").then(() => {
    isBackfillAnswered = true;
  });
  await clock.advance(5_000);

  expect([waits.length, Math.max(...waits), isBackfillAnswered]).toEqual([12, 1_100, false]);

  const late = ask(event(21));
  const joined = ask(event(20));
  await clock.advance(200);

  expect([await late, await joined]).toMatchObject([{ ok: true }, { ok: true }]);
  await Promise.all([...asked, backfill]);
});
