import type { Act, Instruction } from "./act.ts";
import { FieldReader } from "./field-reader.ts";

/** Numbers of the system program's instructions. Source: Solana, SystemInstruction; @solana-program/system. */
const ASSIGN = 1;
const ADVANCE_NONCE = 4;
const AUTHORIZE_NONCE = 7;
const ALLOCATE_WITH_SEED = 9;
const ASSIGN_WITH_SEED = 10;
const CREATE_ACCOUNT_ALLOW_PREFUND = 13;

/** What an instruction of the system program does to who may act. @throws {EndOfBytesError} for data cut short. */
export function systemActs({ accounts, data }: Instruction): readonly Act[] {
  const [first, second] = accounts;
  const reader = new FieldReader(data);
  const number = reader.u32();
  if (first === undefined) return [];
  switch (number) {
    case ASSIGN:
      return [{ kind: "assign", account: first, to: reader.key() }];
    case ASSIGN_WITH_SEED:
    case ALLOCATE_WITH_SEED:
      reader.key();
      reader.skipText();
      if (number === ALLOCATE_WITH_SEED) reader.u64();
      return [{ kind: "assign", account: first, to: reader.key() }];
    case CREATE_ACCOUNT_ALLOW_PREFUND:
      // Unlike its elder sister it takes an account that holds money already.
      reader.u64();
      reader.u64();
      return [{ kind: "assign", account: first, to: reader.key() }];
    case ADVANCE_NONCE:
      return [{ kind: "nonce_advance", account: first }];
    case AUTHORIZE_NONCE:
      return second === undefined
        ? []
        : [{ kind: "nonce_authorize", account: first, authority: second, to: reader.key() }];
    default:
      return [];
  }
}
