import type { Clock } from "../kernel/clock.ts";
import { toError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { GroupOffsets, LogTimes } from "../kernel/stream.ts";
import { Backlog } from "./backlog.ts";
import { oldestBehind } from "./oldest-behind.ts";

export interface BacklogWatchDeps {
  readonly offsets: GroupOffsets & LogTimes;
  readonly topic: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the store does not answer at the moment. */
  readonly isStoreAway: () => boolean;
}

const ASK_EVERY_MS = 30_000;
/** Brokers that said nothing for so long: what did not go on meanwhile could not. */
const SILENT_MS = 3 * ASK_EVERY_MS;

/** Asks the brokers twice a minute what is not archived yet, on a connection of its own: no consumer need be well for that. */
export class BacklogWatch {
  readonly backlog = new Backlog();
  readonly #deps: BacklogWatchDeps;

  constructor(deps: BacklogWatchDeps) {
    this.#deps = deps;
  }

  /** Runs until `stop`. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock, log, isStoreAway } = this.#deps;
    while (!stop.aborted) {
      try {
        await this.#ask();
      } catch (thrown) {
        log.debug("the brokers do not say what is archived", { reason: toError(thrown).message });
      }
      if (isStoreAway()) this.backlog.excused(clock.ticks());
      await clock.sleep(ASK_EVERY_MS, stop).catch(() => undefined);
    }
  }

  async #ask(): Promise<void> {
    const { offsets, topic, clock } = this.#deps;
    const { backlog } = this;
    const positions = await offsets.positions(topic);
    const [ticks, now] = [clock.ticks(), clock.now()];
    if (ticks - (backlog.toldAt ?? ticks) > SILENT_MS) backlog.excused(ticks);
    backlog.told(positions, { ticks, now });
    const { undated } = backlog;
    if (undated.size === 0) return;
    const oldestAt = await oldestBehind(undated, now, (at) => offsets.firstSince(topic, at));
    backlog.dated(undated.keys(), oldestAt);
  }
}
