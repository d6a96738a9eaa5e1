import { sha256 } from "../../kernel/sha256.ts";
import type { Instruction } from "./act.ts";
import { isTokenProgram, programs } from "./programs.ts";
import { readBatch } from "./token-acts.ts";

/** What tells the instructions of a program apart: a number, of one byte or four, from 0 to the last, but for some. */
interface Numbers {
  readonly bytes: 1 | 4;
  readonly last: number;
  readonly more?: readonly number[];
  readonly not?: readonly number[];
}

/**
 * Instructions that are understood here: what they do is read, or shows in balances. Left out are those that hide amounts
 * (Token-2022's confidential transfers, their fees and their mints) and moves to a loader that is not in use.
 * Sources: each program's own instruction enum.
 */
const numbers: ReadonlyMap<string, Numbers> = new Map<string, Numbers>([
  [programs.system, { bytes: 4, last: 13 }],
  [programs.stake, { bytes: 4, last: 17 }],
  [programs.vote, { bytes: 4, last: 18 }],
  [programs.upgradeableLoader, { bytes: 4, last: 9, not: [8] }],
  [programs.addressLookupTable, { bytes: 4, last: 4 }],
  [programs.computeBudget, { bytes: 1, last: 4 }],
  [programs.associatedToken, { bytes: 1, last: 2 }],
  [programs.token, { bytes: 1, last: 24, more: [38, 45, 255] }],
  [programs.token2022, { bytes: 1, last: 46, more: [255], not: [27, 37, 42] }],
]);

/** Interfaces that Token-2022 has beside its numbers: the first eight bytes of a name's SHA-256. */
const interfaces: ReadonlySet<string> = new Set(
  [
    "spl_token_metadata_interface:initialize_account",
    "spl_token_metadata_interface:updating_field",
    "spl_token_metadata_interface:remove_key_ix",
    "spl_token_metadata_interface:update_the_authority",
    "spl_token_metadata_interface:emitter",
    "spl_token_group_interface:initialize_token_group",
    "spl_token_group_interface:update_group_max_size",
    "spl_token_group_interface:update_authority",
    "spl_token_group_interface:initialize_member",
  ].map((name) => sha256(name).slice(0, 16)),
);

/**
 * Whether it is known what an instruction of a program of the network or its standard library does. One without data is:
 * no program of these runs it, but that which makes token accounts, for which it means the first.
 */
export function isKnownInstruction(instruction: Instruction): boolean {
  if (!isTokenProgram(instruction.program)) return isKnown(instruction);
  return readBatch(instruction)?.every(isKnown) ?? false;
}

function isKnown({ program, data }: Instruction): boolean {
  const known = numbers.get(program);
  if (known === undefined || data.length < known.bytes) return true;
  const number = Buffer.from(data.buffer, data.byteOffset, data.length).readUIntLE(0, known.bytes);
  if (known.not?.includes(number)) return false;
  if (number <= known.last || known.more?.includes(number)) return true;
  return program === programs.token2022 && interfaces.has(Buffer.from(data.subarray(0, 8)).toString("hex"));
}
