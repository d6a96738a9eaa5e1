import { abortable } from "../../kernel/abortable.ts";
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
  /** Whether the store does not answer at the moment. */
  readonly isStoreAway: () => boolean;
}

const ASK_EVERY_MS = 30_000;
/** What has not gone on for so long is asked how old it is. */
const STILL_MS = 4 * ASK_EVERY_MS;
/** Brokers that said nothing for so long: what did not go on meanwhile could not. */
const SILENT_MS = 3 * ASK_EVERY_MS;

/** Asks the brokers twice a minute what is not archived yet, on a connection of its own: no consumer need be well for that. */
export class BacklogWatch {
  readonly backlog = new Backlog();
  readonly #deps: BacklogWatchDeps;

  constructor(deps: BacklogWatchDeps) {
    this.#deps = deps;
  }

  /** Runs until `stop`, whatever is on its way to the brokers. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock, log, isStoreAway } = this.#deps;
    while (!stop.aborted) {
      const asked = this.#ask(stop).catch((thrown: unknown) => {
        log.debug("the brokers do not say what is archived", { reason: toError(thrown).message });
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
    // How old the rest of a partition is that goes on, whoever reads it knows, without a dozen questions.
    const undated = backlog.undated(isFirst ? ticks : ticks - STILL_MS);
    if (undated.size === 0) return;
    const oldestAt = await oldestBehind(undated, now, async (at) => {
      stop.throwIfAborted();
      return offsets.firstSince(topic, at);
    });
    backlog.dated(undated.keys(), oldestAt);
  }
}
