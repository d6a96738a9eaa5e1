import type { Clock } from "../../../kernel/clock.ts";
import type { Outcome, RequestTrace } from "../../answers/outcome.ts";
import type { ChainUnsupportedError } from "../../answers/service-errors.ts";
import type { BatchEntry } from "../batch-entry.ts";
import { chainCalledUnsupported } from "./refused-items.ts";

/**
 * How long a chain counts as unsupported after a refusal, milliseconds. Chosen: equal to the cache age of a '0' for a
 * deposit. A new chain is noticed after a minute at most. A chain that is never supported costs one request per minute.
 */
const GOOD_MS = 60_000;

/** The last refusal of a chain. */
interface Refused {
  readonly target: string;
  /** Whether another target was refused as well, and no entry of the chain was answered in between. */
  readonly isOfAll: boolean;
  readonly error: ChainUnsupportedError;
  readonly trace: RequestTrace;
  /** Time of the refusal, milliseconds of the monotonic clock. */
  readonly at: number;
  /** Whether an entry was let through since, to test whether the chain is still refused. */
  isTried: boolean;
}

/** Keyed by chain, so the number of supported chains limits the size. */
type ByChain = Map<string, Refused>;

/**
 * Chains for which the service refuses the whole request, as the interface describes for the single form. Without this
 * record each entry of such a chain would cost a request. Two refused targets establish the refusal, because a single
 * target may be refused for itself. Other entries of the chain then get the same error for a while. Only requests of
 * one entry count, so each entry gets the answer that it would have got by itself. Single and batch form are recorded
 * apart, because a service may support a chain in only one form.
 */
export class UnsupportedChains {
  readonly #clock: Pick<Clock, "now" | "ticks">;
  readonly #singles: ByChain = new Map();
  readonly #batches: ByChain = new Map();

  constructor(clock: Pick<Clock, "now" | "ticks">) {
    this.#clock = clock;
  }

  /** Records that a request with only this entry was refused. */
  refused(part: BatchEntry, error: ChainUnsupportedError, trace: RequestTrace): void {
    if (chainCalledUnsupported(error.message) !== part.chain) return;
    const { target, chain } = part;
    const refused = this.#ofForm(part);
    const before = refused.get(chain.id);
    const isOfAll = before !== undefined && (before.isOfAll || before.target !== target);
    refused.set(chain.id, { target, isOfAll, error, trace, at: this.#clock.ticks(), isTried: false });
  }

  /** Records that the service supports the chain of this entry. */
  answered(part: BatchEntry): void {
    // Nearly always the map is empty.
    const refused = this.#ofForm(part);
    if (refused.size > 0) refused.delete(part.chain.id);
  }

  /**
   * The answer for a new entry. One entry per period gets none and is sent, to test whether the refusal still holds.
   */
  answerTo(part: BatchEntry): Outcome<never> | undefined {
    const found = this.#known(part);
    if (found === undefined || found.isTried || this.#ageOf(found) < GOOD_MS) return this.find(part, 0);
    found.isTried = true;
    return undefined;
  }

  /**
   * The answer for a waiting entry.
   *
   * @param requests Requests that the entry has been in so far.
   */
  find(part: BatchEntry, requests: number): Outcome<never> | undefined {
    const found = this.#known(part);
    return found && { ok: false, error: found.error, trace: { ...found.trace, requests, cached: true } };
  }

  /** Whether the entry would cause its whole batch to be refused, because the batch form lacks its chain. */
  spoils(part: BatchEntry): boolean {
    return this.#known(part, this.#batches) !== undefined;
  }

  /** The refusal expires when the test entry gets no answer for another period. */
  #known(part: BatchEntry, refused = this.#ofForm(part)): Refused | undefined {
    if (refused.size === 0) return undefined;
    const found = refused.get(part.chain.id);
    return found?.isOfAll === true && this.#ageOf(found) < 2 * GOOD_MS ? found : undefined;
  }

  /** Age by the larger of both clocks, as for every cached answer. A time in the future makes the refusal expired. */
  #ageOf({ at, trace: { answeredAt = 0 } }: Refused): number {
    const age = this.#clock.now() - answeredAt;
    return age < 0 ? Number.POSITIVE_INFINITY : Math.max(age, this.#clock.ticks() - at);
  }

  #ofForm({ users }: BatchEntry): ByChain {
    return users.length === 0 ? this.#singles : this.#batches;
  }
}
