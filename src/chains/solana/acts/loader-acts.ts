import { FieldReader } from "../message/field-reader.ts";
import type { Act, Instruction } from "./act.ts";

/** Numbers of the upgradeable loader's instructions. Source: Solana, UpgradeableLoaderInstruction. */
const UPGRADE = 3;
const SET_AUTHORITY = 4;
const CLOSE = 5;
const SET_AUTHORITY_CHECKED = 7;

/**
 * The changes of authority that an instruction of the upgradeable loader makes.
 * @throws {EndOfBytesError} for truncated data.
 */
export function loaderActs({ accounts, data }: Instruction): readonly Act[] {
  const [account, second, third] = accounts;
  const number = new FieldReader(data).u32();
  if (account === undefined || second === undefined) return [];
  if (number === UPGRADE) return [{ kind: "upgrade", account: second }];
  if (number === CLOSE) {
    return third === undefined ? [] : [{ kind: "close", of: "code", account, authority: third, to: second }];
  }
  if (number !== SET_AUTHORITY && number !== SET_AUTHORITY_CHECKED) return [];
  return [{ kind: "upgrade_authority", account, authority: second, to: third }];
}

/**
 * The lookup table program expects its authority at a fixed index. Source: address lookup table program,
 * ProgramInstruction.
 */
const CLOSE_TABLE = 4;

/**
 * The payments that an instruction of the lookup table program makes.
 * @throws {EndOfBytesError} for truncated data.
 */
export function tableActs({ accounts: [account, base, to], data }: Instruction): readonly Act[] {
  if (new FieldReader(data).u32() !== CLOSE_TABLE || account === undefined || to === undefined) return [];
  return [{ kind: "withdraw", of: "lookup table", account, to, lamports: undefined, base }];
}
