import type { Instruction } from "../../chains/solana/acts/act.ts";
import { actsOf } from "../../chains/solana/acts/acts-of.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import type { InnerInstruction, Simulation } from "./simulator.ts";

/** An instruction as it ran, or would have. */
export interface InstructionCall extends Instruction {
  /** Whether a program called it, and not the transaction itself. */
  readonly isInner: boolean;
  /** What a node calls it, where that is all that is known of it. */
  readonly unread?: string;
}

/** All instructions in the order in which they ran: each of the message, and after it what was called under it. */
export function callsOf(
  { instructions }: Message,
  { accounts, inner }: Pick<Simulation, "accounts" | "inner">,
): InstructionCall[] {
  const named = ({ program, accounts: places, ...rest }: InnerInstruction, isInner: boolean): InstructionCall => ({
    ...rest,
    program: accounts[program] ?? "",
    accounts: [...places].map((place) => accounts[place]),
    isInner,
  });
  return instructions.flatMap((instruction, i) => [
    named(instruction, false),
    ...(inner[i] ?? []).map((each) => named(each, true)),
  ]);
}

/** The programs among them, each once, the first that was called first. */
export function programsOf(calls: readonly InstructionCall[]): readonly string[] {
  return [...new Set(calls.map(({ program }) => program))].filter((program) => program !== "");
}

/** Accounts that are named as derived from an address by a seed, and that address. */
export function derivedAccounts(calls: readonly InstructionCall[]): ReadonlyMap<string, string> {
  const acts = calls.flatMap(actsOf);
  return new Map(
    acts.flatMap((act) => ("base" in act && act.base !== undefined ? [[act.account, act.base] as const] : [])),
  );
}
