import { canonicalAddressOn } from "../../../chains/address.ts";
import type { Chain } from "../../../chains/chain.ts";
import { counterpartiesOf } from "../../../chains/evm/counterparties.ts";
import { findChain } from "../../../chains/registry.ts";
import { sha256 } from "../../../kernel/hash.ts";
import { canonicalJson } from "../../../kernel/json.ts";
import type { Result } from "../../../kernel/result.ts";
import type { ScreeningEvent, TransactionEvent } from "../../../messages/event.ts";
import type { Subject } from "../../../messages/verdict.ts";
import { type EvmEventReading, evmSha256, readEvm } from "./evm-reading.ts";
import { readSolana, type SolanaReading, solanaSha256 } from "./solana-reading.ts";
import { readTron, type TronReading } from "./tron-reading.ts";

/** The subject in the verdict. Valid addresses are canonical, and invalid ones are as given. */
export function subjectOf(event: ScreeningEvent, chain = findChain(event.chain_id)): Subject {
  if (event.type === "transaction" && chain?.family === "tron") {
    return tronSubject(event, chain, readTron(event.transaction));
  }
  if (event.type === "transaction" && chain?.family === "evm") {
    return evmSubject(event, chain, readEvm(event.transaction, chain));
  }
  if (event.type === "transaction" && chain?.family === "solana") {
    return solanaSubject(event, chain, readSolana(event.transaction));
  }
  const canonical = (text: string) => (chain && canonicalAddressOn(chain, text)) ?? text;
  const users = event.user_addresses;
  const chainId = chain?.id ?? event.chain_id;
  const known = users === undefined ? undefined : distinct(users.map(canonical));
  if (event.type === "transaction") {
    const shared = { chain_id: chainId, ...(known === undefined ? {} : { user_addresses: known }) };
    return { type: "transaction", ...shared, transaction_sha256: sha256(canonicalJson(event.transaction)) };
  }
  const token = event.token_address;
  return addressSubject(canonical(event.address), chainId, known, token === undefined ? undefined : canonical(token));
}

/** The members are in the order of verdicts. */
export function addressSubject(
  address: string,
  chainId: string,
  users: readonly string[] | undefined,
  token: string | undefined,
): Subject {
  // Nearly every subject has this form, so it is built without copies.
  if (users !== undefined && token === undefined)
    return { type: "address", address, chain_id: chainId, user_addresses: users };
  return {
    type: "address",
    address,
    chain_id: chainId,
    ...(users === undefined ? {} : { user_addresses: users }),
    ...(token === undefined ? {} : { token_address: token }),
  };
}

/**
 * The subject of a TRON transaction. It is named by the network's hash, computed from the body. The transaction's own
 * statement of its id is not trusted.
 */
export function tronSubject(event: TransactionEvent, chain: Chain, reading: Result<TronReading>): Subject {
  const { report, parties } = reading.ok ? reading.value : { report: undefined, parties: undefined };
  const { owner, counterparty } = parties?.ok ? parties.value : { owner: undefined, counterparty: undefined };
  const users = (event.user_addresses ?? []).map((text) => canonicalAddressOn(chain, text) ?? text);
  const known = distinct([...(owner === undefined ? [] : [owner]), ...users]);
  return {
    type: "transaction",
    chain_id: chain.id,
    ...(known.length === 0 && event.user_addresses === undefined ? {} : { user_addresses: known }),
    transaction_sha256: report?.txId ?? sha256(canonicalJson(event.transaction)),
    ...(counterparty === undefined ? {} : { address: counterparty.address }),
    ...(counterparty?.token === undefined ? {} : { token_address: counterparty.token }),
  };
}

/**
 * The subject of an EVM transaction. It is named by the hash of its canonical fields, and by its counterparty if it has
 * only one.
 */
export function evmSubject(event: TransactionEvent, chain: Chain, reading: Result<EvmEventReading>): Subject {
  const users = (event.user_addresses ?? []).map((text) => canonicalAddressOn(chain, text) ?? text);
  const known = distinct([...(reading.ok ? [reading.value.transaction.from] : []), ...users]);
  const [party, ...others] = reading.ok ? counterpartiesOf(reading.value.does) : [];
  const isOne = party !== undefined && others.length === 0;
  return {
    type: "transaction",
    chain_id: chain.id,
    ...(known.length === 0 && event.user_addresses === undefined ? {} : { user_addresses: known }),
    transaction_sha256: reading.ok
      ? evmSha256(chain, reading.value.transaction)
      : sha256(canonicalJson(event.transaction)),
    ...(isOne ? { address: party.target } : {}),
    ...(isOne && party.token !== undefined ? { token_address: party.token } : {}),
  };
}

/** The subject of a Solana transaction. It is named by the signed message if it is a single serialized transaction. */
export function solanaSubject(event: TransactionEvent, chain: Chain, reading: Result<SolanaReading>): Subject {
  const users = (event.user_addresses ?? []).map((text) => canonicalAddressOn(chain, text) ?? text);
  const known = distinct([...(reading.ok ? reading.value.feePayers : []), ...users]);
  return {
    type: "transaction",
    chain_id: chain.id,
    ...(known.length === 0 && event.user_addresses === undefined ? {} : { user_addresses: known }),
    transaction_sha256: solanaSha256(event.transaction, reading),
  };
}

function distinct<T>(items: readonly T[]): T[] {
  return items.length < 2 ? [...items] : [...new Set(items)];
}
