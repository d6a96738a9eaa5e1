import { programs, SYSVAR_OWNER, WRAPPED_SOL } from "./programs.ts";

/** Accounts that the network maintains. Source: Solana, solana-sdk-ids, each module's declared id. */
const sysvars = [
  SYSVAR_OWNER,
  "SysvarC1ock11111111111111111111111111111111",
  "SysvarRent111111111111111111111111111111111",
  "SysvarFees111111111111111111111111111111111",
  "SysvarEpochSchedu1e111111111111111111111111",
  "SysvarEpochRewards1111111111111111111111111",
  "SysvarRecentB1ockHashes11111111111111111111",
  "SysvarRewards111111111111111111111111111111",
  "SysvarS1otHashes111111111111111111111111111",
  "SysvarS1otHistory11111111111111111111111111",
  "SysvarStakeHistory1111111111111111111111111",
  "SysvarLastRestartS1ot1111111111111111111111",
  "Sysvar1nstructions1111111111111111111111111",
] as const;

/**
 * Further programs and accounts of the network. Some are no longer in use. Source: Solana, solana-sdk-ids, each
 * module's declared id.
 */
const others = [
  "StakeConfig11111111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "ZkTokenProof1111111111111111111111111111111",
  "ZkE1Gama1Proof11111111111111111111111111111",
  "1nc1nerator11111111111111111111111111111111",
  // The address that exchanges and token lists use for SOL itself where a mint is expected.
  "So11111111111111111111111111111111111111111",
  WRAPPED_SOL,
] as const;

/**
 * Native programs of the network's first years, retired since. Source: Solana, declare_program and declare_id of budget,
 * exchange, storage, token and vest in release 0.18; the Move loader as Solana's explorer names it.
 */
const retired = [
  "Budget1111111111111111111111111111111111111",
  "Exchange11111111111111111111111111111111111",
  "ExchangeFaucet11111111111111111111111111111",
  "MoveLdr111111111111111111111111111111111111",
  "Storage111111111111111111111111111111111111",
  "Token11111111111111111111111111111111111111",
  "Vest111111111111111111111111111111111111111",
] as const;

/**
 * Third-party programs with addresses that look like system programs. Each is named by several public repositories.
 * Sources: SPL Token's first version, declare_id of March 2020; Saber's snapshots; the voter stake registries of
 * Marinade and of Realms.
 */
const namesakes = [
  "TokenSVp5gheXUvJ6jGWGeCsgPKgnE3YgdGKRVCMY9o",
  "StakeSSzfxn391k3LvdKbZP5WVwWd6AsY1DNiXHjQfK",
  "VoteMBhDCqGLRgYpp9o7DGyq81KNmwjXQRAHStjtJsS",
  "VoteWPk9yyGmkX4U77nEWRJWpcc8kUfrPoghxENpstL",
] as const;

const trueOnes: ReadonlySet<string> = new Set([
  ...Object.values(programs),
  ...sysvars,
  ...others,
  ...retired,
  ...namesakes,
]);

/** The usual beginnings of the network's addresses, or five ones at the end, which their padding has. */
const systemLook = /^(?:Compute|Vote|Stake|Token|Sysvar)|1{5}$/;

/** Whether an address is a program or an account of the network, or a known third-party program named like one. */
export function isSystemAddress(address: string): boolean {
  return trueOnes.has(address);
}

/**
 * Whether a Solana address imitates a program or an account of the network. Wallets show such addresses as harmless.
 * One in 58^5 = 2^29 random addresses ends in five ones, and fewer begin with such a word.
 */
export function mimicsSystem(address: string): boolean {
  return systemLook.test(address) && !trueOnes.has(address);
}
