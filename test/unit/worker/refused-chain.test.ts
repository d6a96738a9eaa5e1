import { expect, test } from "vitest";
import { canonicalAddress } from "../../../src/chains/address.ts";
import { findChain } from "../../../src/chains/registry.ts";
import type { ResponseOf } from "../../../src/contract/routes.ts";
import { ask } from "../../../src/worker/ask.ts";
import { Deadlines } from "../../../src/worker/deadlines.ts";
import { RejectedError } from "../../../src/worker/service-errors.ts";
import { clean } from "../../fakes/evidence.ts";
import { FakeLog } from "../../fakes/fake-log.ts";
import { FakeService } from "../../fakes/fake-service.ts";
import { VirtualClock } from "../../fakes/virtual-clock.ts";
import { workerFor } from "../../fakes/worker.ts";

const EVENTS = 200;
const SLOT_MS = 100;
const MINUTE_MS = 60_000;

const addressOf = (i: number) => `0xc${i.toString(16).padStart(39, "0")}`;

/** One slot after another. */
function slotsOf(clock: VirtualClock) {
  let next = 0;
  const run = async <T>(job: () => Promise<T>) => {
    next = Math.max(next + SLOT_MS, clock.ticks());
    await clock.sleep(next - clock.ticks());
    return job();
  };
  return { run, pace: () => undefined };
}

/** Asks about so many tokens of one chain, twice. @returns how each was answered. */
async function askedAbout(service: FakeService, log: FakeLog) {
  const clock = new VirtualClock();
  const worker = { ...workerFor(service, { clock, log, slots: slotsOf(clock) }), deadlines: new Deadlines(clock) };
  const chain = findChain("137") ?? expect.fail("no chain 137");
  const askAll = (from: number) =>
    Array.from({ length: EVENTS }, (_, i) => {
      const token = canonicalAddress("evm", addressOf(from + i)) ?? expect.fail("no address");
      const asker = { lane: "backfill", tenant: "", isCrowded: () => false } as const;
      return ask({ check: "token-security", chain, token }, asker, worker);
    });
  const first = askAll(0);
  await clock.advance(2 * SLOT_MS * EVENTS);
  const second = askAll(EVENTS);
  await clock.advance(MINUTE_MS);
  return Promise.all([...first, ...second]);
}

test("a chain that is refused for every token costs a handful of requests a minute, and is told once", async () => {
  const log = new FakeLog();
  const service = new FakeService().on("tokenSecurity", () => {
    throw new RejectedError("400: invalid request");
  });

  const answers = await askedAbout(service, log);

  expect(answers.map((each) => "error" in each && each.error?.code)).toEqual(
    Array.from({ length: 2 * EVENTS }, () => "SERVICE_REJECTED"),
  );
  expect(service.sentTo("tokenSecurity").length).toBeLessThanOrEqual(6);
  expect(log.messages("warn")).toHaveLength(1);
});

test("where one token is answered, each is asked about", async () => {
  const service = new FakeService().on("tokenSecurity", ({ address }, nth) => {
    if (nth !== 3) throw new RejectedError("400: invalid request");
    const data = { ...clean.tokenSecurity, address: `polygon:${address}` };
    return { code: "0", status: "ok", data } as unknown as ResponseOf<"tokenSecurity">;
  });

  await askedAbout(service, new FakeLog());

  expect(service.sentTo("tokenSecurity")).toHaveLength(2 * EVENTS);
});
