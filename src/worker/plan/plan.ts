import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { namedAddresses, takenBackIn } from "../../chains/evm/named-addresses.ts";
import { findChain } from "../../chains/registry.ts";
import { unknownChainText } from "../../chains/written-chain.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { ScreeningEvent, TransactionEvent } from "../../messages/event.ts";
import type { CheckEntry, Subject } from "../../messages/verdict.ts";
import type { PolicyTable, SubjectKind } from "../../policy/policy.ts";
import { failed } from "../answers/check-entry.ts";
import type { PackedListing, Parties } from "../checks/listed-entry.ts";
import { planAddress } from "./plan-address.ts";
import { isUnclear, planEvm, undecodedEntry, unjudgedEntry } from "./plan-evm.ts";
import { evmPayment, tronPayment } from "./plan-payment.ts";
import { planSolana } from "./plan-solana.ts";
import { type Planned, planTron } from "./plan-tron.ts";
import type { Plan } from "./question.ts";
import { type EvmEventReading, readEvm } from "./reading/evm-reading.ts";
import { namedUsers } from "./reading/named-users.ts";
import { recognizedContracts } from "./reading/recognized-contracts.ts";
import { readSolana } from "./reading/solana-reading.ts";
import { evmSubject, solanaSubject, tronSubject } from "./reading/subject.ts";
import { readTron } from "./reading/tron-reading.ts";
import { refused } from "./refused-plan.ts";
import { applicable, union } from "./required-checks.ts";
import { unjudgedTron } from "./unjudged-tron.ts";

/**
 * Turns an event into questions. A question that cannot be sent is settled here as failed, so it cannot be lost.
 *
 * @param book The labels of the contracts that a transaction calls.
 */
export function plan(event: ScreeningEvent, table: PolicyTable, book: AddressBook): Plan {
  const chain = findChain(event.chain_id);
  if (chain === undefined) return refused(event, "CHAIN_UNSUPPORTED", unknownChainText(event.chain_id));
  return event.type === "transaction"
    ? planTransaction(event, chain, table, book)
    : planAddress(event, chain, table, book);
}

/** A shared empty list, because nearly all events have some empty lists. */
const NONE: readonly never[] = [];

function planTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable, book: AddressBook): Plan {
  if (chain.family === "tron") return planTronTransaction(event, chain, table, book);
  if (chain.family === "evm") return planEvmTransaction(event, chain, table, book);
  return chain.family === "solana" ? planSolanaTransaction(event, chain, table) : planUndecoded(event, chain);
}

function planSolanaTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable): Plan {
  const reading = readSolana(event.transaction);
  const required = union(table.required_checks.solana_transaction, event.checks ?? []);
  return transactionPlan(solanaSubject(event, chain, reading), required, {
    planned: planSolana(asked(required), event, chain, reading),
    parties: partiesOf(event, chain, reading.ok ? reading.value : undefined),
  });
}

function planTronTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable, book: AddressBook): Plan {
  const reading = readTron(event.transaction);
  const required = union(table.required_checks.tron_transaction, event.checks ?? []);
  return transactionPlan(tronSubject(event, chain, reading), required, {
    planned: planTron(asked(required, ["payment"]), event, chain, reading, book),
    parties: partiesOf(event, chain, reading.ok ? reading.value : undefined),
    known: [...unjudgedTron(required, event, chain, reading, book), ...tronPayment(required, chain, reading, book)],
  });
}

function planEvmTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable, book: AddressBook): Plan {
  const reading = readEvm(event.transaction, chain);
  const kind: SubjectKind = isUnclear(event, chain, reading, book) ? "evm_transaction_unclear" : "evm_transaction";
  const required = union(table.required_checks[kind], event.checks ?? []);
  return transactionPlan(evmSubject(event, chain, reading), required, {
    planned: planEvm(asked(required, ["payment"]), event, chain, reading),
    parties: partiesOf(event, chain, reading.ok ? namedInEvm(chain, reading.value, book) : undefined),
    known: [
      ...undecodedEntry(chain, reading, book),
      ...unjudgedEntry(required, event, chain, reading, book),
      ...evmPayment(required, event, chain, reading, book),
    ],
  });
}

/** The addresses and bytes that a transaction itself names. */
interface Named {
  readonly named: readonly CanonicalAddress[];
  readonly packed: readonly PackedListing[];
}

function partiesOf(
  { user_addresses = NONE }: TransactionEvent,
  chain: Chain,
  reading: Named | undefined,
): Parties | undefined {
  if (reading === undefined) return undefined;
  const { named: addresses, packed } = reading;
  return { chain, addresses, packed, users: namedUsers(user_addresses, chain).users };
}

function namedInEvm(chain: Chain, { transaction, does, beside }: EvmEventReading, book: AddressBook): Named {
  const { data } = transaction;
  const losing = takenBackIn(does, recognizedContracts(chain, transaction.from, book));
  const packed = data === "" ? NONE : [{ bytes: Buffer.from(data, "hex"), losing }];
  return { named: [...new Set([...namedAddresses(transaction, does, losing), ...beside])], packed };
}

/**
 * The checks that the plan covers. `listed` is made with the verdict, by the lists of that time. The checks in
 * `elsewhere` are made by other functions.
 */
function asked(required: readonly Check[], elsewhere: readonly Check[] = NONE): readonly Check[] {
  const isAsked = (check: Check) => check !== "listed" && !elsewhere.includes(check);
  return required.every(isAsked) ? required : required.filter(isAsked);
}

/** @param known Entries that are settled whichever checks are required. */
function transactionPlan(
  subject: Subject,
  required: readonly Check[],
  {
    planned,
    parties,
    known = NONE,
  }: {
    readonly planned: readonly Planned[];
    readonly parties: Parties | undefined;
    readonly known?: readonly CheckEntry[];
  },
): Plan {
  const settled = planned.flatMap((each) => ("entry" in each ? [each.entry] : []));
  return {
    subject,
    requiredChecks: applicable(required, settled),
    questions: planned.flatMap((each) => ("question" in each ? [each.question] : [])),
    settled: [...known, ...settled],
    parties,
  };
}

/** Transactions of other chains cannot be decoded yet, so the verdict is UNKNOWN whatever the other checks say. */
function planUndecoded(event: TransactionEvent, chain: Chain): Plan {
  const { subject, settled } = refused(
    event,
    "SUBJECT_UNSUPPORTED",
    `transactions on ${chain.name} cannot be decoded yet`,
  );
  const unsupported = asked(union([], event.checks ?? [])).map((check) =>
    failed(check, "CHECK_UNSUPPORTED", `${check} does not apply to a transaction on ${chain.name}`),
  );
  return { subject, requiredChecks: [], questions: [], settled: [...settled, ...unsupported], parties: undefined };
}
