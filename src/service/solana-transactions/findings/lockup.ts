import { type Lockup, lockupOf, withdrawerOf } from "../../../chains/solana/accounts/stake-account.ts";
import type { Act } from "../../../chains/solana/acts/act.ts";
import type { SolanaFacts, SolanaFinding } from "./facts.ts";

/**
 * Reports a changed lockup. A lockup keeps the withdrawer from the stake's lamports until it expires or its custodian
 * allows a withdrawal. A withdrawer that is its own custodian locks up only its own lamports, which is not reported.
 */
export function changedLockup(
  { account, untilSec, untilEpoch, custodian }: Extract<Act, { kind: "lockup" }>,
  { simulation, feePayer }: SolanaFacts,
): SolanaFinding | undefined {
  const state = simulation.before.get(account);
  const was = state === undefined ? undefined : lockupOf(state);
  const lockup = {
    untilSec: untilSec ?? was?.untilSec ?? 0n,
    untilEpoch: untilEpoch ?? was?.untilEpoch ?? 0n,
    custodian: custodian ?? was?.custodian ?? feePayer,
  };
  const withdrawer = (state === undefined ? undefined : withdrawerOf(state)) ?? feePayer;
  return isLocked(lockup, withdrawer) && !isSame(lockup, was) ? lockedUp(account, lockup) : undefined;
}

/**
 * Reports stakes that are locked up after the transaction and that a signer may withdraw. A stake that is split off
 * keeps its lockup, so a known lockup is not reported.
 */
export function lockupFindings({ signers, simulation: { before, after } }: SolanaFacts): readonly SolanaFinding[] {
  const known = [...before.values()].flatMap((state) => lockupOf(state) ?? []);
  return [...after].flatMap(([account, state]) => {
    const lockup = lockupOf(state);
    const withdrawer = withdrawerOf(state);
    if (lockup === undefined || withdrawer === undefined || !signers.has(withdrawer)) return [];
    return isLocked(lockup, withdrawer) && !known.some((was) => isSame(lockup, was)) ? [lockedUp(account, lockup)] : [];
  });
}

function isLocked({ untilSec, untilEpoch, custodian }: Lockup, withdrawer: string): boolean {
  return (untilSec > 0n || untilEpoch > 0n) && custodian !== withdrawer;
}

function isSame(lockup: Lockup, was: Lockup | undefined): boolean {
  return (
    lockup.untilSec === was?.untilSec && lockup.untilEpoch === was.untilEpoch && lockup.custodian === was.custodian
  );
}

function lockedUp(account: string, { untilSec, untilEpoch, custodian }: Lockup): SolanaFinding {
  const description = `locks up the stake ${account} until second ${untilSec} and epoch ${untilEpoch}, unless ${custodian} allows it`;
  return { name: "stake_lockup_changed", account, gains: custodian, description };
}
