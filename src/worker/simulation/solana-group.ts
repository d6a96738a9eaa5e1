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
import { type SentTransactions, splitAnswer } from "./split-answer.ts";
import { withStructured } from "./structured-locks.ts";
import { type QueuedSimulation, WaitingLine } from "./waiting-line.ts";

/** One event's transaction, or its sequence of them, in order. */
export interface SimulationQuestion {
  readonly transactions: readonly SolanaTransaction[];
}

export interface SolanaGroupDeps {
  readonly service: SecurityService;
  readonly slots: RequestedSlots;
  /** Reads serialized transactions; structured ones need none. */
  readonly decoder: SolanaDecoder;
  readonly weightOf: WeightOf;
  /** Milliseconds from any origin. */
  readonly ticks: () => number;
  /** Most events in one request. At least 1. */
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
 * Puts the simulations of several events into one request, where neither can change what another one finds.
 *
 * A question waits until a slot comes; only then is a group cut from all that wait, and one slot at a time is asked
 * for. A group that was sent is then
 * - answered: each event gets the part that is its own;
 * - doubtful (a failed simulation, a result that is missing or somebody else's): each is asked again alone, before
 *   anyone gets an answer;
 * - refused: its halves are asked, so that only the event that the service refuses fails;
 * - failed: each event fails with that error.
 * Whose group was doubtful, or got no readable answer, goes alone when the same question is asked once more: its
 * company may have been the cause.
 */
export class SolanaGroups implements BatchWaiter {
  readonly servesOldestFirst = true;
  readonly #deps: SolanaGroupDeps;
  readonly #decoder: SolanaDecoder;
  readonly #goesAlone = new WeakSet<SimulationQuestion>();
  readonly #line: WaitingLine<Waiting>;
  #isSlotRequested = false;
  #names = 0;

  constructor(deps: SolanaGroupDeps) {
    this.#deps = deps;
    this.#decoder = withStructured(deps.decoder);
    this.#line = new WaitingLine(deps.weightOf);
  }

  waits(lane: RequestLane): number {
    return this.#line.waits(lane);
  }

  oldest(lane: RequestLane): Oldest | undefined {
    return this.#line.oldest(lane);
  }

  /**
   * The answer about this event alone. Nothing is retried in here but what company has spoilt.
   *
   * @throws {AnswerInvalidError}, whatever the service or the slots throw, or the reason of the asker's signal;
   * WithdrawnError when the asker leaves.
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
    // A sequence goes alone. A service that does not know the flag drops it.
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

  /** No slot will come. */
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
