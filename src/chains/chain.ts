/** A family holds the chains that share an address format. Confusable addresses are decided per family. */
export const families = ["evm", "tron", "solana", "bitcoin"] as const;
export type Family = (typeof families)[number];

/** Names for display to people. */
export const familyNames: Readonly<Record<Family, string>> = {
  evm: "EVM chains",
  tron: "TRON",
  solana: "Solana",
  bitcoin: "Bitcoin",
};

export interface Chain {
  /**
   * Canonical id: the decimal EIP-155 id for the evm family, otherwise the name of the network: tron, solana, bitcoin.
   */
  readonly id: string;
  readonly name: string;
  readonly family: Family;
}
