import type { Chain } from "../../chains/chain.ts";
import { lookalike } from "../../chains/lookalike.ts";
import { lazy } from "../../kernel/collections.ts";
import type { Result } from "../../kernel/result.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { TransactionEvent } from "../../messages/event.ts";
import type { TronIntegrityEvidence } from "../../messages/evidence.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import { answeredHere, failed, notApplicable } from "../answers/check-entry.ts";
import { type OwnContext, ownPartiesOf } from "../decide/tron-judge/own-parties.ts";
import type { Question } from "./question.ts";
import { namedUsers } from "./reading/named-users.ts";
import type { TronReading } from "./reading/tron-reading.ts";

/** One check of a transaction: a question for the service, or an entry that needs no service. */
export type Planned = { readonly question: Question } | { readonly entry: CheckEntry };

/**
 * Plans the checks of a TRON transaction. The address that gains by it is compared with the owner's address and the
 * addresses that the owner knows. The service is asked what the transaction does. The worker checks by itself whether
 * the transaction shows what would be signed.
 */
export function planTron(
  checks: readonly Check[],
  { user_addresses = [], dapp_url }: TransactionEvent,
  chain: Chain,
  reading: Result<TronReading>,
  book: AddressBook,
): readonly Planned[] {
  // Both checks read the same addresses, of which there may be thousands.
  const named = lazy(() => namedUsers(user_addresses, chain));
  return checks.map((check): Planned => {
    if (check !== "poisoning" && check !== "tron-security" && check !== "tron-integrity") {
      const detail = `${check} does not apply to a transaction on ${chain.name}`;
      return { entry: failed(check, "CHECK_UNSUPPORTED", detail) };
    }
    if (!reading.ok) return { entry: failed(check, "EVENT_MALFORMED", `transaction: ${reading.detail}`) };
    const { transaction, report, parties, sole } = reading.value;
    if (check === "tron-security") {
      const own = sole === undefined ? undefined : ownPartiesOf(sole, ownContext(named, dapp_url, chain, book));
      return { question: { check, chain, transaction, dappUrl: dapp_url, own } };
    }
    if (check === "tron-integrity") return { entry: answeredHere(check, evidenceOf(report)) };
    return planPoisoning(named, chain, parties);
  });
}

type NamedUsers = ReturnType<typeof namedUsers>;

function ownContext(named: () => NamedUsers, dappUrl: string | undefined, chain: Chain, book: AddressBook): OwnContext {
  return {
    isUser: (address) => named().users.includes(address),
    // One of two lookalikes may be an imitation that entered the user's address book.
    isDoubtful: (address, owner) =>
      book.listed(chain, address).some(({ standing }) => standing !== "allowed") ||
      [owner, ...named().users].some(
        (user) => user !== address && lookalike(chain.family, user, address) !== undefined,
      ),
    isKnown: (contract) => book.isKnown(chain, contract),
    dappUrl,
  };
}

function evidenceOf({ integrity, txId }: TronReading["report"]): TronIntegrityEvidence {
  return { integrity, ...(txId === undefined ? {} : { txid: txId }) };
}

function planPoisoning(named: () => NamedUsers, chain: Chain, parties: TronReading["parties"]): Planned {
  const check = "poisoning";
  if (!parties.ok) return { entry: failed(check, "SUBJECT_UNSUPPORTED", parties.detail) };
  const { owner, counterparty } = parties.value;
  if (counterparty === undefined)
    return { entry: notApplicable(check, "the transaction names no receiver and no spender") };
  const { users, ...omission } = named();
  const { address: target, token } = counterparty;
  return { question: { check, chain, target, users: [...new Set([owner, ...users])], token, ...omission } };
}
