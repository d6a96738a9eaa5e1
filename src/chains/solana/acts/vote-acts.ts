import { FieldReader } from "../message/field-reader.ts";
import type { Act, Instruction } from "./act.ts";

/** Numbers of the vote program's instructions. Source: Solana, VoteInstruction. */
const AUTHORIZE = 1;
const WITHDRAW = 3;
const UPDATE_IDENTITY = 4;
const UPDATE_COMMISSION = 5;
const AUTHORIZE_CHECKED = 7;
const AUTHORIZE_WITH_SEED = 10;
const AUTHORIZE_CHECKED_WITH_SEED = 11;
/** Source: SIMD-0232 and SIMD-0291. */
const UPDATE_COLLECTOR = 17;
const UPDATE_COMMISSION_BPS = 18;
/** The withdrawer controls the whole balance of the account. Source: VoteAuthorize; the voter is 0. */
const WITHDRAWER = 1;

/**
 * The changes of authority that an instruction of the vote program makes.
 * @throws {EndOfBytesError} for truncated data.
 */
export function voteActs({ accounts: [account, second, , named], data }: Instruction): readonly Act[] {
  const reader = new FieldReader(data);
  const number = reader.u32();
  if (account === undefined) return [];
  const act = (to: string | undefined, role: number): readonly Act[] =>
    to === undefined
      ? []
      : [
          {
            kind: "stake_authorize",
            of: "vote account",
            role: role === WITHDRAWER ? "withdrawer" : "voter",
            account,
            to,
          },
        ];
  switch (number) {
    case AUTHORIZE: {
      const to = reader.key();
      return act(to, reader.u32());
    }
    case AUTHORIZE_CHECKED:
    case AUTHORIZE_CHECKED_WITH_SEED:
      return act(named, reader.u32());
    case AUTHORIZE_WITH_SEED: {
      const role = reader.u32();
      reader.key();
      reader.skipText();
      return act(reader.key(), role);
    }
    case WITHDRAW:
      return second === undefined
        ? []
        : [{ kind: "withdraw", of: "vote account", account, to: second, lamports: reader.u64() }];
    case UPDATE_IDENTITY:
      return [{ kind: "vote_change", what: "identity", account, to: second }];
    case UPDATE_COLLECTOR:
      return [{ kind: "vote_change", what: "collector of its earnings", account, to: second }];
    case UPDATE_COMMISSION:
    case UPDATE_COMMISSION_BPS:
      return [{ kind: "vote_change", what: "commission", account, to: undefined }];
    default:
      return [];
  }
}
