import { instructionsOf } from "../message/instructions-of.ts";
import type { Message } from "../message/message.ts";
import { programs } from "../programs.ts";
import { actsOf } from "./acts-of.ts";

/** Place of the wallet among the accounts of an instruction that makes its token account. Source: SPL Associated Token. */
const WALLET_PLACE = 2;

/**
 * Addresses to which the instructions of a message give a right, money or a token account, as far as they say so
 * themselves: new authorities and owners, delegates, who is paid by a withdrawal, and the wallet of an account that is made.
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
