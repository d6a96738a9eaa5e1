import { AppError } from "../../kernel/errors.ts";

/**
 * Context of a failure without a request, such as a question that an adapter refuses by itself. Such a failure says
 * nothing about the service: neither about its pace nor about its health.
 */
export const UNSENT = { isUnsent: true } as const;

/** Whether no request was sent, so that the failure says nothing about the service. @see UNSENT */
export function isUnsent(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.context["isUnsent"] === true;
}

/** The service answered 429. It did not process the request, and the same request may be sent later. */
export class RateLimitedError extends AppError {
  readonly code = "RATE_LIMITED";
  readonly retryable = true;
  /** How long the service asks to wait, milliseconds from its answer. Undefined when the answer does not say. */
  readonly retryAfterMs: number | undefined;
  /** HTTP status of the refusal. */
  readonly status: number;

  constructor(message: string, retryAfterMs?: number, status = 429) {
    super(message, retryAfterMs === undefined ? {} : { retryAfterMs });
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}

/** The service answered 401 or 403: the key is wrong, not the event. */
export class UnauthorizedError extends AppError {
  readonly code = "UNAUTHORIZED";
  readonly retryable = false;
}

/**
 * The service answered 401 or 403 to a key that was replaced since. The answer says nothing about the current key or
 * about the question.
 */
export class KeyReplacedError extends AppError {
  readonly code = "UNAUTHORIZED";
  readonly retryable = true;
}

/** The service refused this request (400, 413, 422): the same bytes would be refused again. */
export class RejectedError extends AppError {
  readonly code = "REJECTED";
  readonly retryable = false;
}

/** The service has no backend for the chain. A refusal with its own name, because operators search for it. */
export class ChainUnsupportedError extends AppError {
  readonly code = "CHAIN_UNSUPPORTED";
  readonly retryable = false;
}

/**
 * HTTP statuses that mean overload or an outage. Source: nginx and others (503), cPanel (509), Anthropic and Qualys
 * (529), Twitter's first interface (420).
 */
const MAY_BE_LOAD: ReadonlySet<unknown> = new Set([420, 503, 509, 529]);

/** Whether an HTTP status means overload or an outage. */
export function mayRefuseForLoad(status: number | undefined): boolean {
  return MAY_BE_LOAD.has(status);
}

/** The service answered 5xx, too slowly or not at all, or with a status outside its interface, such as a redirect. */
export class UnavailableError extends AppError {
  readonly code: "UNAVAILABLE" | "ANSWER_INVALID" = "UNAVAILABLE";
  readonly retryable = true;

  /** No response arrived in time. The service may still be working on the request. */
  get isTimeout(): boolean {
    return this.context["timeout"] === true;
  }

  /**
   * Whether the failure means overload if other requests are answered: a 503 or similar, or an envelope that may say
   * so.
   */
  get mayBeLoad(): boolean {
    return mayRefuseForLoad(this.status) || this.context["mayBeLoad"] === true;
  }

  /** HTTP status of the response. Undefined when no response arrived. */
  get status(): number | undefined {
    const { status } = this.context;
    return typeof status === "number" ? status : undefined;
  }

  /** How long a 503 asks to wait, milliseconds from its answer. Undefined when the answer does not say. */
  get retryAfterMs(): number | undefined {
    const asked = this.context["retryAfterMs"];
    return typeof asked === "number" ? asked : undefined;
  }
}

/**
 * A response that cannot be read as an answer: it is no JSON, or has another shape. Pacing treats it as no answer,
 * because proxies and maintenance pages respond so while the service is down. The verdict says that a response arrived.
 */
export class UnreadableError extends UnavailableError {
  override readonly code = "ANSWER_INVALID";
}

/**
 * The service answered 503 or similar while it answered other requests. It is overloaded, and the answer counts as a
 * 429. nginx answers so by default.
 */
export class LoadRefusedError extends RateLimitedError {
  constructor(message: string, retryAfterMs?: number, status = 503) {
    super(message, retryAfterMs, status);
  }
}

/**
 * The service refused the event for overload again, while it answered other requests. Only this event waits, and no
 * other event does. @see LoadRefusals
 */
export class RefusedAgainError extends RateLimitedError {
  /** How long the event waits, milliseconds. */
  readonly waitMs: number;

  constructor({ message, retryAfterMs, status }: RateLimitedError, waitMs: number) {
    super(message, retryAfterMs, status);
    this.waitMs = waitMs;
  }
}

/** The service fails for every question, so no event is charged for the failure. Ends a run of local mode. */
export class ServiceDownError extends AppError {
  readonly code = "SERVICE_DOWN";
  readonly retryable = false;
}

/** An analysis is still running. The same request may be repeated later. */
export class NotReadyError extends AppError {
  readonly code = "NOT_READY";
  readonly retryable = true;
}

/** The answer does not fit the question: an item is missing, doubled or foreign. Another request may help. */
export class AnswerInvalidError extends AppError {
  readonly code = "ANSWER_INVALID";
  readonly retryable = true;
}

/**
 * The answer holds items that the request lacks. Then it is unclear to which request the answer belongs, and what its
 * other items refer to.
 */
export class ExtraItemsError extends AnswerInvalidError {
  readonly extra: number;

  constructor(extra: number) {
    super("the answer holds items that were not asked", { extra });
    this.extra = extra;
  }
}

/** The service refused this one item of a batch. */
export class ItemFailedError extends AppError {
  readonly code = "ITEM_FAILED";
  readonly retryable = false;
}

/**
 * Refuses an answer with an `error` in any part, whatever the shape. Flags beside an error are not an answer.
 *
 * @throws {AnswerInvalidError}
 */
export function refuseErrors(...parts: readonly object[]): void {
  const isError = (part: object) => Object.hasOwn(part, "error") && Reflect.get(part, "error") !== null;
  if (parts.some(isError)) throw new AnswerInvalidError("the answer carries an error beside its data");
}
