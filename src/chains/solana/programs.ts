/** Programs of the network and of its standard library, by address. Source: each program's declared id. */
export const programs = {
  system: "11111111111111111111111111111111",
  vote: "Vote111111111111111111111111111111111111111",
  stake: "Stake11111111111111111111111111111111111111",
  config: "Config1111111111111111111111111111111111111",
  computeBudget: "ComputeBudget111111111111111111111111111111",
  addressLookupTable: "AddressLookupTab1e1111111111111111111111111",
  upgradeableLoader: "BPFLoaderUpgradeab1e11111111111111111111111",
  loader: "BPFLoader2111111111111111111111111111111111",
  oldLoader: "BPFLoader1111111111111111111111111111111111",
  nativeLoader: "NativeLoader1111111111111111111111111111111",
  ed25519: "Ed25519SigVerify111111111111111111111111111",
  secp256k1: "KeccakSecp256k11111111111111111111111111111",
  secp256r1: "Secp256r1SigVerify1111111111111111111111111",
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  associatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  memo: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  oldMemo: "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
  tokenMetadata: "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s",
} as const;

const wellKnown: ReadonlySet<string> = new Set(Object.values(programs));

/** The owner of the accounts that hold the time, the rent and other state of the network. It is no program. */
export const SYSVAR_OWNER = "Sysvar1111111111111111111111111111111111111";

/** Whether `address` is a program of the network or of its standard library. */
export function isStandardProgram(address: string): boolean {
  return wellKnown.has(address);
}

/** Whether accounts of this owner hold tokens or are mints. */
export function isTokenProgram(address: string): boolean {
  return address === programs.token || address === programs.token2022;
}

/** The mint of wrapped SOL. Source: SPL Token, native_mint::ID. */
export const WRAPPED_SOL = "So11111111111111111111111111111111111111112";
