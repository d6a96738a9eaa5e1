import type { KafkaGroupConsumer } from "../../adapters/kafka/consumer/group-consumer.ts";
import type { Gauges } from "../../adapters/prometheus/worker-metrics.ts";
import type { SchemaCache } from "../../adapters/schema-registry/schema-cache.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Lane } from "../../messages/lane.ts";
import type { PoisoningBatcher } from "../../worker/batching/poisoning-batcher.ts";
import type { GroupLoop } from "../../worker/consumer/group-loop.ts";
import type { Tier } from "../../worker/consumer/tiers.ts";
import type { OffsetTracker } from "../../worker/offsets/offset-tracker.ts";
import type { Outage } from "../../worker/rate-limit/breaker/outage.ts";
import type { Gate } from "../../worker/rate-limit/gate/gate.ts";
import type { QuotaMember } from "../../worker/rate-limit/sharing/quota-member.ts";
import type { Health } from "../wiring/admin.ts";

export interface Watched {
  readonly clock: Clock;
  readonly gate: Pick<Gate, "closed"> & { readonly silence: Pick<Outage, "lastsMs"> };
  readonly pool: Pick<PoisoningBatcher, "isOff">;
  readonly intake: Pick<OffsetTracker, "load">;
  readonly events: Pick<KafkaGroupConsumer, "lag" | "fetchesWithoutProgress" | "missing" | "activeAt">;
  readonly retries: Pick<KafkaGroupConsumer, "activeAt">;
  readonly laneOf: (topic: string) => Lane;
  /** Current gap between requests, milliseconds; 0: no limit. */
  readonly minTimeMs: () => number;
  /** The state of a shared quota. */
  readonly shared: Pick<QuotaMember, "perSecond" | "members"> | undefined;
  /** The part of a configured quota that the key tolerates; more than 0, at most 1. */
  readonly part: () => number;
  /** The state of the schema registry, where one is used. */
  readonly registry?: Pick<SchemaCache, "failure"> | undefined;
}

/** A consumer fetches four times a second, and joins within a minute. After a longer silence it counts as dead. */
const SILENT_MS = 120_000;

/** Chosen: three timeouts. With few events, the circuit breaker would take longer to report it. */
const SILENT_SERVICE_MS = 30_000;

/** The reason to restart a consumer after this silence; empty when it may be well. */
export function silence(who: string, silentMs: number): readonly string[] {
  return silentMs > SILENT_MS ? [`${who} was silent for ${Math.round(silentMs / 1000)} s`] : [];
}

/** The health and the gauges of a running worker. */
export class WorkerWatch {
  readonly #of: Watched;
  #events: GroupLoop | undefined;
  #retries: GroupLoop<Tier> | undefined;

  constructor(of: Watched) {
    this.#of = of;
  }

  readonly begun = (events: GroupLoop, retries: GroupLoop<Tier>): void => {
    this.#events = events;
    this.#retries = retries;
  };

  readonly health: Health = {
    live: () => [
      ...silence("the consumer of the input topics", this.#of.clock.ticks() - this.#of.events.activeAt),
      ...silence("the consumer of the retry topics", this.#of.clock.ticks() - this.#of.retries.activeAt),
    ],
    // A failed archive in this process delays no verdict, and it restarts by itself.
    ready: () => {
      const reasons: string[] = [];
      if (this.#events?.isJoined !== true) reasons.push("the group of the input topics has not been joined");
      if (this.#retries?.isJoined !== true) reasons.push("the group of the retry topics has not been joined");
      const { closed, silence } = this.#of.gate;
      const isSilent = silence.lastsMs(this.#of.clock.ticks()) >= SILENT_SERVICE_MS;
      if (closed === "unauthorized") reasons.push("the service refuses the API key");
      if (closed === "failing" || isSilent) reasons.push("the service gives no answer");
      const failure = this.#of.registry?.failure;
      if (failure === "unauthorized") reasons.push("the schema registry refuses the login");
      if (failure === "failing") reasons.push("the schema registry gives no answer");
      return reasons;
    },
  };

  readonly gauges: Gauges = {
    inWork: (lane) => {
      const oldestAt = this.#events?.oldestAt(lane);
      const oldestMs = oldestAt === undefined ? 0 : Math.max(0, this.#of.clock.now() - oldestAt);
      return { events: this.#of.intake.load(lane).events, oldestSeconds: oldestMs / 1000 };
    },
    stalledPartitionSeconds: (lane) => (this.#events?.stalledPartitionMs(lane) ?? 0) / 1000,
    lag: (lane) => {
      let records = 0;
      for (const [topic, behind] of this.#of.events.lag()) if (this.#of.laneOf(topic) === lane) records += behind;
      return records;
    },
    fetchesWithoutProgress: (lane) => {
      let most = 0;
      for (const [topic, fetches] of this.#of.events.fetchesWithoutProgress())
        if (this.#of.laneOf(topic) === lane) most = Math.max(most, fetches);
      return most;
    },
    missingTopics: (lane) => this.#of.events.missing.filter((topic) => this.#of.laneOf(topic) === lane).length,
    tickets: () => this.#retries?.inFlight ?? 0,
    closed: () => this.#of.gate.closed,
    isPoolingOff: () => this.#of.pool.isOff,
    pace: () => this.#perSecond,
    quotaShare: () => {
      const { shared, part } = this.#of;
      return shared === undefined ? this.#perSecond : part() * shared.perSecond;
    },
    quotaMembers: () => this.#of.shared?.members ?? 0,
  };

  get #perSecond(): number {
    const minTimeMs = this.#of.minTimeMs();
    return minTimeMs === 0 ? 0 : 1_000 / minTimeMs;
  }
}
