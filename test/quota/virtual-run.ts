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
  /** From sending to the answer at least so long, and up to the second more, milliseconds. */
  readonly latencyMs?: readonly [least: number, jitter: number];
}

interface Request {
  readonly flight: Flight;
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

/** A learner alone against a counter, in virtual time: requests leave at its pace and come back in any order. */
export class VirtualRun {
  readonly seconds: Second[] = [];
  readonly learner: RateLearner;
  readonly #counter: Counter;
  readonly #options: VirtualRunOptions;
  readonly #random: Random;
  #requests: Request[] = [];
  #now = 0;
  #slotAt = Number.NEGATIVE_INFINITY;
  #dueAt = 0;
  #pausedUntil = 0;

  constructor(counter: Counter, options: VirtualRunOptions) {
    this.#counter = counter;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.learner = new RateLearner(this.#random, options.learned);
    this.#run();
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
      const sendAt = this.#sendAt();
      const next = Math.min(sendAt, arrival?.arrivesAt ?? sendAt, answer?.answeredAt ?? sendAt);
      if (!Number.isFinite(next)) throw new Error("nothing will happen any more");
      this.#now = Math.max(this.#now, next);
      if (arrival?.arrivesAt === next) this.#arrive(arrival);
      else if (answer?.answeredAt === next) this.#answer(answer);
      else this.#send();
    }
  }

  #sendAt(): number {
    if (this.#requests.length >= CONCURRENCY) return Number.POSITIVE_INFINITY;
    const slotAt = this.#slotAt + this.learner.minTimeMs;
    return Math.max(this.#now + this.learner.waitMs(this.#now), slotAt, this.#pausedUntil, this.#dueAt, this.#now);
  }

  #send(): void {
    const { demand, lost = 0 } = this.#options;
    this.#slotAt = this.#now;
    // What was not sent in time is sent as soon as it may.
    if (demand !== undefined) this.#dueAt += 1_000 / demand;
    const [least, jitter] = this.#options.latencyMs ?? LATENCY_MS;
    const latency = least + jitter * this.#random();
    const leavesAt = this.#now + SLOT_JITTER_MS * this.#random();
    this.#requests.push({
      flight: this.learner.sent(this.#now),
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
    const { flight, state, arrivesAt, freeAt, isLost } = request;
    if (state === "taken" && this.#counter instanceof Concurrent) this.#counter.release();
    if (isLost) this.learner.undecided(flight);
    else if (state === "taken") this.learner.taken(flight, this.#now);
    else {
      const toldMs = this.#options.tells === true ? 1_000 * Math.ceil((freeAt - arrivesAt) / 1_000) : 0;
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#now + toldMs);
      this.learner.refused(flight, this.#now, toldMs);
    }
  }
}

function earliest(requests: readonly Request[], at: (request: Request) => number): Request | undefined {
  let found: Request | undefined;
  for (const request of requests) if (found === undefined || at(request) < at(found)) found = request;
  return found;
}
