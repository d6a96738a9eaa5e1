import { programs } from "../../../chains/solana/programs.ts";
import { approval } from "./approval.ts";
import { type Facts, type Finding, type Finds, tokenAccountAt } from "./facts.ts";

/**
 * What the accounts of those who sign show before and after, whatever instruction did it: no program and no number has to
 * be known.
 */
export const stateFindings: Finds = (facts) =>
  [...facts.simulation.before.keys()].flatMap((address) => [
    ...ownerChange(address, facts),
    ...tokenChanges(address, facts),
  ]);

function ownerChange(address: string, { signers, simulation }: Facts): Finding[] {
  const from = simulation.before.get(address);
  const to = simulation.after.get(address);
  if (!signers.has(address) || from === undefined || to === undefined) return [];
  if (from.owner !== programs.system || to.owner === programs.system || from.lamports === 0n) return [];
  const description = `gives the account ${address}, with all that it holds, to the program ${to.owner}`;
  return [{ name: "account_owner_changed", account: address, gains: to.owner, description }];
}

function tokenChanges(address: string, facts: Facts): Finding[] {
  const from = tokenAccountAt(facts.simulation.before, address);
  const to = tokenAccountAt(facts.simulation.after, address);
  if (from === undefined || to === undefined || !facts.signers.has(from.owner)) return [];
  const found: (Finding | undefined)[] = [];
  if (to.owner !== from.owner) {
    const description = `the token account of ${address} goes from ${from.owner} to ${to.owner}`;
    found.push({ name: "token_owner_changed", account: address, gains: to.owner, description });
  }
  if (
    to.closeAuthority !== undefined &&
    to.closeAuthority !== from.closeAuthority &&
    to.closeAuthority !== from.owner
  ) {
    const description = `the right to close the token account of ${address} goes to ${to.closeAuthority}`;
    found.push({ name: "token_close_authority_changed", account: address, gains: to.closeAuthority, description });
  }
  if (to.delegate !== undefined && to.delegate !== from.delegate) {
    found.push(approval({ account: address, to: to.delegate, amount: to.delegatedAmount }, facts));
  }
  return found.filter((finding) => finding !== undefined);
}
