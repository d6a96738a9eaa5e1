import policyFile from "../../data/policy.json" with { type: "json" };
import { Secret } from "../../src/kernel/secret.ts";
import { emptyBook } from "../../src/labels/address-book.ts";
import { readPolicy } from "../../src/policy/policy.ts";
import { defaultAges } from "../../src/worker/answers/answer-cache.ts";
import { wholeInterface } from "../../src/worker/answers/service-reach.ts";
import { CONFIRM_SHARE } from "../../src/worker/batching/replies/confirm-share.ts";
import { TicketBook, type TicketLog } from "../../src/worker/checks/ticket-book.ts";
import { unobserved } from "../../src/worker/observer.ts";
import { defaultBounds } from "../../src/worker/offsets/lane-bounds.ts";
import type { KeySource, SecurityService, Slots } from "../../src/worker/ports.ts";
import { type WorkerOptions, workerOf } from "../../src/worker/worker.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeLog } from "./fake-log.ts";
import { FakeSink } from "./records.ts";
import { evenly } from "./turns.ts";

/** A permit for every request at once. */
export const freeSlots: Slots = { run: (job) => job(), pace: () => undefined };

const someKey = new Secret("test-key");
const keptKey: KeySource = { current: () => someKey, reload: async () => false };

/** A log of tickets that stores nothing. */
export const forgetfulLog: TicketLog = { append: async () => undefined };

/** A worker over `service`, without a pace, with its own policy, stop and sink; a test may change its parts. */
export function workerFor(
  service: SecurityService,
  own: Partial<WorkerOptions<TicketBook>> = {},
): ReturnType<typeof workerOf<TicketBook>> {
  const stopping = new AbortController();
  const { clock = new FakeClock() } = own;
  return workerOf({
    service,
    slots: freeSlots,
    concurrency: Number.POSITIVE_INFINITY,
    pacer: undefined,
    headroom: undefined,
    weightOf: evenly,
    key: keptKey,
    keyIsFixed: false,
    clock,
    random: () => 0.5,
    log: new FakeLog(),
    policyFor: readPolicy(policyFile),
    lists: { book: emptyBook },
    software: "weir/test",
    sink: new FakeSink(),
    tickets: new TicketBook(forgetfulLog, clock),
    bounds: defaultBounds,
    patienceMs: Number.POSITIVE_INFINITY,
    maxWaitMs: 300_000,
    deadlineMs: 30_000,
    overdueGraceMs: 2_000,
    failuresLaterMs: () => undefined,
    maxVerdictBytes: 64 * 1024 * 1024,
    cacheBytes: 0,
    cacheAges: defaultAges,
    confirmShare: CONFIRM_SHARE,
    groupMax: 8,
    reach: wholeInterface,
    observer: unobserved,
    onLoadRefused: () => {},
    onVerdict: () => undefined,
    signal: stopping.signal,
    abort: (reason) => stopping.abort(reason),
    ...own,
  });
}
