import type { AddressFormat } from "../../chains/address-format.ts";
import { blockKeyOf } from "../../labels/index/key-buckets.ts";
import type { KeyMaker } from "./keyed-table.ts";

/**
 * Characters per keyed block. 20 bits on EVM tell nearly all addresses apart, and fewer characters are faster to read.
 */
const KEYED = 5;

/**
 * Keys that find addresses of one length with few differing characters. With more blocks than differing characters, at
 * least one block is equal. The first block belongs to the filter without a suffix, which has its own table. The other
 * blocks divide the rest.
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
