import type { Instruction } from "../acts/act.ts";
import { readBatch } from "../acts/token-acts.ts";
import { EndOfBytesError } from "../message/byte-reader.ts";
import { FieldReader } from "../message/field-reader.ts";
import { programs } from "../programs.ts";
import type { TransferFee } from "./mint.ts";

/**
 * A rule that the issuer of a Token-2022 token sets for all holders. `by` lists the authority first, then its signers.
 */
export type TokenRule = { readonly mint: string; readonly by: readonly string[] } & (
  | { readonly kind: "transfer_fee"; readonly fee: TransferFee }
  /** Undefined when the program is removed. */
  | { readonly kind: "transfer_hook"; readonly program: string | undefined }
  | { readonly kind: "default_state"; readonly isFrozen: boolean }
);

/** Both numbers of an instruction. Source: Token-2022, extension/{transfer_fee,transfer_hook,default_account_state}. */
const SET_TRANSFER_FEE = [26, 5];
const UPDATE_DEFAULT_STATE = [28, 1];
const UPDATE_HOOK = [36, 1];
const FROZEN = 2;
/** The key of zeros means "none"; it is also the key of the system program. Source: spl_pod, OptionalNonZeroPubkey. */
const NOBODY: string = programs.system;

/**
 * The rules that an instruction of Token-2022 sets, or that the instructions of its batch set. Empty for any other
 * instruction and for truncated data.
 */
export function tokenRulesOf(instruction: Instruction): readonly TokenRule[] {
  if (instruction.program !== programs.token2022) return [];
  return (readBatch(instruction) ?? []).flatMap((each) => ruleOf(each) ?? []);
}

function ruleOf({ accounts: [mint, ...others], data }: Instruction): TokenRule | undefined {
  if (mint === undefined) return undefined;
  const by = others.filter((account) => account !== undefined);
  const is = ([first, second]: readonly number[]) => data[0] === first && data[1] === second;
  const reader = new FieldReader(data.subarray(2));
  try {
    if (is(SET_TRANSFER_FEE)) {
      const rate = reader.byte() | (reader.byte() << 8);
      return { kind: "transfer_fee", mint, by, fee: { rate, most: reader.u64() } };
    }
    if (is(UPDATE_DEFAULT_STATE)) return { kind: "default_state", mint, by, isFrozen: reader.byte() === FROZEN };
    if (!is(UPDATE_HOOK)) return undefined;
    const program = reader.key();
    return { kind: "transfer_hook", mint, by, program: program === NOBODY ? undefined : program };
  } catch (thrown) {
    // No program executes truncated data.
    if (thrown instanceof EndOfBytesError) return undefined;
    throw thrown;
  }
}
