import type { Log } from "../../../kernel/log.ts";
import type { QuotaStatement } from "../../../messages/quota-statement.ts";
import { MOST_WEIGHT } from "./fair-weights.ts";
import type { Quota } from "./quota.ts";

/** A number of processes is compared with the number this much earlier, in milliseconds. */
const EARLIER_MS = 10_000;
/**
 * A rise beyond TIMES times the earlier number, plus MORE processes, is suspicious. Chosen: a rollout hardly adds so
 * many in 10 s.
 */
const TIMES = 2;
const MORE = 32;

/**
 * Logs each kind of suspicious statement once. Any writer of the control topic can state anything, and so obtain nearly
 * the whole quota. Only the access rights of the topic prevent that.
 */
export class SuspiciousStatements {
  readonly #quota: Quota;
  readonly #log: Pick<Log, "warn">;
  readonly #said = new Set<string>();
  /** A new process learns of all others within moments. The first number is therefore never suspicious. */
  #earlier = { at: Number.NEGATIVE_INFINITY, members: Number.POSITIVE_INFINITY };

  constructor(quota: Quota, log: Pick<Log, "warn">) {
    this.#quota = quota;
    this.#log = log;
  }

  read({ member, weight, quota: { requests, window_ms } }: QuotaStatement): void {
    const { requests: own, windowMs } = this.#quota;
    if (requests * windowMs !== own * window_ms)
      this.#sayOnce("another process on this key was given another SERVICE_QUOTA: give all of them the same", {
        member,
        theirs: `${requests}/${window_ms}ms`,
        ours: `${own}/${windowMs}ms`,
      });
    if (weight > MOST_WEIGHT)
      this.#sayOnce(
        "a process on this key states a weight beyond all bounds: it counts as the largest that may be given",
        {
          member,
          weight,
          counts: MOST_WEIGHT,
        },
      );
  }

  /** Checks the number of processes that share the quota now. */
  counted(members: number, now: number): void {
    const { at, members: before } = this.#earlier;
    if (members > TIMES * before + MORE)
      this.#sayOnce(
        "many more processes share this key than before: if you did not start them, check which clients may write to TOPIC_CONTROL",
        {
          before,
          now: members,
        },
      );
    if (at === Number.NEGATIVE_INFINITY) this.#earlier = { at: now, members: before };
    else if (now - at >= EARLIER_MS) this.#earlier = { at: now, members };
  }

  #sayOnce(message: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#said.has(message)) return;
    this.#said.add(message);
    this.#log.warn(message, fields);
  }
}
