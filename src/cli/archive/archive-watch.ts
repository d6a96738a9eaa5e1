import type { KafkaGroupConsumer } from "../../adapters/kafka/consumer/group-consumer.ts";
import type { ArchiveGauges } from "../../adapters/prometheus/archive-metrics.ts";
import type { Backlog } from "../../archive/backlog/backlog.ts";
import type { ArchiveLoop } from "../../archive/writer/archive-loop.ts";
import type { ArchiveStep } from "../../archive/writer/archive-observer.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Health } from "../wiring/admin.ts";
import { silence } from "../worker/worker-watch.ts";

/** One run of an archive. After it has ended, another run may begin in the same process. */
export interface WatchedArchive {
  readonly loop: Pick<ArchiveLoop, "state">;
  readonly consumer: Pick<KafkaGroupConsumer, "lag" | "activeAt">;
  readonly backlog: Pick<Backlog, "toldAt" | "excusedAt" | "oldestAt" | "still">;
}

export interface ArchiveWatchOptions {
  readonly clock: Pick<Clock, "now" | "ticks">;
  /** How long a verdict may wait for its archive object, milliseconds. */
  readonly ageMs: number;
}

/**
 * Longest time without progress. The largest object is given up after less than six minutes and retried within half a
 * minute. So a longer stop does not end by itself.
 */
const IDLE_MS = 600_000;
/**
 * Longest time without progress of one partition: it may wait for the others, while a backlog goes over a slow
 * connection.
 */
const ONE_IDLE_MS = 1_800_000;
/**
 * Longest time without an answer of the brokers, which are queried twice a minute. After this time the backlog counts
 * as unknown.
 */
const UNTOLD_MS = 120_000;

const failures: Readonly<Record<ArchiveStep, string>> = {
  offsets: "the brokers do not say where the group stands",
  objects: "the store does not say where its objects end",
  store: "the store takes no object",
  commit: "commits are refused",
};

/** The health and the gauges of a running archive. */
export class ArchiveWatch {
  readonly #options: ArchiveWatchOptions;
  readonly #openedAt: number;
  #of: WatchedArchive | undefined;
  /** The run that has ended, and its reason. */
  #ended: { readonly of: WatchedArchive | undefined; readonly reason: string } | undefined;

  constructor(options: ArchiveWatchOptions) {
    this.#options = options;
    this.#openedAt = options.clock.ticks();
  }

  begun(of: WatchedArchive): void {
    this.#of = of;
  }

  /** Records the end of a run. The archive is down until a new run has joined its group. */
  ended(reason: string): void {
    this.#ended = { of: this.#of, reason };
  }

  readonly health: Health = {
    live: () => {
      if (this.#of === undefined) return [];
      const now = this.#options.clock.ticks();
      const { state } = this.#of.loop;
      const idleMs = now - (state.idleSince ?? now);
      const idle = idleMs > IDLE_MS ? [`objects are due, and none was tried for ${Math.round(idleMs / 1000)} s`] : [];
      return [...this.#silence(now, this.#of), ...idle, ...this.#still(now)];
    },
    ready: () => {
      const state = this.#of?.loop.state;
      if (this.#down !== undefined) return [`the archive has ended, and begins anew: ${this.#down}`];
      if (state?.isJoined !== true) return ["the group of the archive has not been joined"];
      const reasons = state.failing.map((step) => failures[step]);
      if (this.#untoldMs(this.#options.clock.ticks()) > UNTOLD_MS)
        reasons.push("the brokers do not report what the archive has committed");
      if (state.locating > 0) reasons.push(`where ${state.locating} partitions go on is not known yet`);
      if (state.halted.length > 0) {
        reasons.push(`nothing is archived of partition ${state.halted.join(", ")}: see the log`);
      }
      return reasons;
    },
  };

  readonly gauges: ArchiveGauges = {
    oldestSeconds: () => {
      const { clock } = this.#options;
      const [now, ticks] = [clock.now(), clock.ticks()];
      const { loop, backlog } = this.#of ?? {};
      const untoldMs = this.#untoldMs(ticks);
      const read = loop?.state.oldestAt ?? now;
      // The age of read verdicts is exact. The age of the others comes from the brokers, in any state of the archive.
      const told = backlog?.oldestAt ?? now;
      return Math.max(0, now - Math.min(read, told), untoldMs > UNTOLD_MS ? untoldMs : 0) / 1000;
    },
    lag: () =>
      this.#of?.consumer
        .lag()
        .values()
        .reduce((sum, behind) => sum + behind, 0) ?? 0,
    waitingBytes: () => this.#of?.loop.state.bytes ?? 0,
    halted: () => this.#of?.loop.state.halted.length ?? 0,
    isDown: () => this.#down !== undefined,
  };

  /** Time since the brokers last reported the archived offsets, milliseconds. */
  #untoldMs(ticks: number): number {
    return ticks - (this.#of?.backlog.toldAt ?? this.#openedAt);
  }

  /**
   * A consumer counts as silent only while the brokers answer other requests. While the brokers are down, a restart
   * repairs nothing.
   */
  #silence(now: number, { consumer, backlog }: WatchedArchive): readonly string[] {
    if (this.#untoldMs(now) > UNTOLD_MS) return [];
    return silence("the archive's consumer", now - Math.max(consumer.activeAt, backlog.excusedAt));
  }

  /** The reason why the archive is down; undefined while it is up. */
  get #down(): string | undefined {
    const isBack = this.#ended?.of !== this.#of && this.#of?.loop.state.isJoined === true;
    return isBack ? undefined : this.#ended?.reason;
  }

  /**
   * Whether verdicts of its partitions wait and the group commits none of them. Heartbeats show that a consumer lives,
   * but not that it works. A consumer outside of the group watches every partition. A halted partition waits for an
   * operator, and a restart does not help.
   */
  #still(now: number): readonly string[] {
    if (this.#of === undefined) return [];
    const { isJoined, assigned, halted } = this.#of.loop.state;
    const isOurs = (partition: number) => (!isJoined || assigned.includes(partition)) && !halted.includes(partition);
    const { all, one } = this.#of.backlog.still(now, isOurs);
    const { ageMs } = this.#options;
    if (all <= ageMs + IDLE_MS && one <= ageMs + ONE_IDLE_MS) return [];
    return [`verdicts wait, and none was archived for ${Math.round(Math.max(all, one) / 1000)} s`];
  }
}
