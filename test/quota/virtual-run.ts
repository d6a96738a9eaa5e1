import { type Random, seededRandom } from "../../src/kernel/random.ts";
import type { LearnedQuota } from "../../src/worker/pace/learned-quota.ts";
import { RateLearner } from "../../src/worker/pace/rate-learner.ts";
import type { Flight } from "../../src/worker/pace/used-up.ts";
import { Concurrent, type Counter } from "./counters.ts";

/** What the service saw in one second. */
export interface Second {
  readonly taken: number;
  readonly refused: number;
}

export interface VirtualRunOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Requests a second that there are to send; undefined: as many as may be sent. */
  readonly demand?: number;
  /** Whether a 429 says how long to wait, in whole seconds, as HTTP has it. */
  readonly tells?: boolean;
  /** Share of requests that get no answer. */
  readonly lost?: number;
  readonly learned?: LearnedQuota;
  /** Processes on the key that know nothing of each other. */
  readonly processes?: number;
  /** From sending to the answer at least so long, and up to the second more, milliseconds. */
  readonly latencyMs?: readonly [least: number, jitter: number];
}

interface Request {
  readonly flight: Flight;
  readonly of: Process;
  readonly arrivesAt: number;
  readonly answeredAt: number;
  readonly isLost: boolean;
  state: "on its way" | "taken" | "refused";
  freeAt: number;
}

/** Requests on the wire at once, as many as SERVICE_CONCURRENCY has. */
const CONCURRENCY = 32;
/** Half of it is the way there. */
const LATENCY_MS = [20, 30] as const;
/** Slots come up to so much late, milliseconds. */
const SLOT_JITTER_MS = 1;

/** One learner, with what it sends and when. */
interface Process {
  readonly learner: RateLearner;
  slotAt: number;
  dueAt: number;
  pausedUntil: number;
  taken: number;
}

/** A learner, or some, against a counter, in virtual time: requests leave at their pace and come back in any order. */
export class VirtualRun {
  readonly seconds: Second[] = [];
  readonly #processes: readonly Process[];
  readonly #counter: Counter;
  readonly #options: VirtualRunOptions;
  readonly #random: Random;
  #requests: Request[] = [];
  #now = 0;

  constructor(counter: Counter, options: VirtualRunOptions) {
    this.#counter = counter;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#processes = Array.from({ length: options.processes ?? 1 }, () => ({
      learner: new RateLearner(this.#random, options.learned),
      slotAt: Number.NEGATIVE_INFINITY,
      dueAt: 0,
      pausedUntil: 0,
      taken: 0,
    }));
    this.#run();
  }

  /** Of the first process. */
  get learner(): RateLearner {
    return this.#first.learner;
  }

  /** Requests of each process that were taken, in all. */
  get takenByEach(): readonly number[] {
    return this.#processes.map(({ taken }) => taken);
  }

  get #first(): Process {
    const [first] = this.#processes;
    if (first === undefined) throw new Error("a run has one process at least");
    return first;
  }

  /** Requests that were taken in the seconds from `from` to `until`, each second. */
  takenPerSecond(from: number, until: number): number {
    return this.#sum(from, until, "taken") / (until - from);
  }

  /** Of the requests of those seconds, those that got a 429. */
  refusedShare(from: number, until: number): number {
    const refused = this.#sum(from, until, "refused");
    return refused / Math.max(1, refused + this.#sum(from, until, "taken"));
  }

  #sum(from: number, until: number, what: keyof Second): number {
    return this.seconds.slice(from, until).reduce((sum, second) => sum + second[what], 0);
  }

  #run(): void {
    for (let i = 0; i < this.#options.seconds; i++) this.seconds.push({ taken: 0, refused: 0 });
    while (this.#now < this.#options.seconds * 1_000) {
      const arrival = earliest(
        this.#requests.filter(({ state }) => state === "on its way"),
        ({ arrivesAt }) => arrivesAt,
      );
      const answer = earliest(this.#requests, ({ answeredAt }) => answeredAt);
      const sender = earliest(this.#processes, (process) => this.#sendAt(process)) ?? this.#first;
      const sendAt = this.#sendAt(sender);
      const next = Math.min(sendAt, arrival?.arrivesAt ?? sendAt, answer?.answeredAt ?? sendAt);
      if (!Number.isFinite(next)) throw new Error("nothing will happen any more");
      this.#now = Math.max(this.#now, next);
      if (arrival?.arrivesAt === next) this.#arrive(arrival);
      else if (answer?.answeredAt === next) this.#answer(answer);
      else this.#send(sender);
    }
  }

  #sendAt(process: Process): number {
    if (this.#requests.filter(({ of }) => of === process).length >= CONCURRENCY) return Number.POSITIVE_INFINITY;
    const { learner, pausedUntil, dueAt } = process;
    const slotAt = process.slotAt + learner.minTimeMs;
    return Math.max(this.#now + learner.waitMs(this.#now), slotAt, pausedUntil, dueAt, this.#now);
  }

  #send(process: Process): void {
    const { demand, lost = 0 } = this.#options;
    process.slotAt = this.#now;
    // What was not sent in time is sent as soon as it may.
    if (demand !== undefined) process.dueAt += 1_000 / demand;
    const [least, jitter] = this.#options.latencyMs ?? LATENCY_MS;
    const latency = least + jitter * this.#random();
    const leavesAt = this.#now + SLOT_JITTER_MS * this.#random();
    this.#requests.push({
      flight: process.learner.sent(this.#now),
      of: process,
      arrivesAt: leavesAt + latency / 2,
      answeredAt: leavesAt + latency,
      isLost: this.#random() < lost,
      state: "on its way",
      freeAt: 0,
    });
  }

  #arrive(request: Request): void {
    const isTaken = this.#counter.takes(this.#now);
    request.state = isTaken ? "taken" : "refused";
    if (isTaken) request.of.taken++;
    request.freeAt = this.#counter.freeAt(this.#now);
    const index = Math.floor(this.#now / 1_000);
    const second = this.seconds[index] ?? { taken: 0, refused: 0 };
    this.seconds[index] = {
      taken: second.taken + (isTaken ? 1 : 0),
      refused: second.refused + (isTaken ? 0 : 1),
    };
  }

  #answer(request: Request): void {
    this.#requests = this.#requests.filter((other) => other !== request);
    const { flight, of, state, arrivesAt, freeAt, isLost } = request;
    const { learner } = of;
    if (state === "taken" && this.#counter instanceof Concurrent) this.#counter.release();
    if (isLost) learner.undecided(flight);
    else if (state === "taken") learner.taken(flight, this.#now);
    else {
      const toldMs = this.#options.tells === true ? 1_000 * Math.ceil((freeAt - arrivesAt) / 1_000) : 0;
      of.pausedUntil = Math.max(of.pausedUntil, this.#now + toldMs);
      learner.refused(flight, this.#now, toldMs);
    }
  }
}

function earliest<T>(all: readonly T[], at: (each: T) => number): T | undefined {
  let found: T | undefined;
  for (const each of all) if (found === undefined || at(each) < at(found)) found = each;
  return found;
}
