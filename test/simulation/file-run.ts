import type { RouteName } from "../../src/api/routes.ts";
import { type Random, seededRandom } from "../../src/kernel/random.ts";
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
  /** What the service sends in place of an answer to what arrives at `ticks` and `now`; undefined: an answer. */
  readonly refusal: (ticks: number, now: number, address: string) => Wire | undefined;
  readonly patienceMs?: number;
  /** Own fields of the event on a line. */
  readonly own?: (line: number) => object;
}

export interface FileRun {
  readonly verdicts: readonly Verdict[];
  readonly log: FakeLog;
  /** When each request arrived, milliseconds of the run, and the HTTP status that it got. */
  readonly requests: readonly { readonly at: number; readonly status: number }[];
  readonly seconds: number;
  /** What ended the run before its end. */
  readonly failed: unknown;
}

const CONCURRENCY = 32;
/** From sending to the answer, milliseconds, at least and up to so much more; half of it is the way there. */
const LATENCY_MS = [20, 10] as const;

/**
 * A file of events through a whole worker, at a quota that nobody has told, in virtual time. The service holds nothing
 * for a lookalike, so that each event costs a request of its own.
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
