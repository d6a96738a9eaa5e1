import { AppError } from "../../kernel/errors.ts";

/** The consumer has ended for good. The process must restart, since no other consumer here reads its partitions. */
export class ConsumerDeadError extends AppError {
  readonly code = "CONSUMER_DEAD";
  readonly retryable = false;
}

/** There is work, and no record is completed. The process must restart. */
export class WorkerStuckError extends AppError {
  readonly code = "WORKER_STUCK";
  readonly retryable = false;
}

/** Another consumer reads in the same group. It takes a part of the partitions that this run must read alone. */
export class GroupBusyError extends AppError {
  readonly code = "GROUP_BUSY";
  readonly retryable = false;
}
