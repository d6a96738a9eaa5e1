import { refuseErrors } from "../answers/service-errors.ts";
import type { SecurityService } from "../ports.ts";
import type { RequestedSlots } from "../rate-limit/gate/gate-slots.ts";
import type { SimulationRequester } from "./ports.ts";

export interface AloneDeps {
  readonly service: SecurityService;
  readonly slots: RequestedSlots;
}

/**
 * Sends a request that no other event can share, once a permit is granted. The answer echoes nothing, so its identity
 * cannot be checked.
 *
 * @throws {AnswerInvalidError} for an error beside the data.
 * @throws the error of the service.
 */
export async function askAlone<D extends object>(
  send: (signal: AbortSignal) => Promise<{ readonly data: D }>,
  asker: SimulationRequester,
  slots: RequestedSlots,
): Promise<D> {
  const answer = await slots.run(async () => {
    asker.signal.throwIfAborted();
    asker.onSent();
    return send(asker.signal);
  }, asker.turn);
  refuseErrors(answer, answer.data);
  return answer.data;
}
