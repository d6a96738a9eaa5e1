import { type ChildProcess, fork } from "node:child_process";
import { lookup } from "node:dns";
import { once } from "node:events";
import path from "node:path";
import { BottleneckSlots } from "../../src/adapters/bottleneck/bottleneck-slots.ts";
import { ServiceClient } from "../../src/adapters/http/service/service-client.ts";
import { GIVEN_CATCH_UP, LEARNED_CATCH_UP } from "../../src/cli/wiring/open-service.ts";
import { ceilingOf, givenRate } from "../../src/cli/wiring/quota/given-rate.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { askWithRetries } from "../../src/worker/rate-limit/gate/ask-with-retries.ts";
import { RateLearner } from "../../src/worker/rate-limit/learner/rate-learner.ts";
import { waiterOf } from "../../src/worker/rate-limit/queue/waiter.ts";
import { type Closeness, Headroom } from "../../src/worker/rate-limit/sharing/headroom.ts";
import { aloneMinTimeMs, minTimeMs, type Quota } from "../../src/worker/rate-limit/sharing/quota.ts";
import { ChargingGate } from "../../test/quota/charging-gate.ts";
import type { Arrivals, Enforced } from "./server.ts";

/** The default of SERVICE_CONCURRENCY. */
const CONCURRENCY = 32;
/** Number of questions that always wait, so that no permit is unused. */
const WAITING = 64;
const TIMEOUT_MS = 10_000;
const QUESTION = { chain_id: "1", address: "0x000000000000000000000000000000000000dEaD" };

/** The result of a run; figures a second are the server's own. */
export interface Driven {
  readonly arrivals: readonly Arrivals[];
  readonly asked: number;
  readonly answered: number;
  /** Questions that were given up only for the quota: each is a lost event. */
  readonly lost: number;
  /** Events that lost an attempt to a 429, including events in flight. */
  readonly charged: number;
  /** Requests a second of the client at the end. */
  readonly pace: number;
}

/** Weir's client, with gate and permits as in a worker, against a server that enforces a quota, for `seconds`. */
export async function drive(enforced: Enforced, seconds: number, given: Quota | undefined): Promise<Driven> {
  const server = fork(path.join(import.meta.dirname, "server.ts"), [JSON.stringify(enforced)]);
  const baseUrl = String(Object(await message(server)).url);
  const stop = new AbortController();
  const client = new ServiceClient({
    baseUrl,
    apiKey: () => new Secret("bench"),
    clock: systemClock,
    lookup,
    concurrency: CONCURRENCY,
    timeoutMs: TIMEOUT_MS,
    onAnswer: () => {},
  });
  const slots = new BottleneckSlots({
    minTimeMs: given === undefined ? 0 : minTimeMs(given),
    maxConcurrent: CONCURRENCY,
    catchUp: given === undefined ? LEARNED_CATCH_UP : GIVEN_CATCH_UP,
    clock: systemClock,
  });
  const bears = given && givenRate(given, quietLog);
  const ceiling = bears && ceilingOf(bears, slots);
  const learner = bears ?? new RateLearner(Math.random);
  const pacedAnew = (alone: Closeness) => given && ceiling?.pace(aloneMinTimeMs(given, alone));
  const headroom = given && new Headroom(pacedAnew);
  if (headroom !== undefined) pacedAnew(headroom.alone);
  const gate = new ChargingGate({
    slots,
    concurrency: CONCURRENCY,
    pacer: learner,
    headroom,
    weightOf: () => 1,
    clock: systemClock,
    random: Math.random,
    log: quietLog,
    onLoadRefused: () => {},
    reloadKey: async () => false,
    knock: undefined,
    patienceMs: Number.POSITIVE_INFINITY,
    maxWaitMs: 300_000,
    keyIsFixed: false,
  });
  const deps = { gate, clock: systemClock, random: Math.random, signal: stop.signal };
  let asked = 0;
  let answered = 0;
  let lost = 0;
  const askers = Array.from({ length: WAITING }, async () => {
    while (!stop.signal.aborted) {
      const event = { event: `event ${asked++}`, turn: waiterOf({ lane: "backfill", tenant: "" }) };
      try {
        const outcome = await askWithRetries(event, () => client.ask("poisoningQuery", QUESTION, stop.signal), deps);
        gate.ended(event.turn, outcome);
        if (outcome.ok) answered++;
        else if (outcome.error.code !== "UNAVAILABLE") lost++;
      } catch (thrown) {
        if (!stop.signal.aborted) throw thrown;
      }
    }
  });
  await systemClock.sleep(1_000 * seconds);
  const pace = 1_000 / learner.minTimeMs;
  const reason = new Error("the run is over");
  stop.abort(reason);
  gate.abandon(reason);
  await Promise.all([...askers, slots.close(reason)]);
  server.send("arrivals");
  const { arrivals }: { arrivals: readonly Arrivals[] } = Object(await message(server));
  await client.close();
  server.disconnect();
  return { arrivals, asked, answered, lost, charged: gate.charged("RATE_LIMITED"), pace };
}

async function message(server: ChildProcess): Promise<unknown> {
  const [said] = await once(server, "message");
  return said;
}
