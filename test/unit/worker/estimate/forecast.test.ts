import { expect, test } from "vitest";
import policyFile from "../../../../data/policy.json" with { type: "json" };
import { fail, ok } from "../../../../src/kernel/result.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import { readPolicy } from "../../../../src/policy/policy.ts";
import { type ServiceReach, wholeInterface } from "../../../../src/worker/answers/service-reach.ts";
import { Forecast } from "../../../../src/worker/estimate/forecast.ts";
import { serializedLocks } from "../../../../src/worker/simulation/serialized-locks.ts";
import { eventOf } from "../../../fakes/events.ts";
import { addressOf, evm, evmAlike } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const address = (i: number, own: object = {}) =>
  eventOf({ type: "address", chain_id: "1", address: evm(i), user_addresses: [evm(4000)], ...own });

function forecastOf(
  events: readonly ReturnType<typeof address>[],
  { window = 1_000, cacheBytes = 1e6, cacheAgeMs = 1_000, reach = wholeInterface } = {},
) {
  const forecast = new Forecast(readPolicy(policyFile), emptyBook, {
    decoder: serializedLocks,
    window,
    groupMax: 8,
    reach,
    cacheBytes,
    cacheAgeMs,
    random: seededRandom(1),
  });
  for (const event of events) forecast.add(ok(event));
  return forecast;
}

/** An address that imitates `evm(user)`, for the `i`th time. */
const alike = (user: number, i: number) =>
  addressOf(`${evmAlike(user).slice(0, 20)}${i.toString(16).padStart(4, "0")}${evmAlike(user).slice(24)}`);
const someAlike = (i: number) => address(0, { address: alike(i, i), user_addresses: [evm(i)] });
const some = (count: number, from = 1) => Array.from({ length: count }, (_, i) => address(from + i));
const nothing = { questions: 0, distinct: 0, isExact: true, requests: 0 };
const of = (questions: number, distinct: number, requests: number) => ({
  questions,
  distinct,
  isExact: true,
  requests,
});

test("records that are no events cost nothing, and an empty run counts nothing", () => {
  const forecast = forecastOf([]);
  forecast.add(fail("no JSON"));

  expect(forecast.result()).toMatchObject({ events: 1, unreadable: 1, asking: 0, required: { poisoning: nothing } });
  expect(forecast.result().firstUnreadable).toBe("no JSON");
});

test("the first unreadable record is reported, with its place if known", () => {
  const forecast = forecastOf([address(1)]);
  expect(forecast.result().firstUnreadable).toBeUndefined();

  forecast.add(fail("no JSON"), "line 2");
  forecast.add(fail("no object"), "line 3");

  expect(forecast.result()).toMatchObject({ unreadable: 2, firstUnreadable: "line 2: no JSON" });
});

test("events that are settled without a request are counted by their failure", () => {
  const onNoChain = address(1, { chain_id: "nowhere" });
  const atNoAddress = address(1, { address: "0x12" });
  const forecast = forecastOf([address(1), onNoChain, onNoChain, atNoAddress]);
  forecast.add(fail("no JSON"));

  expect(forecast.result()).toMatchObject({ events: 5, unreadable: 1, asking: 1, settled: 3 });
  expect([...forecast.result().failures]).toEqual([
    ["CHAIN_UNSUPPORTED", 2],
    ["ADDRESS_INVALID", 1],
  ]);
});

test("a few events of a format are sent alone, and more events pay for a calibration and share requests", () => {
  const requests = (count: number) => forecastOf(some(count)).result().required.poisoning.requests;

  expect([requests(1), requests(9), requests(10)]).toEqual([1, 9, 8 + 1]);
  // One user, the targets, and six items of canaries are a thousand items.
  expect([requests(993), requests(994)]).toEqual([8 + 1, 8 + 2]);
});

test("requests stay within the service's limits of items and of transactions", () => {
  const requests = (maxItems: number, count: number) => {
    const { required, unpooled } = forecastOf(some(count), { reach: { ...wholeInterface, maxItems } }).result();
    return [required.poisoning.requests, unpooled];
  };
  // One user, thirteen targets, and six items of canaries are twenty items.
  expect([requests(20, 13), requests(20, 14)]).toEqual([
    [8 + 1, 6 + 13],
    [8 + 2, 6 + 14],
  ]);
  // Nothing is batched, and nothing is calibrated for it.
  expect(requests(9, 13)).toEqual([13, 13]);
  const alone = forecastOf(some(13), { reach: { ...wholeInterface, hasBatches: false } }).result();
  expect([alone.required.poisoning.requests, alone.unpooled]).toEqual([13, 13]);
});

test("events that need a missing operation are counted by operation, and cost nothing", () => {
  const reach: ServiceReach = { ...wholeInterface, lacks: new Set(["token-security", "address-classify"]) };
  const ofToken = address(1, { token_address: token });
  const result = forecastOf([address(1), ofToken, ofToken, address(3, { checks: ["classification"] })], {
    reach,
  }).result();

  expect([...result.lacking]).toEqual([
    ["token-security", 2],
    ["address-classify", 1],
  ]);
  expect(result).toMatchObject({ asking: 4, settled: 0 });
  expect([result.required["token-security"], result.optional.classification]).toEqual([nothing, nothing]);
});

test("a request leaves when as many events wait as may be in work", () => {
  const { required } = forecastOf(some(101), { window: 50 }).result();

  expect(required.poisoning).toEqual(of(101, 101, 8 + 3));
});

test("if every event is flagged, each batched event is confirmed alone, or together with events of the same users", () => {
  const worst = (events: readonly ReturnType<typeof address>[], own = {}) => {
    const { required, confirmations } = forecastOf(events, own).result();
    return [required.poisoning.requests, confirmations];
  };
  const ofOwnUsers = (count: number) => Array.from({ length: count }, (_, i) => someAlike(i));

  expect([worst([]), worst(some(9)), worst(some(10))]).toEqual([
    [0, 0],
    [9, 0],
    [8 + 1, 1],
  ]);
  expect(worst(some(993))).toEqual([8 + 1, 1]);
  expect(worst(some(994))).toEqual([8 + 2, 2]);
  expect(worst(ofOwnUsers(200))).toEqual([8 + 1, 200]);
  expect(worst([...ofOwnUsers(200), ...ofOwnUsers(200)])).toEqual([8 + 1, 200]);
});

test.each([
  ["with a user each", 300, 300],
  ["of 20 users", 300, 20],
  ["of one user", 300, 1],
])("if every event is flagged a run takes no more requests than estimated: events %s", async (_, count, users) => {
  const { clock, service, ask } = poolSetup();
  // Lookalikes that the worker's own rule does not see, so each flag takes a confirmation.
  const answered = service.ask.bind(service);
  service.ask = async (...asked) => {
    const text = JSON.stringify(await answered(...asked));
    const isBatch = asked[0] === "poisoningBatch";
    return JSON.parse(isBatch ? text.replaceAll(/"(is_poisoning|mimics_user)":"."/g, '"$1":"1"') : text);
  };
  const fields = Array.from({ length: count }, (_, i) => ({ target: evm(1_000 + i), users: [evm(i % users)] }));
  const forecast = forecastOf(
    fields.map(({ target, users: own }) => address(0, { address: target, user_addresses: own })),
  ).result();
  const outcomes = await clock.runUntil(Promise.all(fields.map((each) => ask(each, "backfill"))));

  expect(outcomes.every((outcome) => outcome.ok && outcome.value.target.is_poisoning === "1")).toBe(true);
  expect(service.requests.length).toBeLessThanOrEqual(forecast.required.poisoning.requests + forecast.confirmations);
  expect(service.requests.length).toBeGreaterThanOrEqual(
    0.9 * (forecast.required.poisoning.requests + forecast.confirmations),
  );
});

test.each([
  ["nobody", "0", 3],
  ["everybody", "1", 6],
])("at a service that flags %s each event takes a request of its own, and no more", async (_, flag, calibration) => {
  const { clock, service, ask } = poolSetup();
  const answered = service.ask.bind(service);
  service.ask = async (...asked) =>
    JSON.parse(
      JSON.stringify(await answered(...asked)).replaceAll(/"(is_poisoning|mimics_user)":"."/g, `"$1":"${flag}"`),
    );
  const events = [...some(40), ...some(5)];
  const { unpooled } = forecastOf(events).result();
  const fields = Array.from({ length: 40 }, (_, i) => ({ target: evm(i + 1), users: [evm(4000)] }));
  await clock.runUntil(Promise.all(fields.map((each) => ask(each, "backfill"))));

  expect([service.requests.length, unpooled]).toEqual([40 + calibration, 40 + 6]);
  expect(forecastOf(some(9)).result().unpooled).toBe(9);
});

test("a repeated question is sent again only after its cached answer is gone", () => {
  const twice = [...some(1), ...some(1)];

  expect(forecastOf(twice).result().required.poisoning).toEqual(of(2, 1, 1));
  expect(forecastOf(twice, { cacheBytes: 0 }).result().required.poisoning).toEqual(of(2, 1, 2));
  expect(forecastOf(twice, { cacheAgeMs: 0 }).result().required.poisoning).toEqual(of(2, 1, 2));
});

test("each token is sent once for all its events", () => {
  const events = [1, 2, 3].map((i) => address(i, { token_address: token }));

  const { asking, required } = forecastOf(events).result();

  expect([asking, required["token-security"], required.poisoning]).toEqual([3, of(3, 1, 1), of(3, 3, 3)]);
});

test("optional checks are counted for events without them, and not for events that already need them", () => {
  const events = [address(1), address(1), address(2, { checks: ["classification"] })];

  const { required, optional } = forecastOf(events).result();

  expect([required.classification, optional.classification]).toEqual([of(1, 1, 1), of(2, 1, 1)]);
  expect([optional.poisoning, optional["token-security"], optional["tron-security"]]).toEqual([
    nothing,
    nothing,
    nothing,
  ]);
});

test("unclear EVM transactions count as required requests, and all others as optional ones", () => {
  const [from, to] = [evm(1), evm(2)];
  const approve = `0x095ea7b3${to.slice(2).padStart(64, "0")}${"1".padStart(64, "0")}`;
  const transactions = [{ value: "1" }, { data: approve }, { data: approve }];

  const { required, optional } = forecastOf(
    transactions.map((own) =>
      eventOf({ type: "transaction", chain_id: "1", transaction: { from, to: token, ...own } }),
    ),
  ).result();

  expect([required["evm-security"], optional["evm-security"]]).toEqual([of(2, 2, 2), of(1, 1, 1)]);
});

test("simulations share requests where they may, and possible receivers are counted", () => {
  const key = (i: number) => `${"1".repeat(31)}${"23456789A"[i]}`;
  const system = "11111111111111111111111111111111";
  const transfer = (payer: number, receiver: number) =>
    eventOf({
      type: "transaction",
      chain_id: "solana",
      transaction: {
        feePayer: key(payer),
        instructions: [
          {
            programId: system,
            keys: [
              { pubkey: key(payer), isSigner: true, isWritable: true },
              { pubkey: key(receiver), isSigner: false, isWritable: true },
            ],
            data: "AgAAAAEAAAAAAAAA",
          },
        ],
      },
    });

  const events = [transfer(0, 1), transfer(2, 3), transfer(4, 1)];
  const { required, receivers } = forecastOf(events).result();
  const alone = forecastOf(events, { reach: { ...wholeInterface, maxTransactions: 1 } }).result();

  expect([required["solana-simulation"], receivers]).toEqual([of(3, 3, 2), 3]);
  expect(alone.required["solana-simulation"]).toEqual(of(3, 3, 3));
});
