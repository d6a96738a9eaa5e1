import type { Chain } from "./chain.ts";
import { evmNetworks } from "./evm/evm-networks.generated.ts";

const others: readonly Chain[] = [
  { id: "tron", name: "TRON", family: "tron" },
  { id: "solana", name: "Solana", family: "solana" },
  { id: "bitcoin", name: "Bitcoin", family: "bitcoin" },
];

/**
 * Further names of a chain by its canonical id. 728126428 is the id of TRON in systems that use EIP-155 numbers.
 * SLIP-44 numbers are not accepted: 60 is Ethereum in SLIP-44, and GoChain as an EIP-155 id.
 */
const aliases: Readonly<Record<string, readonly string[]>> = {
  tron: ["trx", "728126428"],
  solana: ["sol"],
  bitcoin: ["btc"],
  "1": ["eth", "ethereum"],
  "10": ["op", "optimism"],
  "25": ["cronos"],
  "56": ["bnb", "bsc"],
  "100": ["gnosis", "xdai"],
  "130": ["unichain"],
  "137": ["matic", "polygon"],
  "146": ["sonic"],
  "204": ["opbnb"],
  "250": ["fantom", "ftm"],
  "324": ["zksync"],
  "1284": ["moonbeam"],
  "2020": ["ronin"],
  "5000": ["mantle"],
  "8217": ["kaia"],
  "8453": ["base"],
  "42161": ["arbitrum"],
  "42220": ["celo"],
  "43114": ["avalanche", "avax"],
  "59144": ["linea"],
  "80094": ["berachain"],
  "81457": ["blast"],
  "534352": ["scroll"],
  "11155111": ["sepolia"],
};

/** Every chain with a known number or name: the evm family ascending by id, then the other families. */
export const chains: readonly Chain[] = [
  ...evmNetworks.map(([id, name]): Chain => ({ id: String(id), name, family: "evm" })),
  ...others,
];

const chainByName = new Map<string, Chain>(
  chains.flatMap((chain) => [chain.id, ...(aliases[chain.id] ?? [])].map((name) => [name, chain] as const)),
);

/** Every text that `findChain` accepts, in lower case. */
export const chainNames: readonly string[] = [...chainByName.keys()];

const longestName = Math.max(...chainNames.map((name) => name.length));

/**
 * The chain of a decimal EIP-155 id, or of a name in any case (`tron`, `eth`, `BSC`). Only the plain spelling of a
 * number is accepted: no leading zeros, signs, spaces or hex.
 */
export function findChain(id: string): Chain | undefined {
  if (id.length > longestName) return undefined;
  return chainByName.get(id) ?? chainByName.get(id.toLowerCase());
}
