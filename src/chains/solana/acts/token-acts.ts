import { EndOfBytesError } from "../message/byte-reader.ts";
import { FieldReader } from "../message/field-reader.ts";
import { programs } from "../programs.ts";
import type { Act, Instruction, TokenRole } from "./act.ts";
import { DISCRIMINATOR_BYTES, handsOver } from "./token-interfaces.ts";

/** Numbers of the instructions that both token programs share. Source: @solana-program/token. */
const APPROVE = 4;
const SET_AUTHORITY = 6;
const CLOSE_ACCOUNT = 9;
const APPROVE_CHECKED = 13;
const WITHDRAW_EXCESS_LAMPORTS = 38;
const BATCH = 255;

/** The key of zeros means "none"; it is also the key of the system program. Source: spl_pod, OptionalNonZeroPubkey. */
const NOBODY: string = programs.system;

const roles: readonly TokenRole[] = ["mint", "freeze", "owner", "close"];

/**
 * The changes of authority that an instruction of a token program makes.
 * @throws {EndOfBytesError} for truncated data.
 */
export function tokenActs(instruction: Instruction): readonly Act[] {
  return unbatched(instruction).flatMap(single);
}

function single({ program, accounts, data }: Instruction): readonly Act[] {
  const [account, second, third, fourth] = accounts;
  if (account === undefined || second === undefined) return [];
  if (program === programs.token2022 && handsOver(data)) return [handedOver(account, second, data)];
  const reader = new FieldReader(data);
  const number = reader.byte();
  switch (number) {
    case SET_AUTHORITY: {
      const role = roles[reader.byte()] ?? "extension";
      const to = reader.byte() === 1 ? reader.key() : undefined;
      return [{ kind: "token_authority", role, account, authority: second, to }];
    }
    case APPROVE:
      return third === undefined
        ? []
        : [{ kind: "approve", account, authority: third, to: second, amount: reader.u64() }];
    case APPROVE_CHECKED:
      return third === undefined || fourth === undefined
        ? []
        : [{ kind: "approve", account, authority: fourth, to: third, amount: reader.u64() }];
    case CLOSE_ACCOUNT:
      return third === undefined ? [] : [{ kind: "close", of: "tokens", account, authority: third, to: second }];
    case WITHDRAW_EXCESS_LAMPORTS:
      return [{ kind: "withdraw", of: "token account", account, to: second, lamports: undefined }];
    default:
      return [];
  }
}

/**
 * Reads a handover by an interface instruction. The new authority stands behind the name, and all zeros mean no
 * authority.
 */
function handedOver(account: string, authority: string, data: Uint8Array): Act {
  const to = new FieldReader(data.subarray(DISCRIMINATOR_BYTES)).key();
  return { kind: "token_authority", role: "extension", account, authority, to: to === NOBODY ? undefined : to };
}

/**
 * The instruction itself, or the instructions of its batch.
 * @throws {EndOfBytesError} for truncated data.
 */
function unbatched(instruction: Instruction): readonly Instruction[] {
  return instruction.data[0] === BATCH ? batched(instruction) : [instruction];
}

/**
 * The instructions of a token program, a batch unpacked. Undefined for a truncated batch, which no program executes.
 */
export function readBatch(instruction: Instruction): readonly Instruction[] | undefined {
  try {
    return unbatched(instruction);
  } catch (thrown) {
    if (thrown instanceof EndOfBytesError) return undefined;
    throw thrown;
  }
}

/**
 * Unpacks several instructions in one. Each has the number of its accounts, the number of its bytes, and then those
 * bytes. Source: @solana-program/token, batch.
 */
function batched({ program, accounts, data }: Instruction): Instruction[] {
  const reader = new FieldReader(data.subarray(1));
  const found: Instruction[] = [];
  for (let at = 0; reader.left > 0; ) {
    const count = reader.byte();
    found.push({ program, accounts: accounts.slice(at, at + count), data: reader.take(reader.byte()) });
    at += count;
  }
  return found;
}
