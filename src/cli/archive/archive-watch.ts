import type { KafkaGroupConsumer } from "../../adapters/kafka/consumer/group-consumer.ts";
import type { ArchiveGauges } from "../../adapters/prometheus/archive-metrics.ts";
import type { Backlog } from "../../archive/backlog/backlog.ts";
import type { ArchiveLoop } from "../../archive/writer/archive-loop.ts";
import type { ArchiveStep } from "../../archive/writer/archive-observer.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Health } from "../wiring/admin.ts";
import { silence } from "../worker/worker-watch.ts";

/** One life of an archive: after it has ended, another may begin in the same process. */
export interface WatchedArchive {
  readonly loop: Pick<ArchiveLoop, "state">;
  readonly consumer: Pick<KafkaGroupConsumer, "lag" | "activeAt">;
  readonly backlog: Pick<Backlog, "toldAt" | "excusedAt" | "oldestAt" | "still">;
}

export interface ArchiveWatchOptions {
  readonly clock: Pick<Clock, "now" | "ticks">;
  /** How long a verdict may wait for its object, milliseconds. */
  readonly ageMs: number;
}

/**
 * The largest object is given up after less than six minutes and tried again within half a minute: longer than this, nothing
 * goes on by itself.
 */
const IDLE_MS = 600_000;
/** One partition of many may wait for the others, while a backlog goes over a slow line. */
const ONE_IDLE_MS = 1_800_000;
/** The brokers are asked twice a minute. When they have not answered for so long, nobody knows what waits. */
const UNTOLD_MS = 120_000;

const failures: Readonly<Record<ArchiveStep, string>> = {
  offsets: "the brokers do not say where the group stands",
  objects: "the store does not say where its objects end",
  store: "the store takes no object",
  commit: "commits are refused",
};

/** What a running archive shows to who asks for its health and its gauges. */
export class ArchiveWatch {
  readonly #options: ArchiveWatchOptions;
  readonly #openedAt: number;
  #of: WatchedArchive | undefined;
  /** The life that has ended, and why. */
  #ended: { readonly of: WatchedArchive | undefined; readonly reason: string } | undefined;

  constructor(options: ArchiveWatchOptions) {
    this.#options = options;
    this.#openedAt = options.clock.ticks();
  }

  begun(of: WatchedArchive): void {
    this.#of = of;
  }

  /** It archives no more until it begins anew, and is in its group again. */
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
        reasons.push("the brokers do not say what is archived");
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
      // What was read is known to the moment; of the rest the brokers tell, however the archive is.
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

  /** For how long the brokers have not told what is archived. */
  #untoldMs(ticks: number): number {
    return ticks - (this.#of?.backlog.toldAt ?? this.#openedAt);
  }

  /** A consumer is silent when the brokers tell others and not it: while they are away, a restart mends nothing. */
  #silence(now: number, { consumer, backlog }: WatchedArchive): readonly string[] {
    if (this.#untoldMs(now) > UNTOLD_MS) return [];
    return silence("the archive's consumer", now - Math.max(consumer.activeAt, backlog.excusedAt));
  }

  /** Why it is down; undefined while it is not. */
  get #down(): string | undefined {
    const isBack = this.#ended?.of !== this.#of && this.#of?.loop.state.isJoined === true;
    return isBack ? undefined : this.#ended?.reason;
  }

  /**
   * Whether verdicts of its partitions wait and the group commits nothing of them: heartbeats say that a consumer lives, and
   * nothing of what it does. Whoever is in no group has every partition to see to. One that is halted waits for somebody to
   * look, which a restart is not.
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
