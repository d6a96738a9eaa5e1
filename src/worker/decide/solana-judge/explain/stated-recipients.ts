import type { Instruction } from "../../../../chains/solana/acts/act.ts";
import { readBatch } from "../../../../chains/solana/acts/token-acts.ts";
import { tokenUsesOf } from "../../../../chains/solana/acts/token-uses.ts";
import { isTokenProgram, programs } from "../../../../chains/solana/programs.ts";
import { readPlainTransfers } from "../plain-transfers.ts";

/** An account that an instruction pays, as the instruction states it. */
export interface StatedRecipient {
  readonly to: string;
  /** Undefined for tokens, and for all that a closed account holds. */
  readonly lamports?: bigint;
}

/** Source: SPL Token, TokenInstruction. */
const REVOKE = 5;
const CLOSE = 9;
const SYNC_NATIVE = 17;

/**
 * The accounts that the instructions of a transaction pay. Undefined if another program runs, if an instruction may pay
 * an account in another way, or if an account stands in a lookup table.
 */
export function statedRecipients(instructions: readonly Instruction[]): readonly StatedRecipient[] | undefined {
  const recipients = instructions.map(recipientsOf);
  return recipients.every((each) => each !== undefined) ? recipients.flat() : undefined;
}

function recipientsOf(instruction: Instruction): readonly StatedRecipient[] | undefined {
  if (isTokenProgram(instruction.program)) return tokenRecipients(instruction);
  if (isMakingAccount(instruction)) return [];
  const { sol, unshown } = readPlainTransfers([instruction]);
  return unshown.length === 0 ? sol.map(({ to, lamports }) => ({ to, lamports })) : undefined;
}

/** A new associated account holds nothing. Its address alone says whose it is. */
function isMakingAccount({ program, accounts, data }: Instruction): boolean {
  return program === programs.associatedToken && (data[0] ?? 0) <= 1 && accounts.every((each) => each !== undefined);
}

function tokenRecipients(instruction: Instruction): readonly StatedRecipient[] | undefined {
  const batch = readBatch(instruction);
  const recipients = batch?.map((each): readonly StatedRecipient[] | undefined => {
    const [number] = each.data;
    if (number === REVOKE || number === SYNC_NATIVE) return [];
    if (number === CLOSE) return each.accounts[1] === undefined ? undefined : [{ to: each.accounts[1] }];
    const [use] = tokenUsesOf(each);
    return use?.kind === "move" ? [{ to: use.to }] : undefined;
  });
  return recipients?.every((each) => each !== undefined) ? recipients.flat() : undefined;
}
