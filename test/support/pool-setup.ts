import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import {
  MAX_BATCH_ITEMS,
  type PoisoningBatchRequest,
  type PoisoningBatchResponse,
} from "../../src/api/schemas/address-poisoning.ts";
import { formatOf } from "../../src/chains/address-format.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import type { Lane } from "../../src/messages/lane.ts";
import { defaultAges } from "../../src/worker/answers/answer-cache.ts";
import { calibrationPaysFrom } from "../../src/worker/batching/calibration/calibration-rules.ts";
import { PoisoningBatcher } from "../../src/worker/batching/poisoning-batcher.ts";
import { CONFIRM_SHARE } from "../../src/worker/batching/replies/confirm-share.ts";
import { unobserved } from "../../src/worker/observer.ts";
import type { SecurityService, Slots } from "../../src/worker/ports.ts";
import type { GateDeps } from "../../src/worker/rate-limit/gate/gate.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { openGate } from "../fakes/open-gate.ts";
import { ReferenceService } from "../fakes/reference-services/reference-service.ts";
import { poolableRules } from "../fakes/reference-services/rules.ts";
import { evenly } from "../fakes/turns.ts";
import { VirtualClock } from "../fakes/virtual-clock.ts";
import { evm, isCanaryTarget, type PartFields, questionAbout } from "./poisoning-parts.ts";

/** Permits that arrive at once, or, after a shut, one by one as the test grants them. */
export class Valve implements Slots {
  isShut = false;
  readonly #waiting: (() => void)[] = [];

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.isShut) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    return job();
  }

  give(): void {
    this.#waiting.shift()?.();
  }

  pace(): void {}
}

/** Changes the answer to a request, or throws the failure of the service. */
type Alter = (
  request: PoisoningBatchRequest,
  answer: PoisoningBatchResponse,
) => PoisoningBatchResponse | Promise<PoisoningBatchResponse>;

/** A reference service with batch answers that a test may change. */
export class AlteredService implements SecurityService {
  alter: Alter = (_request, answer) => answer;
  readonly #reference = new ReferenceService(poolableRules["by family"]);

  get requests(): ReferenceService["requests"] {
    return this.#reference.requests;
  }

  async ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    const answer = await this.#reference.ask(route, request, signal);
    if (route !== "poisoningBatch") return answer;
    const altered = await this.alter(request as PoisoningBatchRequest, answer as ResponseOf<"poisoningBatch">);
    return altered as ResponseOf<N>;
  }
}

export function isPooled({ target_addresses }: PoisoningBatchRequest): boolean {
  return target_addresses.some(({ address }) => isCanaryTarget(address));
}

/** A batcher over a reference service, in virtual time. */
export function poolSetup({
  cacheBytes = 1e6,
  maxItems = MAX_BATCH_ITEMS,
  hasBatches = true,
  ...own
}: Partial<GateDeps> & {
  readonly cacheBytes?: number;
  readonly maxItems?: number;
  readonly hasBatches?: boolean;
} = {}) {
  const [clock, log, slots, service] = [new VirtualClock(), new FakeLog(), new Valve(), new AlteredService()];
  const ending = new AbortController();
  const { signal } = ending;
  const random = seededRandom(1);
  const observed: unknown[][] = [];
  const gate = openGate(clock, { slots, random, log, ...own });
  const pool = new PoisoningBatcher({
    weightOf: evenly,
    service,
    gate,
    clock,
    random,
    signal,
    log,
    cacheBytes,
    cacheAges: defaultAges,
    confirmShare: CONFIRM_SHARE,
    reach: { maxItems, hasBatches },
    observer: {
      ...unobserved,
      batch: (...told) => observed.push(["batch", ...told]),
      canaries: (outcome) => observed.push(["canaries", outcome]),
      confirming: () => observed.push(["confirming"]),
      believed: (by) => observed.push(["believed", by]),
      reused: (check) => observed.push(["reused", check]),
    },
  });
  const ask = (fields: PartFields, lane: Lane = "realtime", tenant = "") =>
    pool.ask(questionAbout(fields), { lane, tenant });
  return {
    clock,
    log,
    slots,
    service,
    gate,
    pool,
    ending,
    ask,
    /** The calls of the observer, in order. */
    observed,
    /** Calibrates EVM addresses, and forgets the requests of the calibration. */
    async calibrate() {
      await clock.runUntil(
        Promise.all(
          Array.from({ length: calibrationPaysFrom("evm", formatOf("evm", evm(1))) }, (_, i) =>
            ask({ target: evm(4001 + i), users: [evm(4011 + i)] }),
          ),
        ),
      );
      service.requests.length = 0;
      observed.length = 0;
    },
    /** The batch requests since then, each by its targets without canaries. */
    sent: () =>
      service.requests.map(({ route, request }) =>
        route === "poisoningSingle"
          ? [request.address]
          : request.target_addresses.map(({ address }) => address).filter((address) => !isCanaryTarget(address)),
      ),
    /** The batch requests with entries of several events. */
    pooled: () =>
      service.requests.flatMap(({ route, request }) =>
        route === "poisoningBatch" && isPooled(request) ? [request] : [],
      ),
  };
}
