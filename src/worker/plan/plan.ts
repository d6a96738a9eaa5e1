import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { EvmParty } from "../../chains/evm/counterparties.ts";
import { namedAddresses, takenBackIn } from "../../chains/evm/named-addresses.ts";
import { findChain } from "../../chains/registry.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { ScreeningEvent, TransactionEvent } from "../../messages/event.ts";
import type { CheckEntry, Subject } from "../../messages/verdict.ts";
import type { PolicyTable, SubjectKind } from "../../policy/policy.ts";
import { failed } from "../answers/check-entry.ts";
import type { PackedListing, Parties } from "../checks/listed-entry.ts";
import type { EvmQuestion } from "../simulation/evm-alone.ts";
import type { TronQuestion } from "../simulation/tron-alone.ts";
import { planAddress } from "./plan-address.ts";
import { isUnclear, planEvm, undecodedEntry, unjudgedEntry } from "./plan-evm.ts";
import { evmPayment, tronPayment } from "./plan-payment.ts";
import { planSolana } from "./plan-solana.ts";
import { type Planned, planTron } from "./plan-tron.ts";
import { type EvmEventReading, readEvm } from "./reading/evm-reading.ts";
import type { Omission } from "./reading/named-users.ts";
import { namedUsers } from "./reading/named-users.ts";
import { recognizedContracts } from "./reading/recognized-contracts.ts";
import { readSolana } from "./reading/solana-reading.ts";
import { evmSubject, solanaSubject, tronSubject } from "./reading/subject.ts";
import { readTron } from "./reading/tron-reading.ts";
import { refused } from "./refused-plan.ts";
import { applicable, union } from "./required-checks.ts";
import { unjudgedTron } from "./unjudged-tron.ts";

/** The users with which a target is compared. */
interface Compared {
  readonly check: "poisoning";
  readonly chain: Chain;
  readonly users: readonly CanonicalAddress[];
  /** The first address of the event that cannot be sent to the service. Then only a flag is certain. */
  readonly omits?: Omission;
}

/** One check that is to be sent to the service. */
export type Question =
  | (Compared & {
      readonly target: CanonicalAddress;
      readonly token: CanonicalAddress | undefined;
    })
  | (Compared & {
      /** Two or more counterparties. */
      readonly parties: readonly EvmParty[];
    })
  | (Compared & {
      /** The targets are the receivers of these transactions, which only the simulation names. */
      readonly receiversOf: readonly SolanaTransaction[];
      /** The accounts that the transactions write. */
      readonly candidates: readonly CanonicalAddress[];
      /** Addresses to which the instructions themselves give a right, money or a token account. */
      readonly gainers: readonly CanonicalAddress[];
      /** Programs that the messages call or give a new account to. */
      readonly programs: readonly CanonicalAddress[];
      /** Signers that the event does not name. They are compared too, because a lookalike may sign and pay the fee. */
      readonly signers: readonly CanonicalAddress[];
      /** Every account that the messages name, and every key that instructions give a right to. */
      readonly named: readonly CanonicalAddress[];
      /** Whether the messages write accounts from lookup tables. Then only the simulation names all receivers. */
      readonly usesLookupTables: boolean;
    })
  | { readonly check: "token-security"; readonly chain: Chain; readonly token: CanonicalAddress }
  | {
      readonly check: "token-security";
      readonly chain: Chain;
      /** Two or more distinct tokens. */
      readonly tokens: readonly CanonicalAddress[];
    }
  | { readonly check: "classification"; readonly chain: Chain; readonly address: CanonicalAddress }
  | { readonly check: "solana-simulation"; readonly chain: Chain; readonly transactions: readonly SolanaTransaction[] }
  | ({ readonly check: "tron-security"; readonly chain: Chain } & TronQuestion)
  | ({ readonly check: "evm-security" } & EvmQuestion);

export type PoisoningQuestion = Extract<Question, { check: "poisoning"; target: CanonicalAddress }>;
export type PartiesQuestion = Extract<Question, { check: "poisoning"; parties: readonly EvmParty[] }>;
export type TokenQuestion = Extract<Question, { check: "token-security"; token: CanonicalAddress }>;
export type TokensQuestion = Extract<Question, { check: "token-security"; tokens: readonly CanonicalAddress[] }>;
export type ReceiversQuestion = Extract<Question, { check: "poisoning"; receiversOf: readonly SolanaTransaction[] }>;

/** The plan for one event: the questions to send, and the checks that are settled without a request. */
export interface Plan {
  readonly subject: Subject;
  readonly requiredChecks: readonly Check[];
  readonly questions: readonly Question[];
  readonly settled: readonly CheckEntry[];
  /** The addresses that are looked up in lists. Undefined when no address can be read. */
  readonly parties: Parties | undefined;
}

/**
 * Turns an event into questions. A question that cannot be sent is settled here as failed, so it cannot be lost.
 *
 * @param book The labels of the contracts that a transaction calls.
 */
export function plan(event: ScreeningEvent, table: PolicyTable, book: AddressBook): Plan {
  const chain = findChain(event.chain_id);
  if (chain === undefined) return refused(event, "CHAIN_UNSUPPORTED", `unknown chain "${clip(event.chain_id)}"`);
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
    planned: planTron(asked(required, ["payment"]), event, chain, reading),
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
      ...undecodedEntry(reading),
      ...unjudgedEntry(required, event, chain, reading, book),
      ...evmPayment(required, chain, reading, book),
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

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
