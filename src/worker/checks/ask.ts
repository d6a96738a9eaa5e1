import { STATUS_IN_PROGRESS, STATUS_NOT_OK } from "../../api/envelope.ts";
import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";
import { type CanonicalAddress, canonicalAddress } from "../../chains/address.ts";
import type { Chain, Family } from "../../chains/chain.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { EvidenceOf } from "../../messages/evidence.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import type { AnswerCache } from "../answers/answer-cache.ts";
import type { ChainPrefixes } from "../answers/chain-prefixes.ts";
import type { Outcome } from "../answers/outcome.ts";
import { type PartialGathering, PartialResult } from "../answers/partial-result.ts";
import type { RecentReplies } from "../answers/recent-replies.ts";
import { AnswerInvalidError, NotReadyError, refuseErrors } from "../answers/service-errors.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import { withOwnFindings } from "../decide/solana-judge/judge.ts";
import type { Observer } from "../observer.ts";
import type { Question, TokenQuestion } from "../plan/question.ts";
import type { SecurityService } from "../ports.ts";
import {
  askWithRetries,
  type RetryDeps,
  type SingleQuestion,
  withRetries,
} from "../rate-limit/gate/ask-with-retries.ts";
import { type RequestLane, requestLaneOf, waiterOf } from "../rate-limit/queue/waiter.ts";
import type { AloneDeps } from "../simulation/alone.ts";
import { askEvm } from "../simulation/evm-alone.ts";
import type { SimulationRequester as OneAsker } from "../simulation/ports.ts";
import type { SolanaGroups } from "../simulation/solana-group.ts";
import { askTron } from "../simulation/tron-alone.ts";
import { askParties } from "./ask-parties.ts";
import { askReceivers } from "./ask-receivers.ts";
import { askTokens } from "./ask-tokens.ts";
import type { CancellableRequester, Coalescer } from "./coalescer.ts";
import { type NotYet, poll, type Ready } from "./poll.ts";
import type { Polled, PollWaits } from "./poll-waits.ts";
import { questionKey } from "./question-key.ts";
import { toCheckEntry } from "./to-check-entry.ts";

export interface AskDeps extends RetryDeps {
  readonly service: SecurityService;
  readonly pool: Pick<PoisoningBatcher, "ask">;
  readonly simulations: Pick<SolanaGroups, "ask">;
  readonly tronAlone: AloneDeps;
  readonly evmAlone: AloneDeps;
  /** Questions in flight, shared by the whole process. `answered` holds their answers. */
  readonly inFlight: Coalescer<Polled<object>>;
  readonly answered: AnswerCache<string, object>;
  /** Refusals, and analyses in progress. */
  readonly replies: RecentReplies;
  readonly polls: PollWaits;
  /** The words that this service writes before addresses. */
  readonly prefixes: ChainPrefixes;
  /** Simulations in progress or done, by the list of an event's transactions. */
  readonly simulated: WeakMap<readonly SolanaTransaction[], Simulated>;
  readonly observer: Observer;
}

type Simulated = Promise<Outcome<EvidenceOf<"solana-simulation">>>;

/** The event that asks. */
export interface CheckRequester extends CancellableRequester {
  /** Whether the partition holds too many records for its events to wait for polls. */
  readonly isCrowded: () => boolean;
}

/** The check entry of a verdict. Or the delay until the answer in milliseconds, with the known part of the answer. */
export type CheckResult = CheckEntry | { readonly laterMs: number; readonly known: CheckEntry | undefined };

/**
 * Asks one question.
 *
 * @throws only for a bug, an abort, or the end of the run.
 */
export async function ask(
  question: Question,
  asker: CheckRequester,
  deps: AskDeps,
  soFar: PartialGathering<Polled<unknown>> = new PartialResult(),
): Promise<CheckResult> {
  const polled = await outcomeOf(question, asker, deps, soFar);
  if (polled.ok === "later") return { laterMs: polled.afterMs, known: partialEntry(question, polled.known) };
  return toCheckEntry(question, polled, !polled.ok && (await isOfSimulation(question, polled.error, deps)));
}

/** The check entry for the known part of an answer. Undefined while that part raises no flag. */
export function partialEntry(question: Question, known: Polled<unknown> | undefined): CheckEntry | undefined {
  const outcome = known?.ok === "later" ? known.known : known;
  return outcome?.ok === true ? toCheckEntry(question, outcome) : undefined;
}

/** Whether a question about receivers failed because the simulation that names the receivers failed. */
async function isOfSimulation(question: Question, error: AppError, { simulated }: AskDeps): Promise<boolean> {
  if (question.check !== "poisoning" || !("receiversOf" in question)) return false;
  const outcome = await simulated.get(question.receiversOf);
  return outcome?.ok === false && outcome.error === error;
}

function outcomeOf(
  question: Question,
  asker: CheckRequester,
  deps: AskDeps,
  soFar: PartialGathering<Polled<unknown>>,
): Promise<Polled<unknown>> {
  switch (question.check) {
    case "poisoning":
      if ("target" in question) return deps.pool.ask(question, asker, soFar);
      if ("parties" in question) return askParties(question, asker, deps.pool, soFar);
      return askReceivers(
        question,
        simulationOf(question.receiversOf, question.own, asker, deps),
        asker,
        deps.pool,
        soFar,
      );
    case "token-security": {
      const askOne = (one: TokenQuestion) => {
        const answer = askOnce(one, asker, deps, (lonely) => askToken(lonely, one, deps));
        return deps.polls.unlessCrowded(questionKey(one), answer, asker.isCrowded);
      };
      return "token" in question ? askOne(question) : askTokens(question, askOne, soFar);
    }
    case "classification":
      return askOnce(question, asker, deps, (lonely) => askClass(lonely, question, requestLaneOf(asker), deps));
    case "solana-simulation":
      return simulationOf(question.transactions, question.own, asker, deps);
    case "tron-security":
      return askAlone(questionKey(question), asker, deps, (each) => askTron(question, deps.tronAlone, each));
    case "evm-security":
      return askAlone(questionKey(question), asker, deps, (each) => askEvm(question, deps.evmAlone, each));
  }
}

/** An event and its ticket may ask about one transaction at the same time. Then one question is sent. */
function askAlone(
  key: string,
  claim: CancellableRequester,
  deps: AskDeps,
  attempt: (asker: OneAsker) => Promise<object>,
): Promise<Polled<object>> {
  const { signal, inFlight } = deps;
  return inFlight.ask(key, claim, (turn) => withRetries((onSent) => attempt({ signal, onSent, turn }), turn, deps));
}

/** Asks for one event, which keeps its position in the queue through all retries. */
function withAsker<T>(
  attempt: (asker: OneAsker) => Promise<T>,
  claim: CancellableRequester,
  deps: AskDeps,
): Promise<Outcome<T>> {
  const { signal } = deps;
  const { leaving } = claim;
  const turn = waiterOf(claim);
  leaving?.onLeave(() => {
    turn.isAbandoned = true;
  });
  return withRetries((onSent) => attempt({ signal, onSent, turn, leaving }), turn, deps);
}

/** One simulation serves both checks of an event, which hold the same list. Two events never share a list. */
function simulationOf(
  transactions: readonly SolanaTransaction[],
  own: readonly CanonicalAddress[],
  claim: CancellableRequester,
  deps: AskDeps,
): Simulated {
  const known = deps.simulated.get(transactions);
  if (known !== undefined) return known;
  const question = { transactions };
  const judged = async (each: OneAsker) =>
    withOwnFindings(transactions, await deps.simulations.ask(question, each), own);
  const asked = withAsker(judged, claim, deps);
  // The event of a withdrawn simulation has left, so no question about its receivers follows.
  asked.catch(() => undefined);
  deps.simulated.set(transactions, asked);
  return asked;
}

/** Equal questions share one request, at one time or soon after, because thousands of events concern one token. */
function askOnce(
  question: TokenQuestion | ClassQuestion,
  claim: CancellableRequester,
  { inFlight, answered, replies, observer }: AskDeps,
  ask: (lonely: SingleQuestion) => Promise<Polled<object>>,
): Promise<Polled<object>> {
  const key = questionKey(question);
  const found = answered.find(key, claim.lane);
  if (found !== undefined) {
    observer.reused(question.check);
    return Promise.resolve({ ok: true, ...found });
  }
  const asked = { check: question.check, chain: question.chain, key };
  const reply = replies.find(asked);
  if (reply !== undefined) {
    observer.reused(question.check);
    return Promise.resolve(reply);
  }
  return inFlight.ask(key, claim, async (turn) => {
    const polled = await ask({ event: key, turn });
    replies.keep(asked, polled);
    if (polled.ok === true) answered.keep(key, polled.value, polled.trace, false);
    return polled;
  });
}

function askToken(lonely: SingleQuestion, { chain, token }: TokenQuestion, deps: AskDeps): Promise<Polled<object>> {
  const pollOnce = async (): Promise<Ready<object> | NotYet> => {
    const answer = await deps.service.ask("tokenSecurity", { chainId: chain.id, address: token }, deps.signal);
    if (answer.status === STATUS_IN_PROGRESS) return { pollAfterMs: answer.pollAfter * 1000 };
    return { ready: dataAbout(chain, token, answer, deps.prefixes) };
  };
  return poll(lonely, pollOnce, deps);
}

type ClassQuestion = Extract<Question, { check: "classification" }>;

/**
 * If a caller waits, the strict budget is tried first. If it does not suffice, the question is sent again without it.
 */
async function askClass(
  lonely: SingleQuestion,
  { chain, address }: ClassQuestion,
  lane: RequestLane,
  deps: AskDeps,
): Promise<Outcome<object>> {
  const answerTo = async (budget: { readonly strict?: "true" }): Promise<object | undefined> => {
    const answer = await deps.service.ask("classifyQuery", { chain_id: chain.id, address, ...budget }, deps.signal);
    return answer.status === STATUS_NOT_OK ? undefined : dataAbout(chain, address, answer, deps.prefixes);
  };
  const patient = async (): Promise<object> => {
    const answer = await answerTo({});
    if (answer === undefined) throw new NotReadyError("the classification was not ready in time");
    return answer;
  };
  if (lane !== "realtime") return askWithRetries(lonely, patient, deps);
  const first = await askWithRetries(lonely, () => answerTo({ strict: "true" }), deps);
  if (!first.ok) return first;
  if (first.value !== undefined) return { ...first, value: first.value };
  const second = await askWithRetries(lonely, patient, deps);
  const { requests, askedAt } = first.trace;
  const since = askedAt === undefined ? {} : { askedAt };
  return { ...second, trace: { ...second.trace, ...since, requests: requests + second.trace.requests } };
}

/**
 * The data of an answer, if its `<chain_prefix>:<address>` fits the question.
 *
 * @throws {AnswerInvalidError}
 */
export function dataAbout<D extends { readonly address: string }>(
  chain: Chain,
  asked: string,
  answer: { readonly data: D },
  prefixes: ChainPrefixes,
): D {
  refuseErrors(answer, answer.data);
  // The prefix may contain a colon (eip155:1), but an address never does.
  const end = answer.data.address.lastIndexOf(":");
  const [prefix, text] = [answer.data.address.slice(0, Math.max(0, end)), answer.data.address.slice(end + 1)];
  if (!isAddress(chain.family, text, asked))
    throw new AnswerInvalidError("the answer is about another address than was asked");
  if (!prefixes.names(prefix, chain)) throw new AnswerInvalidError("the answer is about another chain than was asked");
  return answer.data;
}

/** Whether a service's text is the address of the question, in any case or checksum that the family allows. */
function isAddress(family: Family, text: string, asked: string): boolean {
  // A service may use another checksum than EIP-55, or write 0X: only the digits count.
  if (family === "evm") return text.toLowerCase() === asked;
  return canonicalAddress(family, text) === asked;
}
