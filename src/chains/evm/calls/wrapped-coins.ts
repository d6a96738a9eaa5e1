import type { CanonicalAddress } from "../../address.ts";
import { addressOf } from "../abi/abi-reader.ts";
import { ZERO_ADDRESS } from "./token-calls.ts";

/** Stands for the native coin. Source: ERC-7528. */
const NATIVE = addressOf("e".repeat(40));

/**
 * The tokens that stand for the native coin of a chain, one each: Ethereum, OP Stack chains, Arbitrum One, BNB Smart
 * Chain, Polygon, Avalanche, Gnosis, Linea, Scroll, zkSync Era. Source: viem chain definitions and the label rows of
 * data/labels.csv.
 */
const wrapped: ReadonlySet<CanonicalAddress> = new Set(
  [
    "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    "4200000000000000000000000000000000000006",
    "82af49447d8a07e3bd95bd0d56f35241523fbab1",
    "bb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    "0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    "b31f66aa3c1e785363f0875a1b74e27b85fd66c7",
    "e91d153e0b41518a2ce8dd3d7944fa863463a97d",
    "e5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
    "5300000000000000000000000000000000000004",
    "5aea5775959fbc2557cc8789bc1bf90a239d9a91",
  ].map(addressOf),
);

/** Whether an argument means the native coin itself. */
export function isNativeCoin(address: CanonicalAddress): boolean {
  return address === NATIVE || address === ZERO_ADDRESS;
}

export function isWrappedCoin(token: CanonicalAddress): boolean {
  return wrapped.has(token);
}
