import type { CanonicalAddress } from "../address.ts";
import type { Unexplained } from "./act.ts";
import type { EvmReading } from "./read-transaction.ts";

/**
 * The calls with an effect that calldata does not tell. A function of services counts only where the contract is that
 * of a service, since any contract can have a function of that name. An account may call its own functions.
 *
 * @param isKnown Whether labels say what the contract is.
 */
export function unexplainedCalls(
  { unexplained, services }: EvmReading,
  isKnown: (contract: CanonicalAddress) => boolean,
): readonly Unexplained[] {
  const unlabelled = services.filter(({ contract, by }) => contract !== by && !isKnown(contract));
  if (unlabelled.length === 0) return unexplained;
  return [
    ...unexplained,
    ...unlabelled.map(({ contract, selector }): Unexplained => ({ contract, why: "unlabelled_service", selector })),
  ];
}
