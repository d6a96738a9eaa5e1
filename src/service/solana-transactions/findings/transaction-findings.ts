import type { Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { isReadInstruction } from "../../../chains/solana/message/read-instructions.ts";
import { isStandardProgram } from "../../../chains/solana/programs.ts";
import { durableNonce } from "../../../chains/solana/rules/durable-nonce.ts";
import { highFee } from "../../../chains/solana/rules/priority-fee.ts";
import { SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import { type InstructionCall, programsOf } from "../called.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";

/**
 * A transaction with a durable nonce stays valid until the nonce is used. It may therefore be sent at any later time.
 */
export const delayFindings: SolanaRule = ({ calls }) => {
  const nonce = durableNonce(calls);
  return nonce === undefined ? [] : [{ name: "durable_nonce", ...nonce }];
};

/** Reports a high priority fee, which goes to the producer of the block. */
export const feeFindings: SolanaRule = ({ calls, feePayer }) => {
  const description = highFee(calls.filter(({ isInner }) => !isInner));
  return description === undefined ? [] : [{ name: "fee_high", account: feePayer, description }];
};

/**
 * Lists all calls except those that a labelled service makes. A signer calls a labelled service for what the service
 * does.
 */
export function ownCalls({ calls, isService }: SolanaFacts): readonly InstructionCall[] {
  let outer = "";
  return calls.filter(({ program, isInner }) => {
    if (!isInner) outer = program;
    return !isInner || !isService(outer);
  });
}

/**
 * Reports programs that are neither part of the network nor labelled, because their next behaviour is unknown. Reports
 * unknown instructions of known programs, because their effect is unknown.
 */
export const programFindings: SolanaRule = ({ calls, isLabelled, simulation: { accounts, before, after } }) => {
  const isUnknown = (program: string) => !isStandardProgram(program) && !isLabelled(program);
  const found: SolanaFinding[] = [
    ...programsOf(calls).map((program) => [program, "calls"] as const),
    ...newOwners(before, after).map((program) => [program, "gives an account to"] as const),
  ]
    .filter(([program]) => isUnknown(program))
    .map(([program, does]) => ({
      name: "program_unknown",
      account: program,
      description: `${does} the program ${program}, which no label vouches for`,
    }));
  for (const call of calls) {
    const { program, data, unread } = call;
    if (unread === undefined && isReadInstruction(call)) continue;
    const what = unread === undefined ? `number ${data[0]}` : `the name ${JSON.stringify(unread)}`;
    const description = `calls the program ${program} by ${what}, and what that does is not known here`;
    found.push({ name: "instruction_unknown", account: program, description });
  }
  if (!accounts.includes(undefined)) return found;
  const description = "names accounts in a lookup table that could not be read";
  return [...found, { name: "lookup_table_unresolved", description }];
};

/**
 * Programs that become the owner of a fresh account with money in it. An account that held money before has a finding
 * of its own.
 */
function newOwners(before: Accounts, after: Accounts): readonly string[] {
  return [...after].flatMap(([address, { owner, lamports }]) =>
    (before.get(address)?.lamports ?? 0n) > 0n || lamports <= SMALL_CHANGE ? [] : [owner],
  );
}
