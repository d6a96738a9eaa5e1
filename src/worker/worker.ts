import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/retry.ts";
import type { Verdict } from "../messages/verdict.ts";
import type { PolicyChoice } from "../policy/policy.ts";
import { type CacheAges, textCache } from "./answers/answer-cache.ts";
import { ChainPrefixes } from "./answers/chain-prefixes.ts";
import { RecentReplies } from "./answers/recent-replies.ts";
import type { ServiceReach } from "./answers/service-reach.ts";
import { PoisoningBatcher } from "./batching/poisoning-batcher.ts";
import type { FailuresLater } from "./checks/answers.ts";
import { askHarmless } from "./checks/ask-harmless.ts";
import { Coalescer } from "./checks/coalescer.ts";
import { PollWaits } from "./checks/poll-waits.ts";
import type { Observer } from "./observer.ts";
import type { LaneBounds } from "./offsets/lane-bounds.ts";
import { OffsetTracker } from "./offsets/offset-tracker.ts";
import { OverdueRoom } from "./offsets/overdue-room.ts";
import type { KeySource, SecurityService, Slots, TicketSink, VerdictSink } from "./ports.ts";
import { Gate } from "./rate-limit/gate/gate.ts";
import { gateSlots } from "./rate-limit/gate/gate-slots.ts";
import { tellLoad } from "./rate-limit/gate/refusals/tell-load.ts";
import type { Pacer } from "./rate-limit/learner/pacer.ts";
import type { WeightOf } from "./rate-limit/queue/request-queue.ts";
import type { Headroom } from "./rate-limit/sharing/headroom.ts";
import type { ScreenDeps } from "./screening/screening-task.ts";
import { serializedLocks } from "./simulation/serialized-locks.ts";
import { SolanaGroups } from "./simulation/solana-group.ts";

/** All external dependencies and settings of a worker. */
export interface WorkerOptions<T extends TicketSink = TicketSink> {
  readonly service: SecurityService;
  readonly slots: Slots;
  /** As in `GateDeps`. */
  readonly concurrency: number;
  /** As in `GateDeps`. */
  readonly pacer: Pacer | undefined;
  /** As in `GateDeps`. */
  readonly headroom: Headroom | undefined;
  readonly weightOf: WeightOf;
  readonly key: KeySource;
  /** Whether `key.reload` can never return another key. */
  readonly keyIsFixed: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly policyFor: PolicyChoice;
  /** As in `ScreenDeps`. */
  readonly lists: ScreenDeps["lists"];
  readonly software: string;
  readonly sink: VerdictSink;
  readonly tickets: T;
  readonly bounds: Readonly<Record<"realtime" | "backfill", LaneBounds>>;
  readonly patienceMs: number;
  readonly maxWaitMs: number;
  readonly deadlineMs: number;
  readonly overdueGraceMs: number;
  readonly failuresLaterMs: FailuresLater;
  readonly maxVerdictBytes: number;
  /** Memory limit of each of the two answer caches (batched poisoning answers; all other answers), in bytes. */
  readonly cacheBytes: number;
  readonly cacheAges: CacheAges;
  /** As in `ConfirmShare`. */
  readonly confirmShare: number;
  /** Limit of Solana transactions in one request, if the service allows as many. */
  readonly groupMax: number;
  readonly reach: ServiceReach;
  readonly onVerdict: (verdict: Verdict) => void;
  /** As in `GateDeps`. */
  readonly onLoadRefused: (status: number) => void;
  readonly observer: Observer;
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
}

type Worker<T> = ScreenDeps & {
  readonly tickets: T;
  readonly pool: PoisoningBatcher;
  readonly gate: Gate;
  readonly intake: OffsetTracker;
  readonly abort: (reason: unknown) => void;
};

/** Connects the parts of a worker: `runLoop` runs it over a file, `runGroups` on topics. */
export function workerOf<T extends TicketSink>(options: WorkerOptions<T>): Worker<T> {
  const { clock, random, log, signal, slots, concurrency, pacer, weightOf, key } = options;
  const { headroom, patienceMs, maxWaitMs, keyIsFixed, onLoadRefused, cacheBytes, cacheAges, confirmShare, reach } =
    options;
  const service = tellLoad(options.service, clock);
  const reloadKey = () => key.reload();
  const knock = (over: AbortSignal) => askHarmless(service, over);
  const how = { slots, concurrency, pacer, headroom, weightOf, patienceMs, maxWaitMs, keyIsFixed };
  const gate = new Gate({ ...how, clock, random, log, onLoadRefused, reloadKey, knock });
  // A request that waits for a permit or for the end of a pause would not notice the abort.
  const abandon = () => gate.abandon(signal.reason);
  if (signal.aborted) abandon();
  else signal.addEventListener("abort", abandon, { once: true });
  const asking = { gate, clock, random, signal };
  return {
    ...options,
    service,
    gate,
    pool: new PoisoningBatcher({
      ...asking,
      cacheBytes,
      cacheAges,
      confirmShare,
      reach,
      weightOf,
      service,
      log,
      observer: options.observer,
    }),
    simulations: new SolanaGroups({
      service,
      slots: gateSlots(gate, "solana-simulation"),
      decoder: serializedLocks,
      weightOf,
      ticks: () => clock.ticks(),
      groupMax: Math.min(options.groupMax, reach.maxTransactions),
    }),
    tronAlone: { service, slots: gateSlots(gate, "tron-security") },
    evmAlone: { service, slots: gateSlots(gate, "evm-security") },
    inFlight: new Coalescer(gate),
    polls: new PollWaits(),
    prefixes: new ChainPrefixes(),
    simulated: new WeakMap(),
    answered: textCache(cacheBytes, cacheAges, clock),
    replies: new RecentReplies(clock),
    intake: new OffsetTracker(options.bounds, new OverdueRoom(clock, options.deadlineMs)),
  };
}
