import type { Chain } from "../../chains/chain.ts";
import { mimicsSystem } from "../../chains/solana/system-addresses.ts";
import type { Result } from "../../kernel/result.ts";
import type { Check } from "../../messages/checks.ts";
import type { TransactionEvent } from "../../messages/event.ts";
import { failed, notApplicable } from "../answers/check-entry.ts";
import type { Planned } from "./plan-tron.ts";
import { namedUsers } from "./reading/named-users.ts";
import type { SolanaReading } from "./reading/solana-reading.ts";

/**
 * Plans the checks of a Solana event. Every receiver and every signer is compared with the fee payer and the user's
 * known addresses. The simulation names the receivers, so both checks share it.
 */
export function planSolana(
  checks: readonly Check[],
  { user_addresses: texts = [] }: TransactionEvent,
  chain: Chain,
  reading: Result<SolanaReading>,
): readonly Planned[] {
  return checks.map((check): Planned => {
    if (check !== "poisoning" && check !== "solana-simulation") {
      const detail = `${check} does not apply to a transaction on ${chain.name}`;
      return { entry: failed(check, "CHECK_UNSUPPORTED", detail) };
    }
    if (!reading.ok) return { entry: failed(check, "EVENT_MALFORMED", `transaction: ${reading.detail}`) };
    const { transactions, feePayers, candidates, gainers, programs, usesLookupTables } = reading.value;
    const { users: named, ...omission } = namedUsers(texts, chain);
    if (check === "solana-simulation") return { question: { check, chain, transactions, own: named } };
    const users = [...new Set([...feePayers, ...named])];
    const unnamed = reading.value.signers.filter((signer) => !named.includes(signer));
    const signers = unnamed.some((signer) => users.some((user) => user !== signer)) ? unnamed : [];
    // A program that is called is not a written account, but it may imitate one of the network's programs.
    const hasMimic = [...programs, ...gainers].some((each) => !named.includes(each) && mimicsSystem(each));
    if (candidates.length === 0 && !usesLookupTables && signers.length === 0 && !hasMimic) {
      return { entry: notApplicable(check, "the transaction writes only accounts of its signers") };
    }
    const receivers = {
      receiversOf: transactions,
      own: named,
      candidates,
      gainers,
      programs,
      signers,
      usesLookupTables,
    };
    return { question: { check, chain, ...receivers, named: reading.value.named, users, ...omission } };
  });
}
