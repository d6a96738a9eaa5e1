import type { AppError } from "../kernel/errors.ts";
import { ServiceDownError } from "./service-errors.ts";

/** Questions in a row, over different events, that a working service does not leave without an answer. */
const MAX_FAILURES = 10;

/**
 * Tells a service that fails from an event that it fails for. A key that is refused is refused for every event, and so
 * many failures in a row are the service's own: going on would only write verdicts that say nothing.
 */
export class ServiceHealth {
  #failures = 0;

  answered(): void {
    this.#failures = 0;
  }

  /** A question that got no answer, after its last attempt. @throws {ServiceDownError} when that is the service's fault. */
  failed(error: AppError): void {
    if (error.code === "UNAUTHORIZED") throw new ServiceDownError(`the API key is refused: ${error.message}`);
    if (error.code !== "UNAVAILABLE") return;
    this.#failures++;
    if (this.#failures >= MAX_FAILURES) {
      throw new ServiceDownError(`${MAX_FAILURES} questions in a row without an answer: ${error.message}`);
    }
  }
}
