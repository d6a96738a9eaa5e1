import { expect, test } from "vitest";
import type { AppError } from "../../../src/kernel/errors.ts";
import { RateLimitedError, UnavailableError } from "../../../src/worker/answers/service-errors.ts";
import { askWithRetries } from "../../../src/worker/rate-limit/gate/ask-with-retries.ts";
import { openGateDeps } from "../../fakes/open-gate.ts";
import { someTurn } from "../../fakes/turns.ts";
import { VirtualClock } from "../../fakes/virtual-clock.ts";
import { ChargingGate } from "../../quota/charging-gate.ts";

/** The charged errors, when two events each fail with these errors in turn and are then answered. */
async function chargedFor(errors: readonly AppError[], isFree?: (error: AppError) => boolean) {
  const clock = new VirtualClock();
  const gate = new ChargingGate(openGateDeps(clock));
  if (isFree !== undefined) gate.isFree = isFree;
  const deps = { gate, clock, random: () => 0.5, signal: new AbortController().signal };
  const ask = async () => {
    const event = { event: "e", turn: someTurn() };
    let calls = 0;
    const outcome = await askWithRetries(
      event,
      async () => {
        const error = errors[calls++];
        if (error !== undefined) throw error;
      },
      deps,
    );
    gate.ended(event.turn, outcome);
  };
  await clock.runUntil(Promise.all([ask(), ask()]));
  return [gate.charged("RATE_LIMITED"), gate.charged("UNAVAILABLE")];
}

const limited = new RateLimitedError("the service answered 429");
const down = new UnavailableError("the service answered 500");

test("an event that loses an attempt to a failure is counted once, by the kind of failure", async () => {
  expect(await chargedFor([limited, limited, down, limited, down])).toEqual([0, 2]);
  expect(await chargedFor([])).toEqual([0, 0]);
});

test("an event that fails for good is counted once", async () => {
  expect(await chargedFor(Array.from({ length: 9 }, () => down))).toEqual([0, 2]);
});

test("a 429 that costs an attempt would be counted", async () => {
  expect(await chargedFor([limited], () => false)).toEqual([2, 0]);
});
