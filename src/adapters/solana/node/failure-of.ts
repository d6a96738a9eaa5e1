import type { Simulated } from "../../../service/solana-transactions/simulator.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";

/**
 * The failure of nodes in the terms of the interface. The log has the details, which may name hosts of the operator.
 *
 * @throws any error that is no failure of a node: a bug.
 */
export function failureOf(thrown: unknown): Extract<Simulated, { ok: false }> {
  if (isTimeout(thrown)) return { ok: false, failure: "gatewayTimeout", detail: "no Solana node answered in time" };
  if (!(thrown instanceof UnavailableError)) throw thrown;
  return { ok: false, failure: "badGateway", detail: "no Solana node answered as it should" };
}

function isTimeout(thrown: unknown): boolean {
  if (thrown instanceof UnavailableError) return thrown.isTimeout;
  return thrown instanceof DOMException && thrown.name === "TimeoutError";
}
