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
 * The changes of authority that one instruction makes. Empty for a program that Weir does not read. Empty for truncated
 * data too, which no program executes.
 */
export function actsOf(instruction: Instruction): readonly Act[] {
  try {
    return readers.get(instruction.program)?.(instruction) ?? [];
  } catch (thrown) {
    if (thrown instanceof EndOfBytesError) return [];
    throw thrown;
  }
}
