import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { EvmTransfer } from "../../chains/evm/read-transaction.ts";
import type { EvidenceOf } from "../../events/evidence.ts";
import { type AloneDeps, askAlone } from "./alone.ts";
import type { Asker } from "./ports.ts";

/** One EVM transaction as it would be signed, and further addresses that its sender knows. */
export interface EvmQuestion {
  readonly chain: Chain;
  readonly transaction: EvmTransfer;
  readonly users: readonly CanonicalAddress[];
}

/**
 * Asks about one transaction in a request of its own, written in one way however the event writes it. The answer echoes
 * nothing, so there is no identity to check.
 *
 * @throws {AnswerInvalidError} for an error beside the data, and whatever the service throws.
 */
export async function askEvm(
  { chain, transaction, users }: EvmQuestion,
  { service, slots }: AloneDeps,
  asker: Asker,
): Promise<EvidenceOf<"evm-security">> {
  const { from, to, value, data, delegates } = transaction;
  const request = {
    chain_id: chain.id,
    from,
    ...(to === undefined ? {} : { to }),
    value: String(value),
    data: `0x${data}`,
    ...(delegates.length === 0 ? {} : { authorization_list: delegates.map((address) => ({ address })) }),
    ...(users.length === 0 ? {} : { user_addresses: [...users] }),
  };
  return askAlone((signal) => service.ask("evmTransactionSecurity", request, signal), asker, slots);
}
