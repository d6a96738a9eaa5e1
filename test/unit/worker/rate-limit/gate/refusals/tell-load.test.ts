import { expect, test } from "vitest";
import {
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../../src/worker/answers/service-errors.ts";
import { HEALTH_PROBE } from "../../../../../../src/worker/rate-limit/gate/health-probe.ts";
import { tellLoad } from "../../../../../../src/worker/rate-limit/gate/refusals/tell-load.ts";
import { FakeService } from "../../../../../fakes/fake-service.ts";
import { singleAnswer } from "../../../../../fakes/single-answer.ts";
import { VirtualClock } from "../../../../../fakes/virtual-clock.ts";

const refusal = new UnavailableError("503", { status: 503 });

/** How a 503 is judged after this. */
async function after(first: Error | undefined): Promise<unknown> {
  const fake = new FakeService().on("poisoningSingle", ({ address }, nth) => {
    if (nth > 1) throw refusal;
    if (first !== undefined) throw first;
    return singleAnswer(address);
  });
  const service = tellLoad(fake, new VirtualClock());
  const ask = () => service.ask("poisoningSingle", HEALTH_PROBE, new AbortController().signal);
  const answer = await ask().catch((thrown: unknown) => thrown);
  expect(answer).toEqual(first ?? singleAnswer(HEALTH_PROBE.address));
  return ask().catch((thrown: unknown) => thrown);
}

test.each([
  ["an answer", undefined],
  ["a refusal of what was asked", new RejectedError("422")],
])("a 503 after %s is for load", async (_name, first) => {
  expect(await after(first)).toMatchObject({ code: "RATE_LIMITED", message: "503", status: 503 });
});

test.each([
  new RateLimitedError("429"),
  new UnauthorizedError("401"),
  new UnavailableError("500", { status: 500 }),
  new Error("a bug"),
])("a 503 after %s is not for load", async (first) => {
  expect(await after(first)).toBe(refusal);
});
