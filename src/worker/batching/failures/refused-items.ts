import type { PoisoningBatchRequest } from "../../../api/schemas/address-poisoning.ts";
import type { Chain } from "../../../chains/chain.ts";
import { findChain } from "../../../chains/registry.ts";
import type { BatchEntry } from "../batch-entry.ts";

const NAMED = /\b(user_addresses|target_addresses|token_addresses)\[(\d{1,4})\]/;
const UNSUPPORTED = /\bunsupported chainId: ([\w-]{1,80})/;

/**
 * The entries of a refused request that the refusal names. These are the entries on the chain that it calls
 * unsupported, or the entries with the item `<array>[<index>]`. Undefined when the refusal names neither, or names an
 * item that all entries hold.
 */
export function partsNamed(
  parts: readonly BatchEntry[],
  request: PoisoningBatchRequest | undefined,
  detail: string,
): readonly BatchEntry[] | undefined {
  const unsupported = chainCalledUnsupported(detail);
  const ofChain = parts.filter(({ chain }) => chain === unsupported);
  if (ofChain.length > 0) return ofChain;
  const named = request === undefined ? undefined : namedItem(request, detail);
  if (named === undefined) return undefined;
  const holding = parts.filter((part) => holds(part, named));
  return holding.length > 0 && holding.length < parts.length ? holding : undefined;
}

/** The chain that a refusal calls unsupported, in the words of the service's interface. */
export function chainCalledUnsupported(detail: string): Chain | undefined {
  return findChain(UNSUPPORTED.exec(detail)?.[1] ?? "");
}

interface NamedItem {
  readonly array: keyof PoisoningBatchRequest;
  readonly chainId: string;
  readonly address: string;
}

function namedItem(request: PoisoningBatchRequest, detail: string): NamedItem | undefined {
  const [, array, index] = NAMED.exec(detail) ?? [];
  if (array === undefined || index === undefined) return undefined;
  const item = request[array as NamedItem["array"]][Number(index)];
  const chain = item === undefined ? undefined : findChain(String(item.chain_id));
  if (item === undefined || chain === undefined) return undefined;
  return { array: array as NamedItem["array"], chainId: chain.id, address: item.address };
}

function holds({ chain, users, target, token }: BatchEntry, { array, chainId, address }: NamedItem): boolean {
  if (chain.id !== chainId) return false;
  if (array === "user_addresses") return users.some((user) => user === address);
  return (array === "target_addresses" ? target : token) === address;
}
