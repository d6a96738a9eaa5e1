import { AppError, toError } from "../../../kernel/errors.ts";

/** Offsets of one batch. */
export interface BatchOffsets {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  /** One more than its last. */
  readonly until: number;
}

/**
 * A batch of too many records, or one that does not unpack, or to more than we take, or whose records are none. Another try
 * would fail again: no code can pass over a batch whose records it cannot see.
 */
export class BatchUnreadableError extends AppError {
  readonly code = "BATCH_UNREADABLE";
  readonly retryable = false;
  /** What kafkajs looks at: without it the consumer would fetch and unpack the batch again and again. */
  readonly retriable = false;
}

/** The error with the place of its batch, and how an operator goes on, since no program can. */
export function unreadableAt(thrown: unknown, place: BatchOffsets): BatchUnreadableError {
  const error = toError(thrown);
  const message = error instanceof BatchUnreadableError ? error.message : `a batch does not decode: ${error.message}`;
  const { topic, partition, from, until } = place;
  const where = `${message}: topic ${topic}, partition ${partition}, offsets ${from} to ${until - 1}`;
  const tool = `kafka-consumer-groups.sh --group GROUP --reset-offsets --to-offset ${until} --topic ${topic}:${partition} --execute`;
  const remedy = `keep the batch if you need it, stop every worker of the group, and set the group past it with ${tool}`;
  const cause = error instanceof BatchUnreadableError ? error.cause : error;
  return new BatchUnreadableError(`${where}; to go on, ${remedy}`, { ...place }, { cause });
}
