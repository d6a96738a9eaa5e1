import { AppError } from "../../kernel/errors.ts";

/**
 * A batch of too many records, or a compressed one that does not unpack, or to more than we take. Reading it again would fail again: no code can pass
 * over a batch whose records it cannot see.
 */
export class BatchUnreadableError extends AppError {
  readonly code = "BATCH_UNREADABLE";
  readonly retryable = false;
  /** kafkajs's spelling of the same: without it the consumer would fetch and unpack the batch again and again. */
  readonly retriable = false;
}
