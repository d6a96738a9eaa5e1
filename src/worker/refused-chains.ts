import type { Clock } from "../kernel/clock.ts";
import type { AppError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { chainCalledUnsupported } from "./poisoning-pool/refused-items.ts";
import type { Polled } from "./poll/poll.ts";
import type { Asked } from "./recent-replies.ts";

/** How long a refusal of a chain is believed, milliseconds. Chosen: as long as one of a question. */
const REFUSED_MS = 60_000;
/**
 * Different questions that must be refused where no refusal names the chain. Chosen: few requests, and more than one event
 * asks about.
 */
const DISTINCT = 5;
/**
 * For how long a chain passes for one that the service has, after a question was taken, milliseconds. Chosen: senders of
 * events about addresses that are no tokens must not have a chain refused that others are answered about.
 */
const TAKEN_MS = 3_600_000;

type Refusal = Extract<Polled<object>, { readonly ok: false }>;

interface Row {
  /** Questions that were refused since one was taken; no more than it needs. */
  readonly keys: Set<string>;
  refusal: Refusal | undefined;
  /** When the last refusal came, on the monotonic clock. */
  refusedAt: number;
  takenAt: number;
  /** Whether one question is asked since, to see whether the chain is still refused. */
  isTried: boolean;
  /** What has the questions leave that wait to be asked. */
  readonly leavers: Set<() => void>;
}

/**
 * Chains that a service refuses for a check, whatever is asked. A thousand events about as many tokens of one would each be
 * refused by themselves. A refusal that names the chain suffices; otherwise several different questions must be refused, and
 * none be taken. One question a minute then sees whether it is so still, and one that is taken forgets it all. There is a
 * row for each check and chain.
 */
export class RefusedChains {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #log: Pick<Log, "warn">;
  readonly #rows = new Map<string, Row>();

  constructor(clock: Pick<Clock, "ticks">, log: Pick<Log, "warn">) {
    this.#clock = clock;
    this.#log = log;
  }

  /** What a question would be answered; undefined when it is to be asked. */
  find(asked: Asked): Refusal | undefined {
    const row = this.#rows.get(nameOf(asked));
    if (row?.refusal === undefined) return undefined;
    const age = this.#clock.ticks() - row.refusedAt;
    // What was to see whether it is so still has no answer: an outage must not pass for a refusal.
    if (age >= 2 * REFUSED_MS) row.refusal = undefined;
    else if (age >= REFUSED_MS && !row.isTried) row.isTried = true;
    else return row.refusal;
    return undefined;
  }

  /** A question waits to be asked. @param leave has it wait no longer. @returns what forgets it. */
  wait(asked: Asked, leave: () => void): () => void {
    const { leavers } = this.#rowOf(asked);
    leavers.add(leave);
    return () => leavers.delete(leave);
  }

  /** The service took a question: it answered, or has begun an analysis. */
  taken(asked: Asked): void {
    const row = this.#rowOf(asked);
    row.keys.clear();
    row.refusal = undefined;
    row.takenAt = this.#clock.ticks();
  }

  refused(asked: Asked, refusal: Refusal): void {
    const named = chainCalledUnsupported(refusal.error.message);
    if (named !== undefined && named.id !== asked.chain.id) return;
    const row = this.#rowOf(asked);
    const now = this.#clock.ticks();
    if (row.keys.size < DISTINCT) row.keys.add(asked.key);
    const isOfAll = row.keys.size >= DISTINCT && now - row.takenAt >= TAKEN_MS;
    if (named === undefined && !isOfAll) return;
    const wasKnown = row.refusal !== undefined;
    Object.assign(row, { refusal, refusedAt: now, isTried: false });
    if (!wasKnown) this.#tell(asked, refusal.error);
    for (const leave of [...row.leavers]) leave();
  }

  #tell({ check, chain }: Asked, { message }: AppError): void {
    const what = "the service refuses a check of a whole chain: it is asked about once a minute";
    this.#log.warn(what, { operation: check, chain: chain.id, reason: message });
  }

  #rowOf(asked: Asked): Row {
    const name = nameOf(asked);
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const never = Number.NEGATIVE_INFINITY;
    const row: Row = {
      keys: new Set(),
      refusal: undefined,
      refusedAt: never,
      takenAt: never,
      isTried: false,
      leavers: new Set(),
    };
    this.#rows.set(name, row);
    return row;
  }
}

function nameOf({ check, chain }: Asked): string {
  return `${check} of chain ${chain.id}`;
}
