import { ItemFailedError, isUnsent } from "../answers/service-errors.ts";
import type { SecurityService } from "../ports.ts";
import { HEALTH_PROBE } from "../rate-limit/gate/health-probe.ts";

/**
 * A request that shows whether the service is up and accepts the key. A refused item also counts as an answer: an
 * adapter may say that it knows nothing about the address.
 *
 * @throws the error of the service.
 */
export async function askHarmless(service: SecurityService, signal: AbortSignal): Promise<void> {
  try {
    await service.ask("poisoningSingle", HEALTH_PROBE, signal);
  } catch (thrown) {
    if (!(thrown instanceof ItemFailedError) || isUnsent(thrown)) throw thrown;
  }
}
