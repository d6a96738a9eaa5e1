import { timestamp } from "../../kernel/clock.ts";
import { failureCodes } from "../../messages/verdict.ts";
import { type Letter, type Unfit, unfit } from "../../worker/consumer/records/replay-ticket.ts";

const skips = {
  other: "not what the flags ask for",
  hopeless: "of events that cannot be screened as they are (--reason replays them anyway)",
  older: "older than another letter on the same verdict, or a copy",
  ...unfit,
} as const;

const known: ReadonlySet<string> = new Set(failureCodes);

/** The counts of dead letters and their results. Holds no dead letter. */
export class ReplayTally {
  /** Records that were read; each is read twice. */
  read = 0;
  replayed = 0;
  readonly #byReason = new Map<string, number>();
  readonly #byDay = new Map<string, number>();
  readonly #skipped = new Map<keyof typeof skips, number>();
  #oldest = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;

  replay({ reasons, failedAt }: Letter): void {
    this.replayed++;
    // An unknown reason must not get a row of its own.
    const names = new Set(reasons.map((code) => (known.has(code) ? code : "another reason")));
    for (const name of names.size === 0 ? ["no reason given"] : names) count(this.#byReason, name);
    count(this.#byDay, timestamp(failedAt).slice(0, 10));
    this.#oldest = Math.min(this.#oldest, failedAt);
    this.#newest = Math.max(this.#newest, failedAt);
  }

  skip(why: Unfit | "other" | "hopeless" | "older"): void {
    count(this.#skipped, why);
  }

  /** The counts as lines of text. */
  lines(): readonly string[] {
    const lines: string[] = [];
    if (this.replayed > 0) {
      lines.push("", "by reason:", ...rows(byCount(this.#byReason)));
      lines.push("", "by day:", ...rows([...this.#byDay].sort(([a], [b]) => (a < b ? -1 : 1))));
      lines.push(`  oldest ${timestamp(this.#oldest)}, newest ${timestamp(this.#newest)}`);
    }
    const skipped = byCount(this.#skipped).map(([why, howMany]) => [skips[why], howMany] as const);
    if (skipped.length > 0) lines.push("", "skipped:", ...rows(skipped));
    return lines;
  }
}

function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function byCount<K>(counts: ReadonlyMap<K, number>): readonly (readonly [K, number])[] {
  return [...counts].sort(([, a], [, b]) => b - a);
}

function rows(counted: readonly (readonly [string, number])[]): readonly string[] {
  return counted.map(([name, howMany]) => `  ${String(howMany).padStart(9)}  ${name}`);
}
