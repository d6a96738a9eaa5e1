/** Stable identifiers for searching. Alert rules and docs/verdicts.md use these codes, never messages. */
export type ErrorCode =
  | "CONFIG_INVALID"
  | "INPUT_UNREADABLE"
  | "OUTPUT_UNWRITABLE"
  | "CHAIN_UNSUPPORTED"
  | "RATE_LIMITED"
  | "UNAUTHORIZED"
  | "REJECTED"
  | "UNAVAILABLE"
  | "NOT_READY"
  | "ANSWER_INVALID"
  | "ITEM_FAILED"
  | "SERVICE_DOWN"
  | "KAFKA_UNREACHABLE"
  | "CONSUMER_DEAD"
  | "WORKER_STUCK"
  | "GROUP_BUSY"
  | "BATCH_UNREADABLE"
  | "BATCH_TOO_LARGE"
  | "RECORD_TOO_LARGE"
  | "STORE_UNAVAILABLE"
  | "OBJECT_UNREADABLE"
  | "NODE_UNAVAILABLE";

/**
 * Root of every error that Weir raises on purpose. `retryable` is the single bit that a retry loop acts on. An error
 * that is not an `AppError` is a bug and stops the process.
 */
export abstract class AppError extends Error {
  abstract readonly code: ErrorCode;
  abstract readonly retryable: boolean;
  /** Structured fields for the log line. Never secrets, never whole payloads. */
  readonly context: Readonly<Record<string, unknown>>;

  constructor(message: string, context: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.context = context;
  }
}

/** An environment variable, a flag or a configuration file is missing or malformed; raised once, at start. */
export class ConfigInvalidError extends AppError {
  readonly code = "CONFIG_INVALID";
  readonly retryable = false;
}

/**
 * An input file cannot be opened, or has another format than it claims. A single bad record is data and raises no
 * error.
 */
export class InputUnreadableError extends AppError {
  readonly code = "INPUT_UNREADABLE";
  readonly retryable = false;
}

/** The output directory or file cannot be written, or holds the results of another run. */
export class OutputUnwritableError extends AppError {
  readonly code = "OUTPUT_UNWRITABLE";
  readonly retryable = false;
}

/** A record is larger than the topic allows. It is refused before any byte is sent. */
export class RecordTooLargeError extends AppError {
  readonly code = "RECORD_TOO_LARGE";
  readonly retryable = false;
}

/** Any thrown value as an `Error`, with the original as its cause. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
