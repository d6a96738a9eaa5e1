import type { ResponseOf } from "../../api/routes.ts";
import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";
import type { EvidenceOf } from "../../messages/evidence.ts";
import { AnswerInvalidError, RejectedError, UnavailableError } from "../answers/service-errors.ts";
import type { SecurityService } from "../ports.ts";
import type { RequestedSlots } from "../rate-limit/gate/gate-slots.ts";
import { WithdrawnError } from "../rate-limit/gate/withdrawn-error.ts";
import { keepPosition } from "../rate-limit/queue/position.ts";
import type { WeightOf } from "../rate-limit/queue/request-queue.ts";
import type { BatchWaiter, Oldest, RequestLane } from "../rate-limit/queue/waiter.ts";
import { allAborted } from "./all-aborted.ts";
import { halves } from "./cut-group.ts";
import type { AccountLocks, SolanaDecoder } from "./decoder.ts";
import { locksForSharing } from "./locks.ts";
import type { SimulationRequester } from "./ports.ts";
import { type QueuedSimulation, SimulationQueue } from "./simulation-queue.ts";
import { type SentTransactions, splitAnswer } from "./split-answer.ts";
import { withStructured } from "./structured-locks.ts";

/** One event's transaction, or its sequence of transactions, in order. */
export interface SimulationQuestion {
  readonly transactions: readonly SolanaTransaction[];
}

export interface SolanaGroupDeps {
  readonly service: SecurityService;
  readonly slots: RequestedSlots;
  /** Reads serialized transactions. Structured transactions need no decoder. */
  readonly decoder: SolanaDecoder;
  readonly weightOf: WeightOf;
  /** Milliseconds from any origin. */
  readonly ticks: () => number;
  /** Limit of events in one request, at least 1. */
  readonly groupMax: number;
}

type Evidence = EvidenceOf<"solana-simulation">;

interface Waiting extends QueuedSimulation {
  readonly question: SimulationQuestion;
  readonly locksOfEach: readonly (AccountLocks | undefined)[];
  readonly resolve: (evidence: Evidence) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Combines the simulations of several events into one request, if no event can change what another one finds.
 *
 * A question waits until a permit is granted. Only then is a group taken from all waiting questions. One permit is
 * requested at a time. A group that was sent is then
 *
 * - answered: each event gets its own part;
 * - doubtful (a failed simulation, a missing or foreign result): each event is sent again alone before any is answered;
 * - refused: both halves are sent, so that only the event that the service refuses fails;
 * - failed: each event fails with that error.
 *
 * After a doubtful group or an unreadable answer, a repeated question goes alone. The other events of the group may
 * have been the cause.
 */
export class SolanaGroups implements BatchWaiter {
  readonly servesOldestFirst = true;
  readonly #deps: SolanaGroupDeps;
  readonly #decoder: SolanaDecoder;
  readonly #goesAlone = new WeakSet<SimulationQuestion>();
  readonly #line: SimulationQueue<Waiting>;
  #isSlotRequested = false;
  #names = 0;

  constructor(deps: SolanaGroupDeps) {
    this.#deps = deps;
    this.#decoder = withStructured(deps.decoder);
    this.#line = new SimulationQueue(deps.weightOf);
  }

  waits(lane: RequestLane): number {
    return this.#line.waits(lane);
  }

  oldest(lane: RequestLane): Oldest | undefined {
    return this.#line.oldest(lane);
  }

  /**
   * The answer about this event alone. Only failures that other events of the group may have caused are retried here.
   *
   * @throws {AnswerInvalidError}
   * @throws {WithdrawnError} when the event leaves.
   * @throws the error of the service or of the permits, or the reason of the event's signal.
   */
  async ask(question: SimulationQuestion, asker: SimulationRequester): Promise<Evidence> {
    asker.signal.throwIfAborted();
    if (asker.leaving?.hasLeft === true) throw new WithdrawnError();
    const { promise, resolve, reject } = Promise.withResolvers<Evidence>();
    const locksOfEach = question.transactions.map((transaction) => this.#decoder.locksOf(transaction));
    const locks = this.#goesAlone.has(question) ? undefined : locksForSharing(locksOfEach);
    const waiting = { question, asker, locksOfEach, locks, resolve, reject };
    const leave = (reason: unknown) => {
      this.#line.withdraw(waiting);
      reject(reason);
    };
    const giveUp = () => leave(asker.signal.reason);
    asker.signal.addEventListener("abort", giveUp, { once: true });
    asker.leaving?.onLeave(() => leave(new WithdrawnError()));
    asker.turn.since ??= this.#deps.ticks();
    this.#line.add(waiting);
    this.#requestSlot();
    try {
      return await promise;
    } finally {
      asker.signal.removeEventListener("abort", giveUp);
    }
  }

  #requestSlot(): void {
    if (this.#isSlotRequested) {
      this.#deps.slots.look();
      return;
    }
    if (this.#line.isEmpty) return;
    this.#isSlotRequested = true;
    void this.#useSlot();
  }

  async #useSlot(): Promise<void> {
    let group: readonly Waiting[] = [];
    let sent: readonly SentTransactions[] = [];
    try {
      const answer = await this.#deps.slots.run(async (lane) => {
        group = this.#line.cut(lane, this.#deps.groupMax);
        sent = group.map((each) => this.#named(each));
        this.#isSlotRequested = false;
        this.#requestSlot();
        return group.length === 0 ? undefined : this.#send(group, sent);
      }, this);
      if (answer === undefined) return;
      const evidence = splitAnswer(answer, sent);
      for (const [i, each] of evidence.entries()) group[i]?.resolve(each);
    } catch (thrown) {
      if (group.length > 0) this.#settleFailed(group, thrown);
      else this.#giveUpAll(thrown);
    }
  }

  #named({ question, locksOfEach }: Waiting): SentTransactions {
    return question.transactions.map((transaction, i) => {
      this.#names++;
      return { transaction, name: `w${this.#names}`, locks: locksOfEach[i] };
    });
  }

  async #send(group: readonly Waiting[], sent: readonly SentTransactions[]): Promise<ResponseOf<"solanaEmulate">> {
    // A sequence goes alone. A service that does not know the flag ignores it.
    const isSequence = sent.some((transactions) => transactions.length > 1);
    const request = {
      sol_transactions: sent.flat().map(({ transaction, name }) => ({ ...transaction, name })),
      requested_items: {
        balance_changes: true,
        involved_address_risks: true,
        ...(isSequence ? { sequence: true } : {}),
      },
    };
    const { signal, stop } = allAborted(group.map(({ asker }) => asker.signal));
    for (const { asker } of group) asker.onSent();
    try {
      return await this.#deps.service.ask("solanaEmulate", request, signal);
    } finally {
      stop();
    }
  }

  /** No permit will be granted. */
  #giveUpAll(thrown: unknown): void {
    this.#isSlotRequested = false;
    for (const { reject } of this.#line.clear()) reject(thrown);
  }

  #settleFailed(sent: readonly Waiting[], thrown: unknown): void {
    const hadCompany = sent.length > 1;
    const group = sent.filter(({ asker }) => !hasLeft(asker));
    const isDoubtful = thrown instanceof AnswerInvalidError;
    if (hadCompany && (isDoubtful || thrown instanceof UnavailableError)) {
      for (const { question } of group) this.#goesAlone.add(question);
    }
    if (hadCompany && isDoubtful) this.#line.addParts(group.map((each) => [each]));
    else if (hadCompany && thrown instanceof RejectedError) this.#line.addParts(halves(group));
    else {
      for (const { asker, reject } of group) {
        keepPosition(asker.turn, thrown);
        reject(thrown);
      }
    }
    this.#requestSlot();
  }
}

/** Whether nothing waits for the answer any more: the run has ended, or the event is overdue. */
function hasLeft({ signal, leaving }: SimulationRequester): boolean {
  return signal.aborted || leaving?.hasLeft === true;
}
