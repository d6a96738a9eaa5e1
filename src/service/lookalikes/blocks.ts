import type { AddressFormat } from "../../chains/address-format.ts";
import { blockKeyOf } from "../../labels/index/key-buckets.ts";
import type { KeyMaker } from "./keyed-table.ts";

/** Characters of a block that are keyed: 20 bits on EVM tell nearly all apart, and fewer are faster to read. */
const KEYED = 5;

/**
 * Keys that find addresses of one length which differ in few characters: one block more than those can be makes one block
 * equal. The first block is that of the filter without a suffix, which has a table of its own; the others share the rest.
 */
export function blocksOf({ constantPrefix, mostDiffering, filters }: AddressFormat): readonly KeyMaker[] {
  if (mostDiffering === 0) return [];
  const front = filters.find(({ suffix }) => suffix === 0);
  if (front === undefined) throw new Error("a format whose addresses may differ in few characters has a front filter");
  const start = constantPrefix + front.prefix;
  return Array.from({ length: mostDiffering }, (_, i) => (address: string) => {
    const from = start + Math.floor(((address.length - start) * i) / mostDiffering);
    return blockKeyOf(address, from, from + KEYED);
  });
}
