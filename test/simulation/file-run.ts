import type { RouteName } from "../../src/api/routes.ts";
import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import type { InputRecord, SecurityService } from "../../src/worker/ports.ts";
import { RateLearner } from "../../src/worker/rate-limit/learner/rate-learner.ts";
import { runLoop } from "../../src/worker/screening/loop.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { FakeSink, recordOf } from "../fakes/records.ts";
import { singleAnswer } from "../fakes/single-answer.ts";
import { workerFor } from "../fakes/worker.ts";
import { SimulatedSlots } from "./simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "./virtual-clock.ts";
import { jsonWire, readWire, type Wire } from "./wire.ts";

export interface FileRunOptions {
  readonly events: number;
  readonly seed: number;
  /** The refusal that replaces the answer to a request arriving at `ticks` and `now`. Undefined means an answer. */
  readonly refusal: (ticks: number, now: number, address: string) => Wire | undefined;
  readonly patienceMs?: number;
  /** Additional fields of the event on a line. */
  readonly own?: (line: number) => object;
}

export interface FileRun {
  readonly verdicts: readonly Verdict[];
  readonly log: FakeLog;
  /** Time of arrival of each request, milliseconds of the run, and its HTTP status. */
  readonly requests: readonly { readonly at: number; readonly status: number }[];
  readonly seconds: number;
  /** The error that ended the run early. */
  readonly failed: unknown;
}

const CONCURRENCY = 32;
/**
 * Time from sending to the answer, milliseconds: the minimum and the random addition. The way to the service takes half
 * of it.
 */
const LATENCY_MS = [20, 10] as const;

/**
 * A file of events through a whole worker, at an unknown quota, in virtual time. The service has no batch form, so each
 * event costs one request.
 */
export async function fileRun({ events, seed, refusal, patienceMs, own }: FileRunOptions): Promise<FileRun> {
  const random = seededRandom(seed);
  const time = new VirtualTime(random);
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const requests: { at: number; status: number }[] = [];
  const received = (address: string) => {
    const wire = refusal(time.ticks, time.now, address) ?? jsonWire(200, singleAnswer(address));
    requests.push({ at: time.ticks, status: wire.status });
    return wire;
  };
  const log = new FakeLog();
  const sink = new FakeSink();
  const worker = workerFor(serviceOf(received, clock, time, random), {
    clock,
    random,
    log,
    sink,
    slots: new SimulatedSlots(life, 0, CONCURRENCY),
    concurrency: CONCURRENCY,
    pacer: new RateLearner(random),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  let isOver = false;
  let failed: unknown;
  const running = runLoop(recordsOf(events, random, own), worker)
    .catch((thrown: unknown) => {
      failed = thrown;
    })
    .finally(() => {
      isOver = true;
    });
  await time.runUntil(() => isOver, Number.POSITIVE_INFINITY);
  await running;
  return { verdicts: sink.verdicts, log, requests, seconds: time.ticks / 1_000, failed };
}

function serviceOf(
  received: (address: string) => Wire,
  clock: VirtualClock,
  time: VirtualTime,
  random: Random,
): SecurityService {
  return {
    async ask<N extends RouteName>(route: N, request: object) {
      const wayMs = (LATENCY_MS[0] + LATENCY_MS[1] * random()) / 2;
      await clock.sleep(wayMs);
      const wire = received(String(Reflect.get(request, "address")));
      await clock.sleep(wayMs);
      return readWire(route, () => wire, { now: () => time.now, key: "key-0" });
    },
  };
}

async function* recordsOf(
  count: number,
  random: Random,
  own: (line: number) => object = () => ({}),
): AsyncGenerator<InputRecord[]> {
  const digits = () => Math.floor(random() * 2 ** 32).toString(16);
  for (let line = 1; line <= count; line++) {
    const address = `0x${Array.from({ length: 5 }, () => digits().padStart(8, "0")).join("")}`;
    yield [recordOf({ type: "address", chain_id: "1", address, ...own(line) }, line)];
  }
}
