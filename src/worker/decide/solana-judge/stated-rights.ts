import type { Act, Instruction } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { isTokenProgram, programs } from "../../../chains/solana/programs.ts";
import { handedOver, tokenHandover, upgradeHandover } from "../../../chains/solana/rules/handover.ts";
import type { OwnFinding } from "./own-finding.ts";

/** The rights that instructions give away explicitly, whatever the accounts hold. */
export function statedRights(instructions: readonly Instruction[], signers: readonly string[]): readonly OwnFinding[] {
  return instructions.flatMap((instruction, i) => {
    const later = instructions.slice(i + 1);
    return actsOf(instruction).flatMap((act) =>
      act.kind === "approve" ? (unlimited(act, later) ?? []) : (statedBy(act, signers) ?? []),
    );
  });
}

/** Programs write 2^64 - 1 for "without a limit". Half of that still exceeds the balance of nearly any account. */
const LEAST_UNLIMITED = 2n ** 63n;
/**
 * Instructions after which an account has no delegate: Revoke, and CloseAccount. Source: SPL Token, TokenInstruction.
 */
const ENDING: readonly number[] = [5, 9];

/** A delegate may take all tokens from now on. Only a service knows whether a label vouches for the delegate. */
function unlimited(
  { account, to, amount }: Extract<Act, { kind: "approve" }>,
  later: readonly Instruction[],
): OwnFinding | undefined {
  const isEnded = later.some(
    ({ program, accounts, data }) =>
      isTokenProgram(program) && accounts[0] === account && ENDING.includes(data[0] ?? -1),
  );
  if (amount < LEAST_UNLIMITED || isEnded) return undefined;
  const description = `lets ${to} take all tokens of the account ${account} at any time`;
  return { name: "approval_unlimited", account, gains: to, description };
}

function statedBy(act: Act, signers: readonly string[]): OwnFinding | undefined {
  const [feePayer = ""] = signers;
  switch (act.kind) {
    case "token_authority":
      return tokenHandover(act);
    case "upgrade_authority":
      return upgradeHandover(act);
    case "upgrade":
      return { name: "program_upgraded", account: act.account, description: `replaces the code of ${act.account}` };
    case "nonce_authorize":
      return signers.includes(act.to)
        ? undefined
        : handedOver("nonce_authority_changed", "the durable nonce", { ...act, authority: feePayer });
    case "stake_authorize":
      return signers.includes(act.to)
        ? undefined
        : handedOver("stake_authority_changed", `the ${act.of}, as its ${act.role},`, { ...act, authority: feePayer });
    case "assign":
      return act.account === feePayer && act.to !== programs.system ? assigned(act.account, act.to) : undefined;
    default:
      return undefined;
  }
}

/** The fee payer always holds SOL, because it pays the fee. */
function assigned(account: string, to: string): OwnFinding {
  const description = `gives the account ${account}, with all that it holds, to the program ${to}`;
  return { name: "account_owner_changed", account, gains: to, description };
}
