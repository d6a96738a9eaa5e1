/**
 * Every classification, with its number and the broad family of the address. Published names and numbers never change.
 * docs/classification.md describes how each is recognized.
 */
export const classifications = {
  EOA: { id: 1, family: "EOA" },
  DelegatedEOA: { id: 2, family: "EOA" },
  Empty: { id: 3, family: "Empty" },
  Precompile: { id: 4, family: "Contract" },
  Contract: { id: 10, family: "Contract" },
  Unverified: { id: 11, family: "Contract" },
  Proxy: { id: 12, family: "Contract" },
  ERC20: { id: 20, family: "Contract" },
  ERC721: { id: 21, family: "Contract" },
  ERC1155: { id: 22, family: "Contract" },
  ERC4626: { id: 23, family: "Contract" },
  SmartAccount: { id: 30, family: "Contract" },
  Safe: { id: 31, family: "Contract" },
  V2Pair: { id: 40, family: "Contract" },
  V3Pool: { id: 41, family: "Contract" },
  Router: { id: 42, family: "Contract" },
  Multicall: { id: 43, family: "Contract" },
} as const satisfies Record<string, { readonly id: number; readonly family: "EOA" | "Empty" | "Contract" }>;

export type Classification = keyof typeof classifications;
