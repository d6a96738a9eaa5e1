import type { RouteName } from "../../api/routes.ts";

/** Who hears of the service's answers. */
export interface ServedObserver {
  /**
   * A request was answered.
   *
   * @param operation what was asked; of a body that could not be read, the first of those that share method and path.
   * @param status of HTTP.
   * @param seconds from its headers to the end of its answer.
   */
  answered(operation: RouteName, status: number, seconds: number): void;
}
