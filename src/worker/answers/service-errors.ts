import { AppError } from "../../kernel/errors.ts";

/**
 * Context of a failure of which no request was sent, such as a question that an adapter refuses by itself. The service has
 * said nothing: neither its pace nor whether it is up follows from such a failure.
 */
export const UNSENT = { isUnsent: true } as const;

/** Whether no request was sent, so that a failure says nothing of the service. @see UNSENT */
export function isUnsent(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.context["isUnsent"] === true;
}

/** The service answered 429: the request was not looked at, the same one may be sent later. */
export class RateLimitedError extends AppError {
  readonly code = "RATE_LIMITED";
  readonly retryable = true;
  /** How long the service asks to wait, milliseconds from its answer; undefined when it does not say. */
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

/** The same of a key that was replaced since: nothing is said of the one in use, nor of what was asked. */
export class KeyReplacedError extends AppError {
  readonly code = "UNAUTHORIZED";
  readonly retryable = true;
}

/** The service refused this request (400, 413, 422): the same bytes would be refused again. */
export class RejectedError extends AppError {
  readonly code = "REJECTED";
  readonly retryable = false;
}

/** The chain has no backend at the service. A refusal like any other, with a name that operators look for. */
export class ChainUnsupportedError extends AppError {
  readonly code = "CHAIN_UNSUPPORTED";
  readonly retryable = false;
}

/**
 * Statuses that refuse for load, or tell of an outage. Source: nginx and others (503), cPanel (509), Anthropic and Qualys
 * (529), Twitter's first interface (420).
 */
const MAY_BE_LOAD: ReadonlySet<unknown> = new Set([420, 503, 509, 529]);

/** Whether an HTTP status is one that refuses for load, or tells of an outage. */
export function mayRefuseForLoad(status: number | undefined): boolean {
  return MAY_BE_LOAD.has(status);
}

/** The service answered 5xx, not at all, too slowly, or with a status that is not of its interface, such as a redirect. */
export class UnavailableError extends AppError {
  readonly code: "UNAVAILABLE" | "ANSWER_INVALID" = "UNAVAILABLE";
  readonly retryable = true;

  /** Nothing came in time; the service may still be at work on it. */
  get isTimeout(): boolean {
    return this.context["timeout"] === true;
  }

  /** Whether it is a refusal for load where others are answered: a 503 or the like, or an envelope that may say so. */
  get mayBeLoad(): boolean {
    return mayRefuseForLoad(this.status) || this.context["mayBeLoad"] === true;
  }

  /** HTTP status of the response; undefined where none came. */
  get status(): number | undefined {
    const { status } = this.context;
    return typeof status === "number" ? status : undefined;
  }

  /** How long a 503 asks to wait, milliseconds from its answer; undefined when it does not say. */
  get retryAfterMs(): number | undefined {
    const asked = this.context["retryAfterMs"];
    return typeof asked === "number" ? asked : undefined;
  }
}

/**
 * A response came that cannot be read as an answer: it is no JSON, or of another shape. It is paced as no answer at all,
 * since proxies and pages of maintenance answer so while the service is down. A verdict says that it came.
 */
export class UnreadableError extends UnavailableError {
  override readonly code = "ANSWER_INVALID";
}

/** The service answered 503 or the like while it answered others: it refuses for load, as with a 429. nginx does so by default. */
export class LoadRefusedError extends RateLimitedError {
  constructor(message: string, retryAfterMs?: number, status = 503) {
    super(message, retryAfterMs, status);
  }
}

/**
 * The service refused the event for load again, while it answered others: the event waits by itself, and nothing else
 * does. @see LoadRefusals
 */
export class RefusedAgainError extends RateLimitedError {
  /** How long the event waits, milliseconds. */
  readonly waitMs: number;

  constructor({ message, retryAfterMs, status }: RateLimitedError, waitMs: number) {
    super(message, retryAfterMs, status);
    this.waitMs = waitMs;
  }
}

/** The service itself fails, whatever it is asked: no event is to pay for that. Ends a run of local mode. */
export class ServiceDownError extends AppError {
  readonly code = "SERVICE_DOWN";
  readonly retryable = false;
}

/** An analysis is still running; the same request may be repeated later. */
export class NotReadyError extends AppError {
  readonly code = "NOT_READY";
  readonly retryable = true;
}

/** The answer is not one to the question: an item is missing, doubled or somebody else's. Worth asking again. */
export class AnswerInvalidError extends AppError {
  readonly code = "ANSWER_INVALID";
  readonly retryable = true;
}

/** The answer holds items that nobody asked about: who knows to whom it is, and of whom the others are. */
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
 * Refuses an answer any part of which carries an `error`, whatever its shape: flags beside an error are not an answer.
 *
 * @throws {AnswerInvalidError}
 */
export function refuseErrors(...parts: readonly object[]): void {
  const isError = (part: object) => Object.hasOwn(part, "error") && Reflect.get(part, "error") !== null;
  if (parts.some(isError)) throw new AnswerInvalidError("the answer carries an error beside its data");
}
