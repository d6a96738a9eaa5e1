import type { Instruction } from "../acts/act.ts";
import { readBatch } from "../acts/token-acts.ts";
import { isInterface } from "../acts/token-interfaces.ts";
import { isTokenProgram, programs } from "../programs.ts";

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
  // Rights over collectibles go to others by updates, delegates, locks and what leaves an escrow.
  [programs.tokenMetadata, { bytes: 1, last: 57, not: [1, 15, 20, 23, 40, 44, 46, 50] }],
  [programs.computeBudget, { bytes: 1, last: 4 }],
  [programs.associatedToken, { bytes: 1, last: 2 }],
  [programs.token, { bytes: 1, last: 24, more: [38, 45, 255] }],
  [programs.token2022, { bytes: 1, last: 46, more: [255], not: [27, 37, 42] }],
]);

/**
 * Numbers of Token-2022 that stand for several instructions, with the last that a second byte may name. Left out of the
 * permissioned burns is the one that hides its amount. Source: Token-2022, extension/*.
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
 * Whether it is known what an instruction of a program of the network or its standard library does. One without data is:
 * no program of these runs it, but that which makes token accounts, for which it means the first.
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
