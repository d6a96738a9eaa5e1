import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import { MAX_BATCH_ITEMS, type PoisoningBatchRequest } from "../../src/api/schemas/address-poisoning.ts";
import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import { RateLimitedError, UnavailableError } from "../../src/worker/answers/service-errors.ts";
import { defaultBounds } from "../../src/worker/offsets/lane-bounds.ts";
import { OffsetTracker } from "../../src/worker/offsets/offset-tracker.ts";
import type { PoisoningQuestion } from "../../src/worker/plan/question.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { ReferenceService } from "../fakes/reference-services/reference-service.ts";
import { poolableRules } from "../fakes/reference-services/rules.ts";
import { workerFor } from "../fakes/worker.ts";
import { chainOf, isCanaryTarget } from "../support/poisoning-parts.ts";
import { imitation, pick, randomAddress } from "../support/random-addresses.ts";
import { SimulatedSlots } from "./simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "./virtual-clock.ts";

/** Backfill events with a user and a target each, over a number of partitions, chains and users. */
export interface Backfill {
  readonly events: number;
  readonly partitions: number;
  readonly chains: readonly string[];
  /** Undefined: each event has a user of its own. */
  readonly users: number | undefined;
  /** Number of different questions. The i-th is asked 1 / i as often as the first. Undefined: no question repeats. */
  readonly repeated?: number;
  /** Events in flight at once. Undefined: the number of a worker. */
  readonly inWork?: number;
  /** Share of the targets that imitate their event's own user, of 1. Undefined: none. */
  readonly traps?: number;
  /** Size of the answer cache. */
  readonly cacheBytes?: number;
  /** Probability that a request gets a 500 whatever it asks, once the formats are calibrated. */
  readonly failing?: number;
  /** Number of events, spread evenly, for which the service always answers 500. */
  readonly bad?: number;
  /** A request with more items gets a 429. */
  readonly mostItems?: number;
  readonly seed: number;
}

/** The requests that a service received. */
export interface Packed {
  readonly requests: number;
  /** Targets without canaries. */
  readonly targets: number;
  /** Requests that got a 500. */
  readonly failed: number;
  /** Events without an answer. */
  readonly unknown: number;
}

const SLOT_MS = 100;
const LATENCY_MS = 30;
const CONCURRENCY = 32;
const EVENT_BYTES = 300;
const EPOCH = 1;
/** Events for the calibration of the formats, before the count begins. */
const CALIBRATING = 40;

/** The events of a backfill in the order of a consumer that reads its partitions in rotation. */
export function* eventsOf({ events, chains, users, repeated, traps, seed }: Backfill): Generator<PoisoningQuestion> {
  const random = seededRandom(seed);
  const trapping = seededRandom(seed + 4);
  const known = Array.from({ length: users ?? 0 }, () => randomAddress("evm", random));
  const another = () => questionOf(pick(chains, random), known, random);
  if (repeated === undefined) for (let i = 0; i < events; i++) yield trapped(another(), traps, trapping);
  else {
    const questions = Array.from({ length: repeated }, another);
    const ranks = zipf(repeated, random);
    for (let i = 0; i < events; i++) yield questions[ranks()] ?? another();
  }
}

/** Changes random questions to a target that resembles their user by just enough. */
function trapped(question: PoisoningQuestion, traps: number | undefined, random: Random): PoisoningQuestion {
  const [user] = question.users;
  if (traps === undefined || user === undefined || random() >= traps) return question;
  return { ...question, target: imitation("evm", user, { prefix: 3, suffix: 4 }, random) };
}

/** Numbers below `count`. Each i comes 1 / (i + 1) as often as 0. */
function zipf(count: number, random: Random): () => number {
  const upTo = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) upTo[i] = sum += 1 / (i + 1);
  return () => {
    const wanted = sum * random();
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function questionOf(chain: string, known: PoisoningQuestion["users"], random: Random): PoisoningQuestion {
  const user = known.length === 0 ? randomAddress("evm", random) : pick(known, random);
  const target = randomAddress("evm", random);
  return { check: "poisoning", chain: chainOf(chain), target, token: undefined, users: [user] };
}

/** The events in flight of a backfill. They are admitted up to a worker's bound, and again from half of it on. */
export class Window {
  readonly #intake: OffsetTracker;
  readonly #partitions: number;
  readonly #events: Iterator<PoisoningQuestion>;
  #isFull = false;
  #isEnded = false;
  #read = 0;

  constructor(backfill: Backfill) {
    const bounds = { ...defaultBounds.backfill, events: backfill.inWork ?? defaultBounds.backfill.events };
    this.#intake = new OffsetTracker({ ...defaultBounds, backfill: bounds });
    this.#partitions = backfill.partitions;
    this.#events = eventsOf(backfill);
    for (let partition = 0; partition < this.#partitions; partition++)
      this.#intake.assign({ topic: "backfill", partition, lane: "backfill", epoch: EPOCH, firstOffset: 0 });
    this.#intake.changes();
  }

  /** The next event that fits, with the function that releases its room. */
  next(): { readonly question: PoisoningQuestion; readonly settle: () => void } | undefined {
    if (this.#isFull || this.#isEnded) return undefined;
    const { value: question, done } = this.#events.next();
    if (done === true) {
      this.#isEnded = true;
      return undefined;
    }
    const [partition, offset] = [this.#read % this.#partitions, Math.floor(this.#read / this.#partitions)];
    this.#read++;
    const at = { topic: "backfill", partition, offset, epoch: EPOCH };
    this.#intake.admit({ ...at, bytes: EVENT_BYTES });
    this.#look();
    const settle = () => {
      this.#intake.settle(at);
      this.#look();
    };
    return { question, settle };
  }

  #look(): void {
    const { pause, resume } = this.#intake.changes();
    if (pause.length > 0) this.#isFull = true;
    if (resume.length > 0) this.#isFull = false;
  }
}

/** The requests that a worker's batcher sends for a backfill, in virtual time, with scarce permits. */
export async function packingRun(backfill: Backfill): Promise<Packed> {
  const random = seededRandom(backfill.seed + 1);
  const time = new VirtualTime(random);
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const ending = new AbortController();
  let requests = 0;
  let targets = 0;
  let failed = 0;
  let isCalibrated = false;
  const bad = new Set<string>();
  const chance = seededRandom(backfill.seed + 3);
  const onRequest = (request: object) => {
    requests++;
    const { target_addresses: items = [], user_addresses: users = [] } = request as Partial<PoisoningBatchRequest>;
    if (items.length + users.length > (backfill.mostItems ?? MAX_BATCH_ITEMS)) throw new RateLimitedError("429");
    const isFailing = isCalibrated && chance() < (backfill.failing ?? 0);
    if (isFailing || items.some(({ address }) => bad.has(address))) {
      failed++;
      throw new UnavailableError("500");
    }
    targets += items.filter(({ address }) => !isCanaryTarget(address)).length;
  };
  const service = counted(onRequest, () => clock.sleep(LATENCY_MS));
  const { pool } = workerFor(service, {
    clock,
    random,
    slots: new SimulatedSlots(life, SLOT_MS, CONCURRENCY),
    signal: ending.signal,
    cacheBytes: backfill.cacheBytes ?? 0,
  });
  const ask = (question: PoisoningQuestion) => pool.ask(question, { lane: "backfill", tenant: "" });
  const until = async (isOver: () => boolean) => {
    const how = await time.runUntil(isOver, Number.POSITIVE_INFINITY);
    if (how !== "over") throw new Error(`the run is ${how}`);
  };
  const { repeated: _, ...calibrating } = backfill;
  let calibrated = 0;
  for (const question of eventsOf({ ...calibrating, events: CALIBRATING, seed: backfill.seed + 2 }))
    void ask(question).then(() => calibrated++);
  await until(() => calibrated === CALIBRATING);
  [requests, targets, isCalibrated] = [0, 0, true];
  const window = new Window(backfill);
  let answered = 0;
  let unknown = 0;
  let begun = 0;
  const fill = () => {
    for (let next = window.next(); next !== undefined; next = window.next()) {
      const { question, settle } = next;
      if (++begun % (backfill.events / (backfill.bad ?? 0)) === 0) bad.add(question.target);
      void ask(question).then(({ ok }) => {
        answered++;
        if (!ok) unknown++;
        settle();
        fill();
      });
    }
  };
  fill();
  await until(() => answered === backfill.events);
  ending.abort(new Error("the run is over"));
  return { requests, targets, failed, unknown };
}

/** A service that flags nothing here and counts its requests. */
function counted(onRequest: (request: object) => void, delay: () => Promise<void>): SecurityService {
  const reference = new ReferenceService(poolableRules["by family"]);
  return {
    ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
      // The reference keeps every request that it received.
      reference.requests.length = 0;
      return delay().then(() => {
        onRequest(request);
        return reference.ask(route, request, signal);
      });
    },
  };
}
