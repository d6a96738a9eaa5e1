/** The network of a node is identified by its first block. */

/**
 * Genesis hashes of Solana's clusters, in Base58. Source: Solana, "Clusters and public RPC endpoints"; CAIP-2, solana.
 */
const solanaClusters: Readonly<Record<string, string>> = {
  "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "mainnet-beta",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: "devnet",
  "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
};
export const SOLANA_MAIN = "mainnet-beta";

/** Chain ids of TRON's networks: the last four bytes of the id of the genesis block. Source: TIP-474; EIP-155 lists. */
const tronNetworks: Readonly<Record<number, string>> = {
  728126428: "mainnet",
  2494104990: "Shasta testnet",
  3448148188: "Nile testnet",
};
export const TRON_MAIN = "mainnet";

/** The cluster with the genesis hash. Undefined for an unpublished hash, such as the hash of a local validator. */
export function solanaCluster(genesisHash: string): string | undefined {
  return Object.hasOwn(solanaClusters, genesisHash) ? solanaClusters[genesisHash] : undefined;
}

/** The network with this first block. The id is 32 bytes in hex; the first eight bytes are the number of the block. */
export function tronNetwork(genesisId: string): string | undefined {
  return isTronGenesisId(genesisId) ? tronNetworks[Number.parseInt(genesisId.slice(-8), 16)] : undefined;
}

export function isTronGenesisId(text: string): boolean {
  return /^0{16}[0-9a-f]{48}$/.test(text);
}
