import { EndOfBytesError } from "../message/byte-reader.ts";
import { programs } from "../programs.ts";
import type { Act, Instruction } from "./act.ts";
import { loaderActs, tableActs } from "./loader-acts.ts";
import { stakeActs } from "./stake-acts.ts";
import { systemActs } from "./system-acts.ts";
import { tokenActs } from "./token-acts.ts";
import { voteActs } from "./vote-acts.ts";

const readers: ReadonlyMap<string, (instruction: Instruction) => readonly Act[]> = new Map([
  [programs.system, systemActs],
  [programs.stake, stakeActs],
  [programs.vote, voteActs],
  [programs.upgradeableLoader, loaderActs],
  [programs.addressLookupTable, tableActs],
  [programs.token, tokenActs],
  [programs.token2022, tokenActs],
]);

/**
 * What one instruction does to who may act on an account. Nothing for a program that is not read here, and nothing for
 * data that is cut short, which no program executes.
 */
export function actsOf(instruction: Instruction): readonly Act[] {
  try {
    return readers.get(instruction.program)?.(instruction) ?? [];
  } catch (thrown) {
    if (thrown instanceof EndOfBytesError) return [];
    throw thrown;
  }
}
