import type { Instruction } from "../../chains/solana/acts/act.ts";
import { actsOf } from "../../chains/solana/acts/acts-of.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import type { InnerInstruction, Simulation } from "./simulator.ts";

/** An instruction that ran, or that would have run. */
export interface InstructionCall extends Instruction {
  /** True when a program called the instruction, false when the transaction did. */
  readonly isInner: boolean;
  /** The node's name for the instruction. Set where the bytes of the instruction are unknown. */
  readonly unread?: string;
}

/**
 * Lists all instructions in the order in which they ran: each instruction of the message, followed by its inner
 * instructions.
 */
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

/** Lists each called program once, in the order of the first calls. */
export function programsOf(calls: readonly InstructionCall[]): readonly string[] {
  return [...new Set(calls.map(({ program }) => program))].filter((program) => program !== "");
}

/** Maps each account that is named as derived from an address by a seed to that address. */
export function derivedAccounts(calls: readonly InstructionCall[]): ReadonlyMap<string, string> {
  const acts = calls.flatMap(actsOf);
  return new Map(
    acts.flatMap((act) => ("base" in act && act.base !== undefined ? [[act.account, act.base] as const] : [])),
  );
}
