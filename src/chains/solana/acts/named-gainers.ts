import { instructionsOf } from "../message/instructions-of.ts";
import type { Message } from "../message/message.ts";
import { programs } from "../programs.ts";
import { actsOf } from "./acts-of.ts";

/**
 * Index of the wallet in the accounts of an instruction that creates its token account. Source: SPL Associated Token.
 */
const WALLET_PLACE = 2;

/**
 * Addresses that gain a right, money or a token account by the instructions of a message. They are new authorities and
 * owners, delegates, recipients of withdrawals, and wallets of new token accounts. Only gains that the instructions
 * name themselves are included.
 */
export function namedGainers(message: Message): readonly string[] {
  const named = instructionsOf(message).flatMap((instruction) => {
    const wallet = instruction.program === programs.associatedToken ? instruction.accounts[WALLET_PLACE] : undefined;
    const acts = actsOf(instruction).flatMap((act) => [
      "to" in act ? act.to : undefined,
      act.kind === "lockup" ? act.custodian : undefined,
    ]);
    return [...acts, wallet].filter((address) => address !== undefined);
  });
  return [...new Set(named)];
}
