import type { Act, Instruction } from "./act.ts";
import { FieldReader } from "./field-reader.ts";

/** Numbers of the stake program's instructions. Source: Solana, StakeInstruction. */
const AUTHORIZE = 1;
const AUTHORIZE_WITH_SEED = 8;
const AUTHORIZE_CHECKED = 10;
const AUTHORIZE_CHECKED_WITH_SEED = 11;

/** What an instruction of the stake program does to who may act. @throws {EndOfBytesError} for data cut short. */
export function stakeActs({ accounts, data }: Instruction): readonly Act[] {
  const [account, second, third, fourth] = accounts;
  const reader = new FieldReader(data);
  const number = reader.u32();
  if (account === undefined) return [];
  const act = (authority: string | undefined, to: string | undefined, role: number): readonly Act[] =>
    authority === undefined || to === undefined
      ? []
      : [{ kind: "stake_authorize", role: role === 0 ? "staker" : "withdrawer", account, authority, to }];
  switch (number) {
    case AUTHORIZE: {
      const to = reader.key();
      return act(third, to, reader.u32());
    }
    case AUTHORIZE_WITH_SEED: {
      const to = reader.key();
      return act(second, to, reader.u32());
    }
    case AUTHORIZE_CHECKED:
      return act(third, fourth, reader.u32());
    case AUTHORIZE_CHECKED_WITH_SEED:
      return act(second, fourth, reader.u32());
    default:
      return [];
  }
}
