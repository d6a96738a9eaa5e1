import type { Act, Instruction } from "./act.ts";
import { FieldReader } from "./field-reader.ts";

/** Numbers of the vote program's instructions. Source: Solana, VoteInstruction. */
const AUTHORIZE = 1;
const AUTHORIZE_CHECKED = 7;
const AUTHORIZE_WITH_SEED = 10;
const AUTHORIZE_CHECKED_WITH_SEED = 11;
/** Whoever may withdraw has all that the account holds. Source: VoteAuthorize; the voter is 0. */
const WITHDRAWER = 1;

/** What an instruction of the vote program does to who may act. @throws {EndOfBytesError} for data cut short. */
export function voteActs({ accounts: [account, , authority, named], data }: Instruction): readonly Act[] {
  const reader = new FieldReader(data);
  const act = (to: string | undefined, role: number): readonly Act[] =>
    account === undefined || authority === undefined || to === undefined
      ? []
      : [
          {
            kind: "stake_authorize",
            of: "vote account",
            role: role === WITHDRAWER ? "withdrawer" : "voter",
            account,
            authority,
            to,
          },
        ];
  switch (reader.u32()) {
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
    default:
      return [];
  }
}
