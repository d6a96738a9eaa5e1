import type { Instruction } from "../acts/act.ts";
import type { Message } from "./message.ts";

/** The instructions of a message with their accounts by address. Accounts in lookup tables are undefined. */
export function instructionsOf({ instructions, staticKeys }: Message): readonly Instruction[] {
  return instructions.map(({ program, accounts, data }) => ({
    program: staticKeys[program] ?? "",
    accounts: [...accounts].map((place) => staticKeys[place]),
    data,
  }));
}
