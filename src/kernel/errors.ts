/** Stable, greppable identifiers; alert rules and the README's table key on these, never on messages. */
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
 * Root of every error this program raises on purpose.
 * `retryable` is the single bit a retry loop acts on; anything that is not an `AppError` is a bug
 * and stops the process.
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

/** An input file cannot be opened or read as what it claims to be. A single bad record is data, not this. */
export class InputUnreadableError extends AppError {
  readonly code = "INPUT_UNREADABLE";
  readonly retryable = false;
}

/** The output directory or file cannot be written, or holds the results of something else. */
export class OutputUnwritableError extends AppError {
  readonly code = "OUTPUT_UNWRITABLE";
  readonly retryable = false;
}

/** A record takes more than records of its topic may. It is refused before anything of it is sent. */
export class RecordTooLargeError extends AppError {
  readonly code = "RECORD_TOO_LARGE";
  readonly retryable = false;
}

/** Whatever was thrown, as an `Error`, with the original as its cause. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
