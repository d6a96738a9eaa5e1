import type { Accounts } from "../../chains/solana/accounts/account-state.ts";
import { readTokenAccount } from "../../chains/solana/accounts/token-account.ts";
import { readBatch } from "../../chains/solana/acts/token-acts.ts";
import { isTokenProgram } from "../../chains/solana/programs.ts";
import type { InstructionCall } from "./called.ts";

/**
 * Lists accounts with several owners, by the token programs' multisig, for which a signer signs. A multisig's signer
 * follows the multisig in an instruction about its tokens. The multisig's tokens are judged like the signer's own.
 */
export function sharedOwners(
  calls: readonly InstructionCall[],
  before: Accounts,
  signers: ReadonlySet<string>,
): readonly string[] {
  const used = calls.filter(({ program }) => isTokenProgram(program)).flatMap((call) => readBatch(call) ?? []);
  return used.flatMap(({ accounts }) => {
    const [address = ""] = accounts;
    const state = before.get(address);
    const owner = state === undefined ? undefined : readTokenAccount(state)?.owner;
    if (owner === undefined || signers.has(owner)) return [];
    const place = accounts.indexOf(owner);
    const behind = place === -1 ? [] : accounts.slice(place + 1);
    return behind.some((each) => each !== undefined && signers.has(each)) ? [owner] : [];
  });
}
