import type { RouteName } from "../../contract/routes.ts";

/** Who hears of the service's answers. */
export interface ServedObserver {
  /**
   * A request was answered.
   *
   * @param operation the first of those that share its method and path.
   * @param status of HTTP.
   * @param seconds from its headers to the end of its answer.
   */
  answered(operation: RouteName, status: number, seconds: number): void;
}
