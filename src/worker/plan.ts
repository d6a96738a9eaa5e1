import { type CanonicalAddress, canonicalAddressOn, parseAddressOn } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import type { EvmParty } from "../chains/evm/counterparties.ts";
import { namedAddresses } from "../chains/evm/named-addresses.ts";
import { findChain } from "../chains/registry.ts";
import type { SolanaTransaction } from "../contract/solana-emulate.ts";
import type { Check } from "../events/checks.ts";
import type { AddressEvent, ScreeningEvent, TransactionEvent } from "../events/event.ts";
import type { PolicyTable, SubjectKind } from "../events/policy.ts";
import type { CheckEntry, FailureCode, Subject } from "../events/verdict.ts";
import type { AddressBook } from "../labels/address-book.ts";
import { failed, notApplicable } from "./check-entry.ts";
import { readEvm } from "./evm-reading.ts";
import type { Parties } from "./listed-entry.ts";
import { namedUsers, type Omission } from "./named-users.ts";
import { isUnclear, planEvm, undecodedEntry, unjudgedEntry } from "./plan-evm.ts";
import { paymentEntry } from "./plan-payment.ts";
import { planSolana } from "./plan-solana.ts";
import { type Planned, planTron } from "./plan-tron.ts";
import type { EvmQuestion } from "./simulation-group/evm-alone.ts";
import type { TronQuestion } from "./simulation-group/tron-alone.ts";
import { readSolana } from "./solana-reading.ts";
import { addressSubject, evmSubject, solanaSubject, subjectOf, tronSubject } from "./subject.ts";
import { readTron } from "./tron-reading.ts";

/** Whom a target is compared with. */
interface Compared {
  readonly check: "poisoning";
  readonly chain: Chain;
  readonly users: readonly CanonicalAddress[];
  /** What the event names beside that and cannot be asked about: only what is flagged all the same is certain. */
  readonly omits?: Omission;
}

/** One check that is to be put to the service. */
export type Question =
  | (Compared & {
      readonly target: CanonicalAddress;
      readonly token: CanonicalAddress | undefined;
    })
  | (Compared & {
      /** Two or more. */
      readonly parties: readonly EvmParty[];
    })
  | (Compared & {
      /** Who it is about is known once these are simulated: whoever receives by them. */
      readonly receiversOf: readonly SolanaTransaction[];
      /** The accounts that they write. */
      readonly candidates: readonly CanonicalAddress[];
      /** Addresses to which the instructions give a right, money or a token account by their own words. */
      readonly gainers: readonly CanonicalAddress[];
      /** Who signs them and is not named by the event: compared, too, since a lookalike may sign and pay the fee. */
      readonly signers: readonly CanonicalAddress[];
      /** Whether they write accounts that stand in tables, so that only their simulation tells of all who receive. */
      readonly usesLookupTables: boolean;
    })
  | { readonly check: "token-security"; readonly chain: Chain; readonly token: CanonicalAddress }
  | {
      readonly check: "token-security";
      readonly chain: Chain;
      /** Two or more, each once. */
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

/** What one event needs: the questions to ask, and the checks that are settled without asking. */
export interface Plan {
  readonly subject: Subject;
  readonly requiredChecks: readonly Check[];
  readonly questions: readonly Question[];
  readonly settled: readonly CheckEntry[];
  /** Whom lists are searched for; undefined where no address can be read. */
  readonly parties: Parties | undefined;
}

/**
 * Turns an event into questions. What cannot be asked is settled as failed here, so that it can never be forgotten.
 *
 * @param book what labels say of the contracts that a transaction calls.
 */
export function plan(event: ScreeningEvent, table: PolicyTable, book: AddressBook): Plan {
  const chain = findChain(event.chain_id);
  if (chain === undefined) return refused(event, "CHAIN_UNSUPPORTED", `unknown chain "${clip(event.chain_id)}"`);
  return event.type === "transaction" ? planTransaction(event, chain, table, book) : planAddress(event, chain, table);
}

/** Lists of nothing, which nearly all events have some of. */
const NONE: readonly never[] = [];

/**
 * Of nearly every event: one address, compared with users that the event names. Thousands of these wait for their answers:
 * what they need before and after is made when it is asked for. So a copy by `...` lacks it.
 */
class ComparedAddress implements Plan {
  readonly requiredChecks: readonly Check[];
  readonly #address: CanonicalAddress;
  readonly #chain: Chain;
  readonly #users: readonly CanonicalAddress[];

  constructor(required: readonly Check[], address: CanonicalAddress, chain: Chain, users: Compared["users"]) {
    this.requiredChecks = required;
    this.#address = address;
    this.#chain = chain;
    this.#users = users;
  }

  get subject(): Subject {
    return addressSubject(this.#address, this.#chain.id, this.#users, undefined);
  }

  get questions(): readonly Question[] {
    return [{ check: "poisoning", chain: this.#chain, target: this.#address, users: this.#users, token: undefined }];
  }

  get settled(): readonly CheckEntry[] {
    return NONE;
  }

  get parties(): Parties {
    return { family: this.#chain.family, addresses: [this.#address] };
  }
}

function planAddress(event: AddressEvent, chain: Chain, table: PolicyTable): Plan {
  const address = canonicalAddressOn(chain, event.address);
  if (address === undefined) {
    const parsed = parseAddressOn(chain, event.address);
    return refused(event, "ADDRESS_INVALID", `address: ${parsed.ok ? "" : parsed.detail}`);
  }
  const { users, omits: userOmits } = namedUsers(event.user_addresses ?? NONE, chain);
  const token = event.token_address === undefined ? undefined : parseAddressOn(chain, event.token_address);
  const kind: SubjectKind = token === undefined ? "address" : "address_with_token";
  const required = union(table.required_checks[kind], event.checks ?? NONE);
  const isCompared = token === undefined && event.user_addresses !== undefined && userOmits === undefined;
  if (isCompared && required.length === 1 && required[0] === "poisoning")
    return new ComparedAddress(required, address, chain, users);
  let questions: readonly Question[] = NONE;
  let settled: readonly CheckEntry[] = NONE;
  // By their places: an iterator of a frozen list, as a policy's are, is made anew for every event.
  for (let i = 0; i < required.length; i++) {
    const check = required[i];
    if (check === undefined || check === "listed") continue;
    if (check === "poisoning") {
      const omits = token === undefined || token.ok ? userOmits : badToken(token.detail);
      const question = { check, chain, target: address, users, token: valid(token) };
      questions = added(questions, omits === undefined ? question : { ...question, omits });
    } else if (check === "token-security" && token !== undefined && !token.ok) {
      const { code, detail } = badToken(token.detail);
      settled = added(settled, failed(check, code, detail));
    } else if (check === "token-security") {
      const named = valid(token);
      if (named !== undefined && chain.family === "evm") questions = added(questions, { check, chain, token: named });
      else if (named === undefined)
        settled = added(settled, failed(check, "CHECK_UNSUPPORTED", "token-security needs a token_address"));
      else if (event.checks?.includes(check))
        settled = added(settled, failed(check, "CHECK_UNSUPPORTED", "only EVM chains have it"));
      else settled = added(settled, notApplicable(check, "only EVM chains have it"));
    } else if (check === "classification" && chain.family === "evm") {
      questions = added(questions, { check, chain, address });
    } else {
      const detail = `${check} does not apply to an address on ${chain.name}`;
      settled = added(settled, failed(check, "CHECK_UNSUPPORTED", detail));
    }
  }
  // What is valid was read once: only what is named and is no address stands in the subject as it was given.
  const isValid = userOmits === undefined && token?.ok !== false;
  const subject = isValid
    ? addressSubject(address, chain.id, event.user_addresses && users, valid(token))
    : subjectOf(event, chain);
  const named = valid(token);
  const parties = { family: chain.family, addresses: named === undefined ? [address] : [address, named] };
  return { subject, requiredChecks: applicable(required, settled), questions, settled, parties };
}

function badToken(detail: string): Omission {
  return { code: "TOKEN_ADDRESS_INVALID", detail: `token_address: ${detail}` };
}

/** Only the plan may say that a required check does not apply; to a decision it would be a check that is missing. */
function applicable(required: readonly Check[], settled: readonly CheckEntry[]): readonly Check[] {
  if (settled.length === 0) return required;
  return required.filter(
    (check) => !settled.some((entry) => entry.check === check && entry.outcome === "not_applicable"),
  );
}

function planTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable, book: AddressBook): Plan {
  if (chain.family === "tron") return planTronTransaction(event, chain, table);
  if (chain.family === "evm") return planEvmTransaction(event, chain, table, book);
  return chain.family === "solana" ? planSolanaTransaction(event, chain, table) : planUndecoded(event, chain);
}

function planSolanaTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable): Plan {
  const reading = readSolana(event.transaction);
  const required = union(table.required_checks.solana_transaction, event.checks ?? []);
  return transactionPlan(solanaSubject(event, chain, reading), required, {
    planned: planSolana(asked(required), event, chain, reading),
    parties: partiesOf(chain, reading.ok ? reading.value.named : undefined),
  });
}

function planTronTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable): Plan {
  const reading = readTron(event.transaction);
  const required = union(table.required_checks.tron_transaction, event.checks ?? []);
  return transactionPlan(tronSubject(event, chain, reading), required, {
    planned: planTron(asked(required), event, chain, reading),
    parties: partiesOf(chain, reading.ok ? reading.value.named : undefined),
  });
}

function planEvmTransaction(event: TransactionEvent, chain: Chain, table: PolicyTable, book: AddressBook): Plan {
  const reading = readEvm(event.transaction, chain);
  const kind: SubjectKind = isUnclear(event, chain, reading, book) ? "evm_transaction_unclear" : "evm_transaction";
  const required = union(table.required_checks[kind], event.checks ?? []);
  const { ok } = reading;
  return transactionPlan(evmSubject(event, chain, reading), required, {
    planned: planEvm(
      asked(required).filter((check) => check !== "payment"),
      event,
      chain,
      reading,
    ),
    parties: partiesOf(chain, ok ? namedAddresses(reading.value.transaction, reading.value.does) : undefined),
    known: [
      ...undecodedEntry(reading),
      ...unjudgedEntry(required, event, chain, reading, book),
      ...paymentEntry(required, event, chain, reading, book),
    ],
  });
}

function partiesOf({ family }: Chain, addresses: readonly CanonicalAddress[] | undefined): Parties | undefined {
  return addresses === undefined ? undefined : { family, addresses };
}

/** The checks that are planned. `listed` is made when the verdict is, by the lists of that time. */
function asked(required: readonly Check[]): readonly Check[] {
  return required.includes("listed") ? required.filter((check) => check !== "listed") : required;
}

/** @param known what is settled whichever checks are required. */
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

/** Nobody can tell yet whom a transaction of other chains pays, so it is UNKNOWN whatever else is asked. */
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

function refused(event: ScreeningEvent, code: FailureCode, detail: string): Plan {
  const subject = subjectOf(event);
  const settled = [failed("event", code, detail)];
  return { subject, requiredChecks: [], questions: [], settled, parties: undefined };
}

/** An array that grows by itself makes room for many at once: nearly all lists here have one item. */
function added<T>(items: readonly T[], item: T): readonly T[] {
  return items.length === 0 ? [item] : [...items, item];
}

function valid<T>(result: { ok: true; value: T } | { ok: false } | undefined): T | undefined {
  return result?.ok ? result.value : undefined;
}

function union(required: readonly Check[], added: readonly Check[]): readonly Check[] {
  if (added.length === 0 && required.length < 2) return required;
  return [...new Set([...required, ...added])];
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
