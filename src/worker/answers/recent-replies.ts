import type { Clock } from "../../kernel/clock.ts";
import type { AppError } from "../../kernel/errors.ts";
import { chainCalledUnsupported } from "../batching/failures/refused-items.ts";
import type { Polled } from "../checks/poll-waits.ts";
import type { TokenQuestion } from "../plan/question.ts";

/** How long a refusal of a question is believed, milliseconds. Chosen: as long as a clean answer is for a deposit. */
const REFUSED_MS = 60_000;
/** A ticket comes back as much too early as clocks are apart, milliseconds. */
const EARLY_MS = 1_000;
/** Questions that are remembered; the oldest is forgotten first. */
const MOST = 10_000;

/** What is asked: the check, the chain, and the text of the question. */
export interface ReplyKey {
  readonly check: string;
  readonly chain: TokenQuestion["chain"];
  readonly key: string;
}

type NoAnswer = Exclude<Polled<object>, { readonly ok: true }>;

interface Reply {
  readonly polled: NoAnswer;
  /** On the monotonic clock. */
  readonly until: number;
}

/**
 * Replies that are no answers, for as long as asking again would bring the same: an analysis that is in progress until the
 * service said that it may be asked again, and a refusal. A hundred events about one token would each ask by themselves.
 */
export class RecentReplies {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #replies = new Map<string, Reply>();

  constructor(clock: Pick<Clock, "ticks">) {
    this.#clock = clock;
  }

  /** What a question would be answered, without a request; undefined when it is to be asked. */
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

/** Whether the service refused what was asked, which it would refuse again. */
function isRefusal({ code }: AppError): boolean {
  return code === "REJECTED" || code === "CHAIN_UNSUPPORTED";
}
