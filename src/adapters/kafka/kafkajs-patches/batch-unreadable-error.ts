import { AppError, toError } from "../../../kernel/errors.ts";

/** The offsets of one batch. */
export interface BatchOffsets {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  /** The last offset plus one. */
  readonly until: number;
}

/**
 * A batch with too many records, or one that cannot be unpacked, unpacks to too many bytes, or holds no valid records.
 * A retry would fail again: no code can skip a batch with unreadable records.
 */
export class BatchUnreadableError extends AppError {
  readonly code = "BATCH_UNREADABLE";
  readonly retryable = false;
  /** kafkajs reads this field. Without it, the consumer would fetch and unpack the batch again and again. */
  readonly retriable = false;
}

/** The error with the offsets of its batch, and the remedy for an operator, since no program can go on. */
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
