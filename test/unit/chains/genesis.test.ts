import { expect, test } from "vitest";
import { isTronGenesisId, SOLANA_MAIN, solanaCluster, TRON_MAIN, tronNetwork } from "../../../src/chains/genesis.ts";
import { findChain } from "../../../src/chains/registry.ts";

test.each([
  ["5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", SOLANA_MAIN],
  ["EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", "devnet"],
  ["4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY", "testnet"],
  ["11111111111111111111111111111111", undefined],
  ["constructor", undefined],
  ["", undefined],
])("the Solana cluster of %s is %s", (hash, cluster) => expect(solanaCluster(hash)).toBe(cluster));

const ofMainnet = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";

test.each([
  [ofMainnet, TRON_MAIN],
  [`${"0".repeat(56)}94a9059e`, "Shasta testnet"],
  [`${"0".repeat(56)}cd8690dc`, "Nile testnet"],
  [`${"0".repeat(56)}01020304`, undefined],
  // A block that is not the first, and a text that is no id.
  [`${"0".repeat(15)}1${ofMainnet.slice(16)}`, undefined],
  [ofMainnet.slice(1), undefined],
  ["2b6653dc", undefined],
])("the TRON network of %s is %s", (id, network) => expect(tronNetwork(id)).toBe(network));

test("TRON's chain id equals the id in the registry and the end of the genesis block's id", () => {
  expect(findChain(String(Number.parseInt(ofMainnet.slice(-8), 16)))?.family).toBe("tron");
  expect([isTronGenesisId(ofMainnet), isTronGenesisId(ofMainnet.toUpperCase())]).toEqual([true, false]);
});
