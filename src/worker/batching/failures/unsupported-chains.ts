import type { Clock } from "../../../kernel/clock.ts";
import type { Outcome, RequestTrace } from "../../answers/outcome.ts";
import type { ChainUnsupportedError } from "../../answers/service-errors.ts";
import type { BatchEntry } from "../batch-entry.ts";
import { chainCalledUnsupported } from "./refused-items.ts";

/**
 * How long it is believed that a service does not have a chain, milliseconds. Chosen: as long as a '0' is for a deposit, so
 * a chain that it takes up is asked about a minute later at most, and one that it never has costs a request a minute.
 */
const GOOD_MS = 60_000;

/** The last time that a chain was refused. */
interface Refused {
  readonly target: string;
  /** Whether another target was refused as well, and no part of the chain was answered in between. */
  readonly isOfAll: boolean;
  readonly error: ChainUnsupportedError;
  readonly trace: RequestTrace;
  /** When that was, on the monotonic clock. */
  readonly at: number;
  /** Whether somebody is asked about since, to see whether it is refused still. */
  isTried: boolean;
}

/** Of the chains that there are; so it is bounded by those. */
type ByChain = Map<string, Refused>;

/**
 * Chains that the service refuses with the whole request, as the interface says of the single form. Each of their
 * parts had such a request of its own, for ever; now two do, about two targets since one alone may be what is refused, and the
 * others have that answer for a while. It is asked for by parts alone, so it is what each would have had by itself; in its
 * form, for a service may have a chain in the one and not in the other.
 */
export class UnsupportedChains {
  readonly #clock: Pick<Clock, "now" | "ticks">;
  readonly #singles: ByChain = new Map();
  readonly #batches: ByChain = new Map();

  constructor(clock: Pick<Clock, "now" | "ticks">) {
    this.#clock = clock;
  }

  /** A request about this part alone was refused. */
  refused(part: BatchEntry, error: ChainUnsupportedError, trace: RequestTrace): void {
    if (chainCalledUnsupported(error.message) !== part.chain) return;
    const { target, chain } = part;
    const refused = this.#ofForm(part);
    const before = refused.get(chain.id);
    const isOfAll = before !== undefined && (before.isOfAll || before.target !== target);
    refused.set(chain.id, { target, isOfAll, error, trace, at: this.#clock.ticks(), isTried: false });
  }

  /** The service has the chain of this part. */
  answered(part: BatchEntry): void {
    // Nearly always there is none.
    const refused = this.#ofForm(part);
    if (refused.size > 0) refused.delete(part.chain.id);
  }

  /** What a part is answered that comes; one each time has none, and is to be asked about to see whether it still holds. */
  answerTo(part: BatchEntry): Outcome<never> | undefined {
    const found = this.#known(part);
    if (found === undefined || found.isTried || this.#ageOf(found) < GOOD_MS) return this.find(part, 0);
    found.isTried = true;
    return undefined;
  }

  /** What a part is answered that was in so many requests and waits for another. */
  find(part: BatchEntry, requests: number): Outcome<never> | undefined {
    const found = this.#known(part);
    return found && { ok: false, error: found.error, trace: { ...found.trace, requests, cached: true } };
  }

  /** Whether it would have those refused that it shares a request with: its chain is, in the form for several. */
  spoils(part: BatchEntry): boolean {
    return this.#known(part, this.#batches) !== undefined;
  }

  /** It is believed no longer when the one that was to be asked about has no answer for as long again. */
  #known(part: BatchEntry, refused = this.#ofForm(part)): Refused | undefined {
    if (refused.size === 0) return undefined;
    const found = refused.get(part.chain.id);
    return found?.isOfAll === true && this.#ageOf(found) < 2 * GOOD_MS ? found : undefined;
  }

  /** By either clock, as of every answer that is remembered; what seems to come from the future is not believed. */
  #ageOf({ at, trace: { answeredAt = 0 } }: Refused): number {
    const age = this.#clock.now() - answeredAt;
    return age < 0 ? Number.POSITIVE_INFINITY : Math.max(age, this.#clock.ticks() - at);
  }

  #ofForm({ users }: BatchEntry): ByChain {
    return users.length === 0 ? this.#singles : this.#batches;
  }
}
