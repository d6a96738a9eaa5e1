import { ItemFailedError, isUnsent } from "../answers/service-errors.ts";
import type { SecurityService } from "../ports.ts";
import { HARMLESS_QUESTION } from "../rate-limit/gate/health-probe.ts";

/**
 * Asks what shows whether the service is up and takes the key. A service that knows nothing of the address answers, too:
 * an adapter says so.
 *
 * @throws what the service throws.
 */
export async function askHarmless(service: SecurityService, signal: AbortSignal): Promise<void> {
  try {
    await service.ask("poisoningSingle", HARMLESS_QUESTION, signal);
  } catch (thrown) {
    if (!(thrown instanceof ItemFailedError) || isUnsent(thrown)) throw thrown;
  }
}
