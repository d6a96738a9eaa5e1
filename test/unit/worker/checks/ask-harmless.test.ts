import { expect, test } from "vitest";
import {
  ItemFailedError,
  RejectedError,
  UNSENT,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import { askHarmless } from "../../../../src/worker/checks/ask-harmless.ts";
import type { SecurityService } from "../../../../src/worker/ports.ts";
import { HEALTH_PROBE } from "../../../../src/worker/rate-limit/gate/health-probe.ts";

const never = new AbortController().signal;

function serviceOf(failure?: Error) {
  const asked: unknown[] = [];
  const ask = async (...args: unknown[]) => {
    asked.push(args);
    if (failure !== undefined) throw failure;
  };
  return { asked, service: { ask } as unknown as SecurityService };
}

test("one question is sent, and any answer suffices", async () => {
  const { service, asked } = serviceOf();

  expect(await askHarmless(service, never)).toBeUndefined();

  expect(asked).toEqual([["poisoningSingle", HEALTH_PROBE, never]]);
});

test("an answer that the address is unknown suffices, and a refusal or an outage does not", async () => {
  expect(await askHarmless(serviceOf(new ItemFailedError("never seen")).service, never)).toBeUndefined();
  for (const failure of [
    new RejectedError("no"),
    new UnavailableError("away"),
    new ItemFailedError("not sent", UNSENT),
    new Error("bug"),
  ])
    await expect(askHarmless(serviceOf(failure).service, never)).rejects.toBe(failure);
});
