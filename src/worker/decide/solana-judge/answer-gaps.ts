import type { SimulationResult } from "../../../api/schemas/solana-emulate.ts";
import { isStandardProgram, programs } from "../../../chains/solana/programs.ts";
import { isSystemAddress } from "../../../chains/solana/system-addresses.ts";
import type { PlainTransfers } from "./plain-transfers.ts";

/** The transaction that a result should be about. */
export interface ExpectedTransaction {
  readonly feePayer: string;
  readonly plain: PlainTransfers;
}

/**
 * What a successful result omits, or says about another transaction, in words. Source:
 * docs/decisions/0001-open-points.md.
 */
export function answerGaps(asked: ExpectedTransaction, result: SimulationResult): readonly string[] {
  return [...notRun(asked, result), ...ofAnother(asked, result), ...notJudged(asked, result)];
}

/** A simulation that did not run leaves the same fields empty as a failed one. */
function notRun({ plain }: ExpectedTransaction, { error, compute_units_consumed, called_addresses }: SimulationResult) {
  const said: string[] = [];
  if (error === undefined) said.push("the answer does not say whether it succeeded");
  if (plain.called.size === 0) return said;
  if (compute_units_consumed !== undefined && compute_units_consumed <= 0) said.push("the simulation computed nothing");
  // The compute budget program has no effect of its own, and some simulators do not list it.
  const missing = [...plain.called]
    .filter((each) => each !== programs.computeBudget)
    .filter((each) => !called_addresses?.includes(each));
  if (missing.length > 0) said.push(`the answer does not show that the program ${missing.join(", ")} ran`);
  return said;
}

function ofAnother(
  { feePayer, plain }: ExpectedTransaction,
  { from, to, involved_addresses }: SimulationResult,
): readonly string[] {
  const isFrom = (from ?? feePayer) === feePayer;
  const isTo = to === undefined || (to === null ? plain.called.size === 0 : plain.called.has(to));
  const isInvolved = involved_addresses?.includes(feePayer) ?? true;
  return isFrom && isTo && isInvolved ? [] : ["the answer is about another transaction"];
}

/**
 * Accounts without a risk level. By the interface, the service judges the fee payer, the programs, and all accounts
 * with a balance change. The network's own programs and accounts need no risk level.
 */
function notJudged({ feePayer, plain }: ExpectedTransaction, result: SimulationResult): readonly string[] {
  const {
    involved_addresses = [],
    involved_addresses_risks = [],
    called_addresses = [],
    balance_changes = [],
  } = result;
  const holders = balance_changes.flatMap(({ change_list }) => change_list.map(({ address }) => address));
  const payees = plain.sol.flatMap(({ from, to, lamports }) => (lamports > 0n ? [from, to] : []));
  const judged = new Set(involved_addresses_risks.map(({ address }) => address));
  const named = new Set([feePayer, ...plain.called, ...called_addresses, ...involved_addresses, ...holders, ...payees]);
  const missing = [...named].filter((each) => !judged.has(each) && !isStandardProgram(each) && !isSystemAddress(each));
  const uninvolved =
    result.involved_addresses === undefined ? [] : holders.filter((each) => !involved_addresses.includes(each));
  return [
    ...missing.map((each) => `the answer has no risk level of ${each}`),
    ...uninvolved.map((each) => `the answer does not count ${each} among the involved`),
  ];
}
