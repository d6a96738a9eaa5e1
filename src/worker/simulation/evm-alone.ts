import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { ZERO_ADDRESS } from "../../chains/evm/calls/token-calls.ts";
import type { EvmTransfer } from "../../chains/evm/read-transaction.ts";
import type { EvidenceOf } from "../../messages/evidence.ts";
import { type AloneDeps, askAlone } from "./alone.ts";
import type { SimulationRequester } from "./ports.ts";

/** One EVM transaction as it would be signed, and further addresses that its sender knows. */
export interface EvmQuestion {
  readonly chain: Chain;
  readonly transaction: EvmTransfer;
  readonly users: readonly CanonicalAddress[];
}

/**
 * Asks about one transaction in a request of its own, in one spelling whatever the event's spelling. The answer echoes
 * no identity that could be checked.
 *
 * @throws {AnswerInvalidError} for an error beside the data.
 * @throws the error of the service.
 */
export async function askEvm(
  { chain, transaction, users }: EvmQuestion,
  { service, slots }: AloneDeps,
  asker: SimulationRequester,
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
  const answer = await askAlone((signal) => service.ask("evmTransactionSecurity", request, signal), asker, slots);
  return withUnreadDelegates(answer, delegates);
}

/**
 * Marks the delegated code (EIP-7702) that the answer does not name. A service may drop `authorization_list`, which the
 * flattened form lacks, and judge only the payment.
 */
export function withUnreadDelegates(
  answer: EvidenceOf<"evm-security">,
  delegates: readonly CanonicalAddress[],
): EvidenceOf<"evm-security"> {
  const { unread_delegates: _theirs, ...told } = answer;
  const judged = new Set(told.delegates?.map((text) => text.toLowerCase()));
  const unread = delegates.filter((code) => code !== ZERO_ADDRESS && !judged.has(code));
  if (unread.length > 0) return { ...told, unread_delegates: unread };
  return "unread_delegates" in answer ? told : answer;
}
