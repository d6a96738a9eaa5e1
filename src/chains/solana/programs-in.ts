import type { Instruction } from "./acts/act.ts";
import { EndOfBytesError } from "./message/byte-reader.ts";
import { FieldReader } from "./message/field-reader.ts";
import { instructionsOf } from "./message/instructions-of.ts";
import type { Message } from "./message/message.ts";
import { programs } from "./programs.ts";

/** Numbers of the system program's instructions. Source: Solana, SystemInstruction. */
const CREATE_ACCOUNT = 0;
const CREATE_ACCOUNT_WITH_SEED = 3;

/** The programs that a message calls, and the programs that own the accounts it creates. */
export function programsIn(message: Message): readonly string[] {
  const named = instructionsOf(message).flatMap((instruction) => [instruction.program, ownerMade(instruction) ?? []]);
  return [...new Set(named.flat())];
}

function ownerMade({ program, data }: Instruction): string | undefined {
  if (program !== programs.system) return undefined;
  try {
    const reader = new FieldReader(data);
    const number = reader.u32();
    if (number !== CREATE_ACCOUNT && number !== CREATE_ACCOUNT_WITH_SEED) return undefined;
    if (number === CREATE_ACCOUNT_WITH_SEED) {
      reader.key();
      reader.skipText();
    }
    reader.u64();
    reader.u64();
    return reader.key();
  } catch (thrown) {
    // An instruction with truncated data creates no account.
    if (thrown instanceof EndOfBytesError) return undefined;
    throw thrown;
  }
}
