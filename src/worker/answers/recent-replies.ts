import type { Clock } from "../../kernel/clock.ts";
import type { AppError } from "../../kernel/errors.ts";
import { chainCalledUnsupported } from "../batching/failures/refused-items.ts";
import type { Polled } from "../checks/poll-waits.ts";
import type { TokenQuestion } from "../plan/question.ts";

/**
 * How long a refusal of a question is reused, milliseconds. Chosen: equal to the cache age of a clean answer for a
 * deposit.
 */
const REFUSED_MS = 60_000;
/** A retry ticket may come back early by the difference of two clocks, milliseconds. */
const EARLY_MS = 1_000;
/** Limit of remembered questions. The oldest is dropped first. */
const MOST = 10_000;

/** The check, the chain and the text of a question. */
export interface ReplyKey {
  readonly check: string;
  readonly chain: TokenQuestion["chain"];
  readonly key: string;
}

type NoAnswer = Exclude<Polled<object>, { readonly ok: true }>;

interface Reply {
  readonly polled: NoAnswer;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

/**
 * Replies without an answer, kept for as long as another request would get the same reply. A running analysis is kept
 * until its next poll is due, and a refusal for a fixed time. Without them, a hundred events about one token would send
 * a hundred requests.
 */
export class RecentReplies {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #replies = new Map<string, Reply>();

  constructor(clock: Pick<Clock, "ticks">) {
    this.#clock = clock;
  }

  /** The known reply to a question. Undefined when the question has to be sent. */
  find({ check, chain, key }: ReplyKey): NoAnswer | undefined {
    if (this.#replies.size === 0) return undefined;
    const now = this.#clock.ticks();
    const reply = this.#good(key, now) ?? this.#good(chainKey(check, chain.id), now);
    if (reply === undefined) return undefined;
    const { polled, until } = reply;
    if (polled.ok === "later") return { ...polled, afterMs: until - now };
    return { ...polled, trace: { ...polled.trace, requests: 0, cached: true } };
  }

  keep({ check, chain, key }: ReplyKey, polled: Polled<object>): void {
    const now = this.#clock.ticks();
    if (polled.ok === true) this.#replies.delete(key);
    else if (polled.ok === "later") this.#put(key, { polled, until: now + polled.afterMs });
    else if (isRefusal(polled.error)) {
      const isOfChain = chainCalledUnsupported(polled.error.message)?.id === chain.id;
      this.#put(isOfChain ? chainKey(check, chain.id) : key, { polled, until: now + REFUSED_MS });
    }
  }

  #good(key: string, now: number): Reply | undefined {
    const reply = this.#replies.get(key);
    if (reply === undefined) return undefined;
    const earlyMs = reply.polled.ok === "later" ? EARLY_MS : 0;
    if (now < reply.until - earlyMs) return reply;
    this.#replies.delete(key);
    return undefined;
  }

  #put(key: string, reply: Reply): void {
    this.#replies.delete(key);
    this.#replies.set(key, reply);
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > MOST && oldest !== undefined) this.#replies.delete(oldest);
  }
}

function chainKey(check: string, chain: string): string {
  return `${check} of chain ${chain}`;
}

/** Whether the service refused the question and would refuse it again. */
function isRefusal({ code }: AppError): boolean {
  return code === "REJECTED" || code === "CHAIN_UNSUPPORTED";
}
