import { findChain } from "../../chains/registry.ts";
import type { PoisoningBatchRequest } from "../../contract/address-poisoning.ts";
import type { Part } from "./part.ts";

const NAMED = /\b(user_addresses|target_addresses|token_addresses)\[(\d{1,4})\]/;

/**
 * Splits the parts of a refused request, so that it is never sent again as it was: those that hold the item that the
 * refusal names as `<array>[<index>]` from the others; halves, when it names none.
 */
export function splitRefused(
  parts: readonly Part[],
  request: PoisoningBatchRequest | undefined,
  detail: string,
): readonly [readonly Part[], readonly Part[]] {
  const named = request === undefined ? undefined : namedItem(request, detail);
  if (named !== undefined) {
    const holding = parts.filter((part) => holds(part, named));
    if (holding.length > 0 && holding.length < parts.length)
      return [holding, parts.filter((part) => !holding.includes(part))];
  }
  const middle = Math.ceil(parts.length / 2);
  return [parts.slice(0, middle), parts.slice(middle)];
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

function holds({ chain, users, target, token }: Part, { array, chainId, address }: NamedItem): boolean {
  if (chain.id !== chainId) return false;
  if (array === "user_addresses") return users.some((user) => user === address);
  return (array === "target_addresses" ? target : token) === address;
}
