import type { Instruction } from "../acts/act.ts";
import { readBatch } from "../acts/token-acts.ts";
import { isInterface } from "../acts/token-interfaces.ts";
import { isTokenProgram, programs } from "../programs.ts";

/**
 * The numbers that identify the instructions of a program: one byte or four, from 0 to `last`, without the numbers in
 * `not`.
 */
interface Numbers {
  readonly bytes: 1 | 4;
  readonly last: number;
  readonly more?: readonly number[];
  readonly not?: readonly number[];
}

/**
 * Instructions that Weir understands: their effects are read, or balances show them. Instructions that hide amounts are
 * left out: confidential transfers of Token-2022, their fees and their mints. Moves to an unused loader are left out
 * too. Sources: each program's own instruction enum.
 */
const numbers: ReadonlyMap<string, Numbers> = new Map<string, Numbers>([
  [programs.system, { bytes: 4, last: 13 }],
  [programs.stake, { bytes: 4, last: 17 }],
  [programs.vote, { bytes: 4, last: 18 }],
  [programs.upgradeableLoader, { bytes: 4, last: 9, not: [8] }],
  [programs.addressLookupTable, { bytes: 4, last: 4 }],
  // The excluded instructions give rights over collectibles to others by updates, delegates, locks and withdrawals from
  // an escrow.
  [programs.tokenMetadata, { bytes: 1, last: 57, not: [1, 15, 20, 23, 40, 44, 46, 50] }],
  [programs.computeBudget, { bytes: 1, last: 4 }],
  [programs.associatedToken, { bytes: 1, last: 2 }],
  [programs.token, { bytes: 1, last: 24, more: [38, 45, 255] }],
  [programs.token2022, { bytes: 1, last: 46, more: [255], not: [27, 37, 42] }],
]);

/**
 * Numbers of Token-2022 that stand for several instructions, with the highest accepted second byte. The permissioned
 * burn that hides its amount is left out. Source: Token-2022, extension/*.
 */
const seconds: ReadonlyMap<number, number> = new Map([
  [26, 5],
  [28, 1],
  [30, 1],
  [33, 1],
  [34, 1],
  [36, 1],
  [39, 1],
  [40, 1],
  [41, 1],
  [43, 1],
  [44, 2],
  [46, 2],
]);

/**
 * Whether Weir knows the effects of an instruction of the network or its standard library. An instruction without data
 * is harmless for nearly all programs, because they do not execute it. The exception is the associated token program,
 * which treats empty data as its first instruction.
 */
export function isReadInstruction(instruction: Instruction): boolean {
  if (!isTokenProgram(instruction.program)) return isKnown(instruction);
  return readBatch(instruction)?.every(isKnown) ?? false;
}

function isKnown({ program, data }: Instruction): boolean {
  const known = numbers.get(program);
  if (known === undefined || data.length < known.bytes) return true;
  const number = Buffer.from(data.buffer, data.byteOffset, data.length).readUIntLE(0, known.bytes);
  const is2022 = program === programs.token2022;
  if (known.not?.includes(number)) return false;
  if (number > known.last && !known.more?.includes(number)) return is2022 && isInterface(data);
  const last = is2022 ? seconds.get(number) : undefined;
  return last === undefined || (data[1] ?? 0) <= last;
}
