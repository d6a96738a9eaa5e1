import type { Verdict } from "../../src/messages/verdict.ts";
import type { PoisoningEntry } from "./backed-poisoning.ts";
import type { Expected } from "./expected.ts";
import type { Scenario } from "./scenario.ts";
import type { LoggedAnswer, LoggedRequest } from "./service-log.ts";
import { isRaised, itemKey } from "./truth.ts";

type Entry = Verdict["checks"][number];

/**
 * Checks cached answers. When an event is read, an earlier answer is not older than its lane allows. No cached answer
 * dates from before a failed canary.
 */
export class Remembered {
  readonly #scenario: Scenario;
  #life = -1;
  #readAt = new Map<number, number>();
  #silentAt = Number.POSITIVE_INFINITY;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** A process begins with an empty cache. */
  begin(): void {
    this.#life++;
    this.#readAt = new Map();
    this.#silentAt = Number.POSITIVE_INFINITY;
  }

  read(line: number, now: number): void {
    this.#readAt.set(line, now);
  }

  /** A canary failed. */
  silent(now: number): void {
    this.#silentAt = Math.min(this.#silentAt, now);
  }

  /** @returns the faults of an entry in the verdict on a line. */
  faultsOf(entry: Entry, line: number, expected: Expected, log: readonly LoggedRequest[]): readonly string[] {
    const readAt = this.#readAt.get(line);
    const subject = entry.check === "token-security" ? expected.token : expected.target;
    if (readAt === undefined || subject === undefined || entry.outcome !== "ok" || !entry.cached) return [];
    const key = itemKey(subject);
    const answers = log.flatMap(({ life, keys, answer }) =>
      life === this.#life && keys.has(key) && answer !== undefined && answer.answeredAt === entry.answered_at
        ? [answer]
        : [],
    );
    if (answers.length === 0) return [];
    const faults: string[] = [];
    const maxAge = this.#ageOf(entry, line);
    if (answers.every(({ answeredTicks }) => readAt - answeredTicks >= maxAge))
      faults.push(`${entry.check} was answered too long ago`);
    const isBefore = ({ answeredTicks }: LoggedAnswer) => answeredTicks <= this.#silentAt;
    if (entry.check === "poisoning" && readAt > this.#silentAt && answers.every(isBefore))
      faults.push("it was answered before a canary fell silent");
    return faults;
  }

  #ageOf(entry: Entry, line: number): number {
    const { cacheAges, records } = this.#scenario;
    const event = records[line - 1]?.event;
    if (event?.ok !== true || event.value.lane !== "realtime") return cacheAges.backfill;
    return entry.check === "poisoning" && isFlagged(entry) ? cacheAges.raised : cacheAges.clean;
  }
}

function isFlagged(entry: Entry): boolean {
  const { target, token } = (entry as PoisoningEntry).data;
  return isRaised(target) || (token !== undefined && isRaised(token));
}
