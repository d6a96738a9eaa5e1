import { expect, test } from "vitest";
import type { AppError } from "../../../src/kernel/errors.ts";
import { RateLimitedError, UnavailableError } from "../../../src/worker/answers/service-errors.ts";
import { askWithRetries } from "../../../src/worker/rate-limit/gate/ask-with-retries.ts";
import { openGateDeps } from "../../fakes/open-gate.ts";
import { someTurn } from "../../fakes/turns.ts";
import { VirtualClock } from "../../fakes/virtual-clock.ts";
import { ChargingGate } from "../../quota/charging-gate.ts";

/** Whom it charges, when two events fail with these errors, one each time, and are answered then. */
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

test("whom a failure costs an attempt is counted once, by what it was", async () => {
  expect(await chargedFor([limited, limited, down, limited, down])).toEqual([0, 2]);
  expect(await chargedFor([])).toEqual([0, 0]);
});

test("and so is who failed for good", async () => {
  expect(await chargedFor(Array.from({ length: 9 }, () => down))).toEqual([0, 2]);
});

test("a 429 that cost an attempt would be seen", async () => {
  expect(await chargedFor([limited], () => false)).toEqual([2, 0]);
});
