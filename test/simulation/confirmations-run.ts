import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import type { PoisoningBatchRequest, PoisoningSingleRequest } from "../../src/api/schemas/address-poisoning.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { ReferenceService } from "../fakes/reference-services/reference-service.ts";
import { poolableRules } from "../fakes/reference-services/rules.ts";
import { workerFor } from "../fakes/worker.ts";
import { type Backfill, eventsOf, Window } from "./packing-run.ts";
import { SimulatedSlots } from "./simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "./virtual-clock.ts";

/** Share of flagged targets, and the most requests relative to a run without flags. */
export const confirmingFloors = [
  { share: 0, most: 1.02 },
  { share: 0.001, most: 1.05 },
  { share: 0.01, most: 1.1 },
  { share: 0.06, most: 1.25 },
];

const SLOT_MS = 100;
const LATENCY_MS = 30;
const CONCURRENCY = 32;
/** Events before the count begins. */
const CALIBRATING = 40;

const canaryUsers = new Map<string, string>(canaryPairs.map(({ user, target }) => [target, user]));
const shapeOf = (address: string) => address.slice(2, 5) + address.slice(-4);

/** A service that flags a share of all addresses, and every address that imitates a user of the request. */
class FlaggingService implements SecurityService {
  requests = 0;
  readonly #share: number;
  readonly #delay: () => Promise<void>;
  readonly #single = new ReferenceService(poolableRules["by family"]);

  constructor(share: number, delay: () => Promise<void>) {
    this.#share = share;
    this.#delay = delay;
  }

  async ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    this.requests++;
    await this.#delay();
    if (route === "poisoningBatch") return this.#batch(request as PoisoningBatchRequest) as ResponseOf<N>;
    // Only calibration uses the single form.
    return this.#single.ask("poisoningSingle", request as PoisoningSingleRequest, signal) as Promise<ResponseOf<N>>;
  }

  #batch({ user_addresses: users, target_addresses: targets }: PoisoningBatchRequest): ResponseOf<"poisoningBatch"> {
    const names = new Set(users.map(({ address }) => address));
    const shapes = new Set(users.map(({ address }) => shapeOf(address)));
    const items = targets.map(({ chain_id, address }) => {
      const mimics = names.has(canaryUsers.get(address) ?? "") || shapes.has(shapeOf(address));
      const isFlagged = Number.parseInt(address.slice(10, 18), 16) < this.#share * 2 ** 32;
      const flag = (isRaised: boolean) => (isRaised ? ("1" as const) : ("0" as const));
      const flags = { mimics_user: flag(mimics), mimics_exchange: "0" as const };
      return { chain_id: String(chain_id), address, is_poisoning: flag(mimics || isFlagged), ...flags };
    });
    return { code: "0", status: "ok", data: { target_addresses: items, token_addresses: [] } };
  }
}

export interface Confirming {
  readonly events: number;
  readonly seed: number;
  /** With one partition, as in a file, few events are in flight. Confirmations then limit how far reading can go. */
  readonly partitions: number;
  /**
   * Share of the targets that the service flags without an imitation, of 1; and share of the targets that imitate their
   * event's user, of 1.
   */
  readonly share: number;
  readonly traps: number;
  /** Processor time up to now, where it is measured, milliseconds. */
  readonly cpuMs?: () => number;
}

/**
 * A backfill of 100 users on four chains in virtual time, through the batcher of a worker. The result holds its
 * requests after the calibration of the formats. It is equal for each seed.
 */
export async function confirming({
  events,
  seed,
  partitions,
  share,
  traps,
  cpuMs = () => 0,
}: Confirming): Promise<{ readonly requests: number; readonly cpuMs: number }> {
  const backfill: Backfill = { events, partitions, chains: ["1", "56", "137", "8453"], users: 100, traps, seed };
  const random = seededRandom(seed + 1);
  const time = new VirtualTime(random);
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const ending = new AbortController();
  const service = new FlaggingService(share, () => clock.sleep(LATENCY_MS));
  const slots = new SimulatedSlots(life, SLOT_MS, CONCURRENCY);
  const { pool } = workerFor(service, { clock, random, slots, signal: ending.signal });
  const until = async (isOver: () => boolean) => {
    const how = await time.runUntil(isOver, Number.POSITIVE_INFINITY);
    if (how !== "over") throw new Error(`the run is ${how}`);
  };
  let [inWork, answered, flagged] = [0, 0, 0];
  const ask = (question: Parameters<typeof pool.ask>[0], settle: () => void) => {
    inWork++;
    void pool.ask(question, { lane: "backfill", tenant: "" }).then((outcome) => {
      if (!outcome.ok) throw outcome.error;
      if (outcome.value.target.is_poisoning === "1") flagged++;
      inWork--;
      answered++;
      settle();
      pool.expectMore(inWork > pool.waiting);
    });
  };
  for (const question of eventsOf({ ...backfill, events: CALIBRATING, traps: 0, seed: seed + 2 }))
    ask(question, () => undefined);
  await until(() => answered === CALIBRATING);
  [service.requests, answered, flagged] = [0, 0, 0];
  const window = new Window(backfill);
  const fill = () => {
    for (let next = window.next(); next !== undefined; next = window.next()) {
      const { question, settle } = next;
      ask(question, () => {
        settle();
        fill();
      });
    }
    pool.expectMore(inWork > pool.waiting);
  };
  const before = cpuMs();
  fill();
  await until(() => answered === events);
  const spentMs = cpuMs() - before;
  ending.abort(new Error("the run is over"));
  const least = 0.8 * events * (share + traps);
  if (flagged < least) throw new Error(`${flagged} of ${events} events are flagged: ${least} were to be`);
  return { requests: service.requests, cpuMs: spentMs };
}
