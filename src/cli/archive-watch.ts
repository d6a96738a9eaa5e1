import type { KafkaGroupConsumer } from "../adapters/kafka/group-consumer.ts";
import type { ArchiveGauges } from "../adapters/prometheus/archive-metrics.ts";
import type { ArchiveLoop } from "../archive/archive-loop.ts";
import type { ArchiveStep } from "../archive/archive-observer.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Health } from "./admin.ts";
import { silence } from "./worker-watch.ts";

export interface WatchedArchive {
  readonly clock: Clock;
  readonly consumer: Pick<KafkaGroupConsumer, "lag" | "activeAt">;
}

/**
 * The largest object is given up after less than six minutes and tried again within half a minute: longer than this, nothing
 * goes on by itself.
 */
const IDLE_MS = 600_000;

const failures: Readonly<Record<ArchiveStep, string>> = {
  offsets: "the brokers do not say where the group stands",
  objects: "the store does not say where its objects end",
  store: "the store takes no object",
  commit: "commits are refused",
};

/** What a running archive shows to who asks for its health and its gauges. */
export class ArchiveWatch {
  readonly #of: WatchedArchive;
  #loop: Pick<ArchiveLoop, "state"> | undefined;
  /** When it was last known to be in its group, or began; ticks of the clock. */
  #joinedAt: number;

  constructor(of: WatchedArchive) {
    this.#of = of;
    this.#joinedAt = of.clock.ticks();
  }

  begun(loop: Pick<ArchiveLoop, "state">): void {
    this.#loop = loop;
  }

  readonly health: Health = {
    live: () => {
      const now = this.#of.clock.ticks();
      const idleMs = now - (this.#loop?.state.idleSince ?? now);
      const idle = idleMs > IDLE_MS ? [`objects are due, and none was tried for ${Math.round(idleMs / 1000)} s`] : [];
      return [...silence("the archive's consumer", now - this.#of.consumer.activeAt), ...idle];
    },
    ready: () => {
      const state = this.#loop?.state;
      if (state?.isJoined !== true) return ["the group of the archive has not been joined"];
      const reasons = state.failing.map((step) => failures[step]);
      if (state.locating > 0) reasons.push(`where ${state.locating} partitions go on is not known yet`);
      if (state.halted.length > 0) {
        reasons.push(`nothing is archived of partition ${state.halted.join(", ")}: see the log`);
      }
      return reasons;
    },
  };

  readonly gauges: ArchiveGauges = {
    oldestSeconds: () => {
      const { clock } = this.#of;
      const [now, ticks] = [clock.now(), clock.ticks()];
      const { oldestAt = now, locatingSince = ticks, isJoined = false } = this.#loop?.state ?? {};
      // Outside of its group it knows of no verdict that waits, however many do.
      if (isJoined) this.#joinedAt = ticks;
      return Math.max(0, now - oldestAt, ticks - locatingSince, ticks - this.#joinedAt) / 1000;
    },
    lag: () =>
      this.#of.consumer
        .lag()
        .values()
        .reduce((sum, behind) => sum + behind, 0),
    waitingBytes: () => this.#loop?.state.bytes ?? 0,
    halted: () => this.#loop?.state.halted.length ?? 0,
  };
}
