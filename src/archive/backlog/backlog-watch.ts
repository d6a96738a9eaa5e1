import { abortable } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { GroupOffsets, LogTimes } from "../../kernel/stream.ts";
import { Backlog } from "./backlog.ts";
import { oldestBehind } from "./oldest-behind.ts";

export interface BacklogWatchDeps {
  readonly offsets: GroupOffsets & LogTimes;
  readonly topic: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the store is unavailable at the moment. */
  readonly isStoreAway: () => boolean;
}

const ASK_EVERY_MS = 30_000;
/** The age of a partition's backlog is requested only when the partition made no progress for this long. */
const STILL_MS = 4 * ASK_EVERY_MS;
/** The brokers were silent for this long. A lack of progress during the silence is not the archive's fault. */
const SILENT_MS = 3 * ASK_EVERY_MS;

/**
 * Asks the brokers twice a minute for the offsets that are not archived yet. It uses a connection of its own, so it
 * works without a healthy consumer.
 */
export class BacklogWatch {
  readonly backlog = new Backlog();
  readonly #deps: BacklogWatchDeps;

  constructor(deps: BacklogWatchDeps) {
    this.#deps = deps;
  }

  /** Runs until `stop`, even during a pending request to the brokers. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock, log, isStoreAway } = this.#deps;
    while (!stop.aborted) {
      const asked = this.#ask(stop).catch((thrown: unknown) => {
        log.debug("the brokers do not report what the archive has committed", { reason: toError(thrown).message });
      });
      await abortable(asked, stop).catch(() => undefined);
      if (isStoreAway()) this.backlog.excused(clock.ticks());
      await clock.sleep(ASK_EVERY_MS, stop).catch(() => undefined);
    }
  }

  async #ask(stop: AbortSignal): Promise<void> {
    const { offsets, topic, clock } = this.#deps;
    const { backlog } = this;
    const positions = await offsets.positions(topic);
    const [ticks, now] = [clock.ticks(), clock.now()];
    const isFirst = backlog.toldAt === undefined;
    if (ticks - (backlog.toldAt ?? ticks) > SILENT_MS) backlog.excused(ticks);
    backlog.told(positions, { ticks, now });
    // While a partition makes progress, its consumer knows the age of the rest. This saves a dozen requests.
    const undated = backlog.undated(isFirst ? ticks : ticks - STILL_MS);
    if (undated.size === 0) return;
    const oldestAt = await oldestBehind(undated, now, async (at) => {
      stop.throwIfAborted();
      return offsets.firstSince(topic, at);
    });
    backlog.dated(undated.keys(), oldestAt);
  }
}
