import { type SimulationResult, UNKNOWN_RISK } from "../../../api/schemas/solana-emulate.ts";
import { isStandardProgram } from "../../../chains/solana/programs.ts";
import type { TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import { isSystemAddress } from "../../../chains/solana/system-addresses.ts";
import type { OwnFinding } from "./own-finding.ts";
import type { PlainTransfers } from "./plain-transfers.ts";

/** The signers of one transaction, and the effects that it states. */
export interface Paying {
  readonly signers: readonly string[];
  readonly plain: PlainTransfers;
}

/**
 * Accounts that are missing in the service's database, and that neither send nor are fresh. A fresh account is in no
 * database and may receive. Programs and tokens have their own findings. The event names the user's own addresses.
 */
export function unknownAccounts(
  paying: readonly Paying[],
  results: readonly SimulationResult[],
  changes: readonly TokenChanges[],
  named: readonly string[],
): readonly OwnFinding[] {
  const unknown = results
    .flatMap(({ involved_addresses_risks = [] }) => involved_addresses_risks)
    .filter(({ risk_level }) => risk_level === UNKNOWN_RISK)
    .map(({ address }) => address);
  const others = new Set([...named, ...paying.flatMap(senders), ...programsAndTokens(results)]);
  return [...new Set(unknown)]
    .filter((each) => !others.has(each) && !isStandardProgram(each) && !isSystemAddress(each))
    .filter((each) => !isFresh(each, changes))
    .map((account) => ({
      name: "account_risk_unknown",
      account,
      description: `${account} is unknown to the service, and is no fresh wallet that receives`,
    }));
}

/**
 * Accounts that belong to the users: the stated senders of money, and the signer if there is only one. A new token
 * account counts as its wallet.
 */
function senders({ signers, plain }: Paying): readonly string[] {
  return [
    ...(signers.length === 1 ? signers : []),
    ...plain.sol.map(({ from }) => from),
    ...plain.tokens.flatMap(({ authority, source }) => [authority, source]),
    ...plain.made.flatMap(({ payer, account }) => [payer, account]),
  ];
}

function programsAndTokens(results: readonly SimulationResult[]): readonly string[] {
  return results.flatMap(({ to, called_addresses = [], balance_changes = [] }) => [
    ...(to === undefined || to === null ? [] : [to]),
    ...called_addresses,
    ...balance_changes.map(({ token_address }) => token_address),
  ]);
}

/** Whether an account only gains, and all its reported balances began at zero. */
function isFresh(account: string, changes: readonly TokenChanges[]): boolean {
  const own = changes.flatMap(({ changes: all }) => all.filter(({ holder }) => holder === account));
  return own.length > 0 && own.every(({ begin, end }) => begin === 0n && end > 0n);
}
