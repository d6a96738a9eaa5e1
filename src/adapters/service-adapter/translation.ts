import { operations, type ServiceOperation } from "../../api/operations.ts";
import type { ResponseOf, RouteName, SentTo } from "../../api/routes.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError, toError } from "../../kernel/errors.ts";
import { AnswerInvalidError, RejectedError, UNSENT, UnreadableError } from "../../worker/answers/service-errors.ts";
import type { JsonResponse } from "../http/client/json-server.ts";
import { quotable } from "../http/service/failure-text.ts";
import { refusalIn } from "../http/service/service-answer.ts";
import type { Translated } from "../http/service/service-client.ts";
import type { Adapter, OperationAdapter, VendorResponse } from "./adapter.ts";
import { adapterFailure, adapterRefusal, isFailure } from "./adapter-failure.ts";
import { completedAnswer } from "./completed-answer.ts";
import { type AdapterQuestion, questionIn } from "./question.ts";
import { readRequest } from "./vendor-request.ts";

/** Most characters of a text from an adapter or a service. Chosen. */
const MAX_TEXT = 200;
/** Statuses with the same meaning at every service. */
const common: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/**
 * Translates the worker's questions for a service with another interface, by an adapter. One question is one request.
 * An adapter builds requests and reads responses; it sends nothing itself.
 */
export class AdapterTranslation {
  readonly #adapter: Adapter;
  readonly #baseUrl: string;
  readonly #clock: Pick<Clock, "now">;

  constructor(adapter: Adapter, baseUrl: string, clock: Pick<Clock, "now">) {
    this.#adapter = adapter;
    this.#baseUrl = baseUrl;
    this.#clock = clock;
  }

  /** Whether one request may hold addresses of several events. */
  get hasBatches(): boolean {
    return this.#adapter.operations["address-poisoning-batch"] !== undefined;
  }

  /** Operations of the interface that the adapter leaves out. */
  get lacks(): ReadonlySet<ServiceOperation> {
    return new Set(operations.filter((operation) => this.#adapter.operations[operation] === undefined));
  }

  /**
   * The request of a question, and the reader of its response.
   *
   * @param key of the request, which no error may repeat.
   * @throws {RejectedError | ChainUnsupportedError | ItemFailedError} where the service has no such request: nothing is
   * sent.
   */
  translate<N extends RouteName>(route: N, request: SentTo<N>, key: string): Translated<N> {
    const { name, operations: known } = this.#adapter;
    const asked = questionIn(route, request, this.hasBatches);
    const { operation } = asked;
    const spoken = known[operation];
    // A check that needs a missing operation is answered before any request (`withinReach`).
    if (spoken === undefined) throw new Error(`the adapter ${name} has no operation ${operation}`);
    const shown = (text: string) => quotable(text, key).slice(0, MAX_TEXT);
    const told = this.#requestOf(spoken, asked, key, shown);
    const sent = readRequest(told, this.#baseUrl);
    if (!sent.ok)
      throw new RejectedError(`the adapter ${name} makes no request for ${operation}: ${sent.detail}`, OWN_FAULT);
    return { sent: sent.value, read: (response) => this.#read(route, asked, spoken, response, key, shown) };
  }

  #requestOf(
    spoken: OperationAdapter,
    { operation, question }: AdapterQuestion,
    key: string,
    shown: (text: string) => string,
  ): unknown {
    const { name } = this.#adapter;
    const told = this.#called(() => spoken.request(Object.freeze({ ...question }), { key }));
    if ("thrown" in told)
      throw new RejectedError(`the adapter ${name} threw in request of ${operation}: ${shown(told.thrown)}`, OWN_FAULT);
    if (!isFailure(told.value)) return told.value;
    const refused = adapterRefusal(told.value, name, shown);
    if (refused.ok) throw refused.value;
    throw new RejectedError(`the adapter ${name} refuses ${operation} as it must not: ${refused.detail}`, OWN_FAULT);
  }

  async #read<N extends RouteName>(
    route: N,
    asked: AdapterQuestion,
    spoken: OperationAdapter,
    response: JsonResponse,
    key: string,
    shown: (text: string) => string,
  ): Promise<ResponseOf<N>> {
    const { name } = this.#adapter;
    const { status } = response;
    if (status < 200 || status >= 300) throw await this.#refused(asked, response, key, shown);
    const vendor = vendorResponse(response, await response.json());
    const told = this.#called(() => spoken.answer(vendor, Object.freeze({ ...asked.question })));
    if ("thrown" in told)
      throw new UnreadableError(`the adapter ${name} threw in answer of ${asked.operation}: ${shown(told.thrown)}`);
    if (isFailure(told.value)) throw this.#errorOf(told.value, shown);
    return completedAnswer(route, asked, told.value, { adapter: name, nowMs: this.#clock.now() });
  }

  /** The adapter's reading of a refusal, or the meaning of its status. */
  async #refused(
    { operation }: AdapterQuestion,
    response: JsonResponse,
    key: string,
    shown: (text: string) => string,
  ): Promise<AppError> {
    const { name, refusal } = this.#adapter;
    const { status } = response;
    if (refusal === undefined || status < 400 || status >= 500 || common.has(status))
      return refusalIn(response, this.#clock, key);
    const body = await response.json().catch(() => undefined);
    const told = this.#called(() => refusal(vendorResponse(response, body), operation));
    if ("thrown" in told)
      return new UnreadableError(`the adapter ${name} threw in refusal: ${shown(told.thrown)}`, FAULT);
    if (told.value === undefined) return refusalIn({ ...response, json: async () => body }, this.#clock, key);
    if (isFailure(told.value)) return this.#errorOf(told.value, shown);
    const detail = "refusal must return a failure, or nothing: a refusal is no answer";
    return new AnswerInvalidError(`the adapter ${name}: ${detail}`, FAULT);
  }

  #errorOf(told: { readonly failure: unknown }, shown: (text: string) => string): AppError {
    const { name } = this.#adapter;
    const error = adapterFailure(told, name, shown);
    return error.ok
      ? error.value
      : new AnswerInvalidError(`the adapter ${name} says no failure: ${error.detail}`, FAULT);
  }

  #called(call: () => unknown): { readonly value: unknown } | { readonly thrown: string } {
    try {
      const value = call();
      if (value instanceof Promise) {
        // The failure is reported here, and not by an unhandled rejection.
        value.catch(() => undefined);
        return { thrown: "it returned a promise: the functions of an adapter are synchronous" };
      }
      return { value };
    } catch (thrown) {
      return { thrown: toError(thrown).message };
    }
  }
}

/** Marks a fault of the adapter that does not depend on the service's answer. */
const FAULT = { isAdapterFault: true } as const;
/** Marks a fault of an adapter before anything was sent. */
const OWN_FAULT = { ...FAULT, ...UNSENT } as const;

/** Whether an error is an adapter's own fault, for the check of adapters. */
export function isAdapterFault(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.context["isAdapterFault"] === true;
}

function vendorResponse({ status, headers }: JsonResponse, body: unknown): VendorResponse {
  const joined = Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return { status, headers: Object.fromEntries(joined), body };
}
