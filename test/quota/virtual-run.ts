import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import type { LearnedQuota } from "../../src/worker/rate-limit/learner/learned-quota.ts";
import type { Pacer } from "../../src/worker/rate-limit/learner/pacer.ts";
import { RateLearner } from "../../src/worker/rate-limit/learner/rate-learner.ts";
import type { Flight } from "../../src/worker/rate-limit/learner/sending-order.ts";
import { Agenda } from "./agenda.ts";
import { Concurrent, type Counter } from "./counters.ts";

/** The requests that the service saw in one second. */
export interface Second {
  taken: number;
  refused: number;
}

export interface VirtualRunOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Requests per second to send; undefined: as many as may be sent. */
  readonly demand?: number;
  /** Whether a 429 says how long to wait, in whole seconds as in HTTP. */
  readonly tells?: boolean;
  /** Share of requests that get no answer. */
  readonly lost?: number;
  /** Share of requests that get a 500 before they are counted. */
  readonly failed?: number;
  /** Share of requests that get a random 429 at any pace, and are not counted. */
  readonly refused?: number;
  readonly learned?: LearnedQuota;
  /** A pacer in place of the learner. */
  readonly pacer?: (random: Random) => Pacer;
  /** Processes on the key that do not know of each other. */
  readonly processes?: number;
  /** Time from sending to the answer, milliseconds: the least, and the largest addition. */
  readonly latencyMs?: readonly [least: number, jitter: number];
  /**
   * Additional time of the service after it has counted the request, milliseconds: the least, and the largest addition.
   */
  readonly servingMs?: readonly [least: number, jitter: number];
}

interface Request {
  readonly flight: Flight;
  readonly of: Process;
  readonly arrivesAt: number;
  readonly isLost: boolean;
  readonly isFailed: boolean;
  readonly isUnlucky: boolean;
  isTaken: boolean;
  /** For a refused request, if 429s announce a wait. */
  freeAt: number;
}

/** Concurrent requests, as many as SERVICE_CONCURRENCY allows. */
const CONCURRENCY = 32;
/** Half of the latency is the way to the service. */
const LATENCY_MS = [20, 30] as const;
const AT_ONCE_MS = [0, 0] as const;
/** Permits are late by up to this much, milliseconds. */
const SLOT_JITTER_MS = 1;

/** One learner, with its requests and their times. */
interface Process {
  readonly learner: Pacer;
  slotAt: number;
  dueAt: number;
  pausedUntil: number;
  /** Requests in flight. */
  running: number;
  taken: number;
}

/** Runs one or more learners against a counter in virtual time. Requests leave at the pace and return in any order. */
export class VirtualRun {
  readonly seconds: Second[] = [];
  readonly #processes: readonly Process[];
  readonly #counter: Counter;
  readonly #options: VirtualRunOptions;
  readonly #random: Random;
  readonly #arrivals = new Agenda<Request>();
  readonly #answers = new Agenda<Request>();
  #now = 0;

  constructor(counter: Counter, options: VirtualRunOptions) {
    this.#counter = counter;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#processes = Array.from({ length: options.processes ?? 1 }, () => ({
      learner: options.pacer?.(this.#random) ?? new RateLearner(this.#random, options.learned),
      slotAt: Number.NEGATIVE_INFINITY,
      dueAt: 0,
      pausedUntil: 0,
      running: 0,
      taken: 0,
    }));
    this.#run();
  }

  /** The learner of the first process. */
  get learner(): Pacer {
    return this.#first.learner;
  }

  /** Accepted requests of each process, in all. */
  get takenByEach(): readonly number[] {
    return this.#processes.map(({ taken }) => taken);
  }

  get #first(): Process {
    const [first] = this.#processes;
    if (first === undefined) throw new Error("a run has one process at least");
    return first;
  }

  /** Accepted requests per second, in the seconds from `from` to `until`. */
  takenPerSecond(from: number, until: number): number {
    return this.#sum(from, until, "taken") / (until - from);
  }

  /** Share of 429s among the requests of those seconds. */
  refusedShare(from: number, until: number): number {
    const refused = this.#sum(from, until, "refused");
    return refused / Math.max(1, refused + this.#sum(from, until, "taken"));
  }

  #sum(from: number, until: number, what: keyof Second): number {
    return this.seconds.slice(from, until).reduce((sum, second) => sum + second[what], 0);
  }

  #run(): void {
    const seconds = this.#options.seconds;
    for (let i = 0; i < seconds; i++) this.seconds.push({ taken: 0, refused: 0 });
    let due = this.#due();
    while (this.#now < seconds * 1_000) {
      const arrivesAt = this.#arrivals.at;
      const answeredAt = this.#answers.at;
      const next = Math.min(due.at, arrivesAt, answeredAt);
      if (!Number.isFinite(next)) throw new Error("nothing will happen any more");
      this.#now = Math.max(this.#now, next);
      if (arrivesAt === next) {
        // No sender knows of the arrival yet.
        this.#arrive(this.#arrivals.next());
        continue;
      }
      if (answeredAt === next) this.#answer(this.#answers.next());
      else this.#send(due.process);
      due = this.#due();
    }
  }

  /** The next process to send, and the time, in the current state. */
  #due(): { readonly process: Process; readonly at: number } {
    let process = this.#first;
    let at = Number.POSITIVE_INFINITY;
    for (const other of this.#processes) {
      const otherAt = this.#sendAt(other);
      if (otherAt >= at) continue;
      process = other;
      at = otherAt;
    }
    return { process, at };
  }

  #sendAt(process: Process): number {
    if (process.running >= CONCURRENCY) return Number.POSITIVE_INFINITY;
    const { learner, pausedUntil, dueAt } = process;
    const slotAt = process.slotAt + learner.minTimeMs;
    return Math.max(this.#now + learner.waitMs(this.#now), slotAt, pausedUntil, dueAt, this.#now);
  }

  #send(process: Process): void {
    const { demand, lost = 0, failed = 0, refused = 0 } = this.#options;
    process.slotAt = this.#now;
    // A request that could not be sent in time is sent as soon as possible.
    if (demand !== undefined) process.dueAt += 1_000 / demand;
    const [least, jitter] = this.#options.latencyMs ?? LATENCY_MS;
    const latency = least + jitter * this.#random();
    const [served, servedJitter] = this.#options.servingMs ?? AT_ONCE_MS;
    const servingMs = servedJitter > 0 ? served + servedJitter * this.#random() : served;
    const leavesAt = this.#now + SLOT_JITTER_MS * this.#random();
    const request: Request = {
      flight: process.learner.sent(this.#now),
      of: process,
      arrivesAt: leavesAt + latency / 2,
      isLost: lost > 0 && this.#random() < lost,
      isFailed: failed > 0 && this.#random() < failed,
      isUnlucky: refused > 0 && this.#random() < refused,
      isTaken: false,
      freeAt: 0,
    };
    process.running++;
    this.#arrivals.enter(request.arrivesAt, request);
    this.#answers.enter(leavesAt + latency + servingMs, request);
  }

  #arrive(request: Request | undefined): void {
    const second = this.seconds[Math.floor(this.#now / 1_000)];
    if (request === undefined) return;
    if (request.isFailed) return;
    request.isTaken = !request.isUnlucky && this.#counter.takes(this.#now);
    if (request.isTaken) request.of.taken++;
    else if (this.#options.tells === true) request.freeAt = this.#counter.freeAt(this.#now);
    if (second === undefined) return;
    if (request.isTaken) second.taken++;
    else second.refused++;
  }

  #answer(request: Request | undefined): void {
    if (request === undefined) return;
    const { flight, of, isTaken, isFailed, arrivesAt, freeAt, isLost } = request;
    const { learner } = of;
    of.running--;
    if (isTaken && this.#counter instanceof Concurrent) this.#counter.release();
    if (isLost) learner.undecided(flight);
    else if (isFailed) learner.failed(flight, this.#now);
    else if (isTaken) learner.taken(flight, this.#now);
    else {
      const toldMs = this.#options.tells === true ? 1_000 * Math.ceil((freeAt - arrivesAt) / 1_000) : 0;
      of.pausedUntil = Math.max(of.pausedUntil, this.#now + toldMs);
      learner.refused(flight, this.#now, toldMs);
    }
  }
}
