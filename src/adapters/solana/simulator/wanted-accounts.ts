import { accountsOf } from "../../../chains/solana/accounts/lookup-table.ts";
import { readTokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import type { Message } from "../../../chains/solana/message/message.ts";
import type { Wants } from "./live-accounts.ts";
import { codeAddressOf } from "./program-code.ts";

/** Sysvars that programs read without naming them: the clock, and the rent of an account. */
const SYSVARS = ["SysvarC1ock11111111111111111111111111111111", "SysvarRent111111111111111111111111111111111"] as const;

/** All accounts that `messages` name, their address tables, and the mints of their token accounts. */
export function neededToRead(messages: readonly Message[]): Wants {
  return (get) => {
    const named = messages.flatMap((message) => accountsOf(message, get)).filter((address) => address !== undefined);
    const states = named.flatMap((address) => get(address) ?? []);
    const tables = messages.flatMap(({ lookups }) => lookups.map(({ table }) => table));
    return [...tables, ...named, ...states.flatMap((state) => readTokenAccount(state)?.mint ?? [])];
  };
}

/** All accounts to read, and all accounts to run the messages: the code of programs, too. */
export function neededToRun(messages: readonly Message[]): Wants {
  const toRead = neededToRead(messages);
  return (get) => {
    const read = toRead(get);
    return [...SYSVARS, ...read, ...read.flatMap((address) => codeOf(get(address)))];
  };
}

function codeOf(account: ReturnType<Parameters<Wants>[0]>): readonly string[] {
  const address = account === undefined ? undefined : codeAddressOf(account);
  return address === undefined ? [] : [address];
}
