import { AppError } from "../../kernel/errors.ts";

/** The consumer has ended and will not begin anew: the process must, since its partitions are read by nobody. */
export class ConsumerDeadError extends AppError {
  readonly code = "CONSUMER_DEAD";
  readonly retryable = false;
}

/** Nothing moves although there is work: the process must begin anew. */
export class WorkerStuckError extends AppError {
  readonly code = "WORKER_STUCK";
  readonly retryable = false;
}

/** Somebody else reads in the same group, and so a part of what is to be read alone. */
export class GroupBusyError extends AppError {
  readonly code = "GROUP_BUSY";
  readonly retryable = false;
}
