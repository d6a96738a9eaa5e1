import { FieldReader } from "../message/field-reader.ts";
import type { Act, Instruction } from "./act.ts";

/** Numbers of the system program's instructions. Source: Solana, SystemInstruction; @solana-program/system. */
const ASSIGN = 1;
const ADVANCE_NONCE = 4;
const WITHDRAW_NONCE = 5;
const INITIALIZE_NONCE = 6;
const AUTHORIZE_NONCE = 7;
const ALLOCATE = 8;
const ALLOCATE_WITH_SEED = 9;
const ASSIGN_WITH_SEED = 10;
const TRANSFER_WITH_SEED = 11;
const CREATE_ACCOUNT_ALLOW_PREFUND = 13;

/**
 * The changes of authority that an instruction of the system program makes.
 * @throws {EndOfBytesError} for truncated data.
 */
export function systemActs({ accounts, data }: Instruction): readonly Act[] {
  const [first, second, third] = accounts;
  const reader = new FieldReader(data);
  const number = reader.u32();
  if (first === undefined) return [];
  switch (number) {
    case ASSIGN:
      return [{ kind: "assign", account: first, to: reader.key() }];
    case ASSIGN_WITH_SEED: {
      const base = reader.key();
      reader.skipText();
      return [{ kind: "assign", account: first, to: reader.key(), base }];
    }
    case ALLOCATE:
      return reader.u64() === 0n ? [] : [{ kind: "allocate", account: first }];
    case ALLOCATE_WITH_SEED: {
      const base = reader.key();
      reader.skipText();
      return allocated(first, reader.u64(), reader.key(), base);
    }
    case CREATE_ACCOUNT_ALLOW_PREFUND:
      // Unlike the older instruction, this one accepts an account that holds money already.
      reader.u64();
      return allocated(first, reader.u64(), reader.key());
    case TRANSFER_WITH_SEED:
      return third === undefined
        ? []
        : [
            {
              kind: "withdraw",
              of: "derived account",
              account: first,
              to: third,
              lamports: reader.u64(),
              base: second,
            },
          ];
    case ADVANCE_NONCE:
      return [{ kind: "nonce_advance", account: first }];
    case WITHDRAW_NONCE:
      return second === undefined
        ? []
        : [{ kind: "withdraw", of: "durable nonce", account: first, to: second, lamports: reader.u64() }];
    case INITIALIZE_NONCE:
      return [{ kind: "nonce_initialize", account: first, to: reader.key() }];
    case AUTHORIZE_NONCE:
      return [{ kind: "nonce_authorize", account: first, to: reader.key() }];
    default:
      return [];
  }
}

/** Space and a new owner may come in one instruction. Each is an act of its own. */
function allocated(account: string, space: bigint, to: string, base?: string): readonly Act[] {
  const assign: Act = { kind: "assign", account, to, base };
  return space === 0n ? [assign] : [{ kind: "allocate", account, base }, assign];
}
