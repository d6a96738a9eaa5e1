import type { Act, Instruction } from "../../chains/solana/act.ts";
import { actsOf } from "../../chains/solana/acts-of.ts";
import { programs } from "../../chains/solana/programs.ts";
import { handedOver, tokenHandover, upgradeHandover } from "../../chains/solana/rules/handover.ts";
import type { OwnFinding } from "./own-finding.ts";

/** The rights that instructions give away by their own words, whatever the accounts hold. */
export function statedRights(instructions: readonly Instruction[], signers: readonly string[]): readonly OwnFinding[] {
  return instructions.flatMap(actsOf).flatMap((act) => statedBy(act, signers) ?? []);
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

/** The fee payer holds SOL, or nothing would run. */
function assigned(account: string, to: string): OwnFinding {
  const description = `gives the account ${account}, with all that it holds, to the program ${to}`;
  return { name: "account_owner_changed", account, gains: to, description };
}
