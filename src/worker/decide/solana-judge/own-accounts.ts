import type { Instruction } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { KEY_BYTES, keyText } from "../../../chains/solana/key.ts";
import { programs } from "../../../chains/solana/programs.ts";
import { NATIVE, type TokenChanges } from "../../../chains/solana/rules/token-changes.ts";

/** Source: Solana, StakeInstruction: Initialize with its staker and withdrawer, and InitializeChecked. */
const INITIALIZE = 0;
const NUMBER_BYTES = 4;
const WITHDRAWER_AT = NUMBER_BYTES + KEY_BYTES;
const INITIALIZE_CHECKED = 9;

/**
 * Accounts with SOL that still belongs to the signers: stakes that they may withdraw, and their durable nonces. Only
 * accounts that the instructions create are known. If the stake program runs inside another program, each account that
 * gains SOL may be such a stake.
 */
export function ownAccounts(
  instructions: readonly Instruction[],
  signers: readonly string[],
  called: readonly string[],
  changes: readonly TokenChanges[],
): ReadonlySet<string> {
  const isInside = called.includes(programs.stake) && instructions.every(({ program }) => program !== programs.stake);
  if (isInside) return gaining(changes);
  return new Set(instructions.flatMap((each) => [...ownStake(each, signers), ...ownNonces(each, signers)]));
}

function gaining(changes: readonly TokenChanges[]): ReadonlySet<string> {
  const native = changes.filter(({ mint }) => mint === NATIVE).flatMap(({ changes: all }) => all);
  return new Set(native.filter(({ begin, end }) => end > begin).map(({ holder }) => holder));
}

function ownStake({ program, accounts, data }: Instruction, signers: readonly string[]): readonly string[] {
  const [stake, , , fourth] = accounts;
  if (program !== programs.stake || stake === undefined || data.length < NUMBER_BYTES) return [];
  const number = Buffer.from(data).readUInt32LE();
  const key = data.subarray(WITHDRAWER_AT, WITHDRAWER_AT + KEY_BYTES);
  const stated = number === INITIALIZE && key.length === KEY_BYTES ? keyText(key) : undefined;
  const withdrawer = number === INITIALIZE_CHECKED ? fourth : stated;
  return withdrawer !== undefined && signers.includes(withdrawer) ? [stake] : [];
}

function ownNonces(instruction: Instruction, signers: readonly string[]): readonly string[] {
  return actsOf(instruction).flatMap((act) =>
    act.kind === "nonce_initialize" && signers.includes(act.to) ? [act.account] : [],
  );
}
