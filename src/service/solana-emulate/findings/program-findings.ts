import { isKnownInstruction } from "../../../chains/solana/known-instruction.ts";
import { isWellKnownProgram } from "../../../chains/solana/programs.ts";
import { programsOf } from "../called.ts";
import type { Finding, Finds } from "./facts.ts";

/**
 * Programs that neither the network brings nor a label names: nobody can say what they will do the next time. Of those that
 * are known, instructions that are not: nobody can say what they do at all.
 */
export const programFindings: Finds = ({ calls, isLabelled, simulation: { accounts } }) => {
  const unknown = programsOf(calls).filter((program) => !isWellKnownProgram(program) && !isLabelled(program));
  const found: Finding[] = unknown.map((program) => ({
    name: "program_unknown",
    account: program,
    description: `calls the program ${program}, which no label names`,
  }));
  for (const { program, data } of calls.filter((call) => !isKnownInstruction(call))) {
    const description = `calls the program ${program} by number ${data[0]}, and what that does is not known here`;
    found.push({ name: "instruction_unknown", account: program, description });
  }
  if (!accounts.includes(undefined)) return found;
  const description = "names accounts in a lookup table that could not be read";
  return [...found, { name: "lookup_table_unresolved", description }];
};
