/** Chains whose addresses are written alike. What is confusable, and with what, is a matter of the family. */
export const families = ["evm", "tron", "solana", "bitcoin"] as const;
export type Family = (typeof families)[number];

/** For people. */
export const familyNames: Readonly<Record<Family, string>> = {
  evm: "EVM chains",
  tron: "TRON",
  solana: "Solana",
  bitcoin: "Bitcoin",
};

export interface Chain {
  /** Canonical id: the decimal EIP-155 id for the evm family, else the network's name: tron, solana, bitcoin. */
  readonly id: string;
  readonly name: string;
  readonly family: Family;
}
