import { FieldReader } from "../message/field-reader.ts";
import type { Act, Instruction } from "./act.ts";

/** Numbers of the stake program's instructions. Source: Solana, StakeInstruction. */
const AUTHORIZE = 1;
const WITHDRAW = 4;
const SET_LOCKUP = 6;
const AUTHORIZE_WITH_SEED = 8;
const AUTHORIZE_CHECKED = 10;
const AUTHORIZE_CHECKED_WITH_SEED = 11;
const SET_LOCKUP_CHECKED = 12;

/**
 * Older layouts name the clock after the stake account, or after the base of a seed. Since the stake program moved to
 * BPF, the clock is optional.
 */
const CLOCK = "SysvarC1ock11111111111111111111111111111111";

/**
 * The changes of authority that an instruction of the stake program makes.
 * @throws {EndOfBytesError} for truncated data.
 */
export function stakeActs({ accounts, data }: Instruction): readonly Act[] {
  const [account, second, third] = accounts.filter((address, i) => address !== CLOCK || i > 2);
  const reader = new FieldReader(data);
  const number = reader.u32();
  if (account === undefined) return [];
  const act = (to: string | undefined, role: number): readonly Act[] =>
    to === undefined
      ? []
      : [{ kind: "stake_authorize", of: "stake", role: role === 0 ? "staker" : "withdrawer", account, to }];
  switch (number) {
    case AUTHORIZE:
    case AUTHORIZE_WITH_SEED: {
      const to = reader.key();
      return act(to, reader.u32());
    }
    case AUTHORIZE_CHECKED:
    case AUTHORIZE_CHECKED_WITH_SEED:
      return act(third, reader.u32());
    case WITHDRAW:
      return second === undefined
        ? []
        : [{ kind: "withdraw", of: "stake", account, to: second, lamports: reader.u64() }];
    case SET_LOCKUP:
    case SET_LOCKUP_CHECKED: {
      const untilSec = reader.optional(() => reader.i64());
      const untilEpoch = reader.optional(() => reader.u64());
      const custodian = number === SET_LOCKUP ? reader.optional(() => reader.key()) : third;
      return [{ kind: "lockup", account, untilSec, untilEpoch, custodian }];
    }
    default:
      return [];
  }
}
