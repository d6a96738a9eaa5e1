import type { RouteName } from "../../api/routes.ts";

/** Observes the answers of the service. */
export interface ServedObserver {
  /**
   * Called after a request is answered.
   *
   * @param operation the requested operation. For an unreadable body, the first operation with the same method and
   * path.
   * @param status HTTP status.
   * @param seconds time from the headers of the request to the end of its answer.
   */
  answered(operation: RouteName, status: number, seconds: number): void;
}
