import { requestParser } from "../../../api/requests/request.ts";
import { EvmTransaction, quantityOf } from "../../../api/schemas/evm-transaction.ts";
import type { CanonicalAddress } from "../../../chains/address.ts";
import { readAddressOn } from "../../../chains/address-advice.ts";
import type { Chain } from "../../../chains/chain.ts";
import { type EvmReading, type EvmTransfer, readTransaction } from "../../../chains/evm/read-transaction.ts";
import { sha256 } from "../../../kernel/hash.ts";
import { canonicalJson } from "../../../kernel/json.ts";
import { fail, ok, type Result } from "../../../kernel/result.ts";
import { embeddedAddresses } from "./embedded-addresses.ts";

/** One unsigned EVM transaction of an event: its fields, and the effects of its calldata. */
export interface EvmEventReading {
  readonly transaction: EvmTransfer;
  readonly does: EvmReading;
  /** Further addresses, such as the contracts in the transaction's access list. */
  readonly beside: readonly CanonicalAddress[];
}

const read = requestParser(EvmTransaction, undefined, "");

/**
 * Reads an event's EVM transaction.
 *
 * @returns the reason when the value is no EVM transaction, or belongs to another chain.
 */
export function readEvm(json: unknown, chain: Chain): Result<EvmEventReading> {
  const fields = read(json);
  if (!fields.ok) return fields;
  const { from, to, value = 0, data = "", authorization_list: list = [], chain_id: chainId, ...others } = fields.value;
  if (chainId !== undefined && String(quantityOf(chainId)) !== chain.id) {
    return fail(`chain_id: is ${quantityOf(chainId)}, the event's is ${chain.id}`);
  }
  const sender = readAddressOn(chain, from);
  if (!sender.ok) return fail(`from: ${sender.detail}`);
  const receiver = to === undefined ? ok(undefined) : readAddressOn(chain, to);
  if (!receiver.ok) return fail(`to: ${receiver.detail}`);
  const delegates: CanonicalAddress[] = [];
  for (const [i, { address }] of list.entries()) {
    const delegate = readAddressOn(chain, address);
    if (!delegate.ok) return fail(`authorization_list[${i}].address: ${delegate.detail}`);
    delegates.push(delegate.value);
  }
  const transaction = {
    from: sender.value,
    to: receiver.value,
    value: quantityOf(value),
    data: data.replace(/^0x/, "").toLowerCase(),
    delegates,
  };
  const beside = embeddedAddresses("evm", [others, list]);
  return ok({ transaction, does: readTransaction(transaction), beside });
}

/** The hash that names a transaction: of its chain, and of the fields that determine its effects. */
export function evmSha256(chain: Chain, { from, to, value, data, delegates }: EvmTransfer): string {
  return sha256(canonicalJson({ chain_id: chain.id, from, to, value: String(value), data: `0x${data}`, delegates }));
}
