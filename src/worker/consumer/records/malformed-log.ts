import type { Clock } from "../../../kernel/clock.ts";
import type { Log } from "../../../kernel/log.ts";
import type { PartitionOffset } from "../../../kernel/stream.ts";

/** Chosen: producers that invent faults must not fill the log. */
const MAX_KINDS = 32;
const MAX_KIND_LENGTH = 160;
const OTHERS = "other kinds";
const EVERY_MS = 60_000;

/**
 * Logs records that are no events. The first record of each kind is logged with its position. Once a minute the counts
 * of all kinds are logged. A kind is the fault, without the index of the faulty item.
 */
export class MalformedLog {
  readonly #log: Pick<Log, "warn">;
  readonly #kinds = new Set<string>();
  /** Records since the last summary, by kind. */
  #counts = new Map<string, number>();

  constructor(log: Pick<Log, "warn">) {
    this.#log = log;
  }

  add(detail: string, { topic, partition, offset }: PartitionOffset): void {
    const kind = this.#kindOf(detail);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.#log.warn("a record is no event: the first with this fault", { detail: kind, topic, partition, offset });
  }

  /** Logs the counts since the last call, and nothing when there are none. */
  tell(): void {
    if (this.#counts.size === 0) return;
    const kinds = [...this.#counts].sort(([, a], [, b]) => b - a);
    this.#counts = new Map();
    const count = kinds.reduce((sum, [, records]) => sum + records, 0);
    this.#log.warn("further records were no events", {
      count,
      what: kinds.map(([kind, n]) => `${n} ${kind}`).join("; "),
    });
  }

  /** Logs the counts once a minute, and a last time at `stop`. Never rejects. */
  async run(clock: Pick<Clock, "sleep">, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await clock.sleep(EVERY_MS, stop).catch(() => undefined);
      this.tell();
    }
  }

  #kindOf(detail: string): string {
    const kind = detail.replaceAll(/\d+/g, "N").slice(0, MAX_KIND_LENGTH);
    return this.#kinds.has(kind) || this.#kinds.size < MAX_KINDS ? kind : OTHERS;
  }
}
