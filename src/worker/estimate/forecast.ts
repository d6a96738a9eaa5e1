import type { ServiceOperation } from "../../api/operations.ts";
import type { Result } from "../../kernel/result.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { ScreeningEvent } from "../../messages/event.ts";
import type { CheckEntry, FailureCode } from "../../messages/verdict.ts";
import type { PolicyChoice } from "../../policy/policy.ts";
import { operationsLacking, planForReach, type ServiceReach } from "../answers/service-reach.ts";
import { plan } from "../plan/plan.ts";
import type { Question } from "../plan/question.ts";
import {
  type CheckForecast,
  type EstimatedCheck,
  estimatedChecks,
  RequestEstimate,
  type RequestEstimateOptions,
} from "./request-estimate.ts";

export interface ForecastResult {
  readonly events: number;
  /** Records that are no events. */
  readonly unreadable: number;
  /** The error of the first unreadable record, with its place if known. Undefined if all records are readable. */
  readonly firstUnreadable: string | undefined;
  /** Events with a question for the service. */
  readonly asking: number;
  /** Events that are settled without a request. */
  readonly settled: number;
  /** Events that fail without a request, by the code of their first failure. */
  readonly failures: ReadonlyMap<FailureCode, number>;
  /** Events that need an operation which the service lacks, by operation. Their verdicts are UNKNOWN, or stricter. */
  readonly lacking: ReadonlyMap<ServiceOperation, number>;
  readonly required: Readonly<Record<EstimatedCheck, CheckForecast>>;
  /** The requests that each check would add for events without that check. */
  readonly optional: Readonly<Record<EstimatedCheck, CheckForecast>>;
  /** Accounts that a simulation may show as receivers. Each is one more poisoning question. */
  readonly receivers: number;
  /** Additional requests for confirmations, if the service flags every required question in a batch. */
  readonly confirmations: number;
  /** Requests of the required poisoning questions, if the service flags no artificial lookalike, or every target. */
  readonly unpooled: number;
}

/**
 * Estimates the requests of a run over records before any request is sent. It uses the plan and the batching of a run.
 * Flags, delays and failures cost further requests.
 */
export class Forecast {
  readonly #policyFor: PolicyChoice;
  readonly #book: AddressBook;
  readonly #reach: ServiceReach;
  readonly #required: RequestEstimate;
  readonly #optional: RequestEstimate;
  readonly #onQuestions: (questions: readonly Question[]) => void;
  #events = 0;
  #unreadable = 0;
  #firstUnreadable: string | undefined;
  #asking = 0;
  readonly #failures = new Map<FailureCode, number>();
  readonly #lacking = new Map<ServiceOperation, number>();

  /** @param onQuestions receives the questions of each event that the service can be asked. */
  constructor(
    policyFor: PolicyChoice,
    book: AddressBook,
    options: RequestEstimateOptions,
    onQuestions: (questions: readonly Question[]) => void = () => undefined,
  ) {
    this.#onQuestions = onQuestions;
    this.#policyFor = policyFor;
    this.#book = book;
    this.#reach = options.reach;
    this.#required = new RequestEstimate(options);
    this.#optional = new RequestEstimate(options);
  }

  /** @param place Position of the record, for an error message. */
  add(event: Result<ScreeningEvent>, place?: string): void {
    this.#events++;
    if (!event.ok) {
      this.#unreadable++;
      this.#firstUnreadable ??= place === undefined ? event.detail : `${place}: ${event.detail}`;
      return;
    }
    const { table } = this.#policyFor(event.value.tenant);
    const planned = plan(event.value, table, this.#book);
    for (const operation of operationsLacking(planned, this.#reach)) count(this.#lacking, operation);
    const { questions, requiredChecks, settled } = planForReach(planned, this.#reach);
    this.#onQuestions(questions);
    if (questions.length > 0) this.#asking++;
    else this.#countFailure(settled);
    for (const question of questions) this.#required.ask(question);
    const known = new Set([...requiredChecks, ...settled.map(({ check }) => check)]);
    const others = estimatedChecks.filter((check) => !known.has(check));
    const all = plan({ ...event.value, checks: [...(event.value.checks ?? []), ...others] }, table, this.#book);
    for (const question of planForReach(all, this.#reach).questions)
      if (!known.has(question.check)) this.#optional.ask(question);
  }

  #countFailure(settled: readonly CheckEntry[]): void {
    const code = settled.find(({ outcome }) => outcome === "failed")?.error?.code;
    if (code !== undefined) count(this.#failures, code);
  }

  /** No event may be added afterwards. */
  result(): ForecastResult {
    const required = this.#required.finish();
    return {
      events: this.#events,
      unreadable: this.#unreadable,
      firstUnreadable: this.#firstUnreadable,
      asking: this.#asking,
      settled: this.#events - this.#unreadable - this.#asking,
      failures: this.#failures,
      lacking: this.#lacking,
      required,
      optional: this.#optional.finish(),
      receivers: this.#required.receivers,
      confirmations: this.#required.confirmations,
      unpooled: this.#required.unpooled,
    };
  }
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
