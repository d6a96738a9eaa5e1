/** A service that takes fewer items per request than the interface. */
import { expect, test } from "vitest";
import type { PoisoningBatchRequest } from "../../../../src/api/schemas/address-poisoning.ts";
import { event, evm, evmAlike } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

type Setup = ReturnType<typeof poolSetup>;

function sizesIn({ service }: Setup): readonly number[] {
  return service.requests.flatMap(({ route, request }) => {
    if (route !== "poisoningBatch") return [];
    const { user_addresses, target_addresses, token_addresses } = request as PoisoningBatchRequest;
    return [user_addresses.length + target_addresses.length + token_addresses.length];
  });
}

test("many events share full requests within the service's limit of items", async () => {
  const setup = poolSetup({ maxItems: 20 });
  await setup.calibrate();
  // Six items of canaries, and a user and a target for each of seven events.
  const outcomes = await setup.clock.runUntil(Promise.all(Array.from({ length: 70 }, (_, i) => setup.ask(event(i)))));

  expect(outcomes.every(({ ok }) => ok)).toBe(true);
  expect(sizesIn(setup)).toEqual(Array.from({ length: 10 }, () => 20));
});

test("flagged events are confirmed within the service's limit of items", async () => {
  const setup = poolSetup({ maxItems: 20 });
  await setup.calibrate();
  const flagged = Array.from({ length: 30 }, (_, i) => ({
    target: evmAlike(1000 + i),
    users: [evm(1000 + i), evm(2000)],
  }));
  const outcomes = await setup.clock.runUntil(Promise.all(flagged.map((each) => setup.ask(each, "backfill"))));

  expect(outcomes.every((outcome) => outcome.ok && outcome.value.target.is_poisoning === "1")).toBe(true);
  expect(Math.max(...sizesIn(setup))).toBeLessThanOrEqual(20);
});

test.each([9, 3])(
  "with %s items per request no format is calibrated, and each event is sent in its own request",
  async (maxItems) => {
    const setup = poolSetup({ maxItems });
    const outcomes = await setup.clock.runUntil(Promise.all(Array.from({ length: 30 }, (_, i) => setup.ask(event(i)))));

    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(sizesIn(setup)).toEqual(Array.from({ length: 30 }, () => 2));
    expect([setup.pooled(), setup.pool.isOff]).toEqual([[], false]);
  },
);

test("users that exceed a request are spread over several requests, and a lookalike of any user is flagged", async () => {
  const setup = poolSetup({ maxItems: 5 });
  const users = Array.from({ length: 7 }, (_, i) => evm(1000 + i));
  const outcome = await setup.clock.runUntil(setup.ask({ target: evmAlike(1006), token: evm(1), users }));

  expect(outcome.ok && outcome.value.target.mimics_user).toBe("1");
  expect(sizesIn(setup).toSorted()).toEqual([3, 5, 5]);
});
