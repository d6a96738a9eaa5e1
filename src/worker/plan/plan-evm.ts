import { MAX_KNOWN_ADDRESSES } from "../../api/schemas/transaction-security.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { EvmAct, Unexplained } from "../../chains/evm/act.ts";
import { counterpartiesOf, tokenOf } from "../../chains/evm/counterparties.ts";
import { unexplainedCalls } from "../../chains/evm/unexplained-calls.ts";
import type { Result } from "../../kernel/result.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { TransactionEvent } from "../../messages/event.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import { failed, notApplicable } from "../answers/check-entry.ts";
import { planTokens } from "./plan-tokens.ts";
import type { Planned } from "./plan-tron.ts";
import type { EvmEventReading } from "./reading/evm-reading.ts";
import { namedUsers } from "./reading/named-users.ts";
import { recognizedContracts } from "./reading/recognized-contracts.ts";

/** Limit of counterparties that are compared for one transaction. Chosen: the limit of calls that are decoded. */
const MAX_PARTIES = 256;

/**
 * Plans the checks of an EVM transaction. Every address that gains by it, and every contract that it calls, is
 * compared. They are compared with the sender and the user's known addresses. The service is asked what the transaction
 * does. Every token is analysed. A spender is classified only if there is one spender, because a verdict has one entry
 * per check.
 */
export function planEvm(
  checks: readonly Check[],
  { user_addresses: texts = [] }: TransactionEvent,
  chain: Chain,
  reading: Result<EvmEventReading>,
): readonly Planned[] {
  return checks.map((check): Planned => {
    if (check !== "poisoning" && check !== "token-security" && check !== "classification" && check !== "evm-security") {
      const detail = `${check} does not apply to a transaction on ${chain.name}`;
      return { entry: failed(check, "CHECK_UNSUPPORTED", detail) };
    }
    if (!reading.ok) return { entry: failed(check, "EVENT_MALFORMED", `transaction: ${reading.detail}`) };
    if (check === "poisoning") return planPoisoning(texts, chain, reading.value);
    if (check === "evm-security") return planSecurity(texts, chain, reading.value);
    const { acts } = reading.value.does;
    if (check === "token-security") return planTokens(acts.flatMap(tokenOf), chain);
    const spenders = acts.flatMap((act) => (act.does === "approve" || act.does === "approve_all" ? [act.spender] : []));
    return planOne(check, spenders, "spender", (address) => ({ question: { check, chain, address } }));
  });
}

function planOne(
  check: Check,
  addresses: readonly CanonicalAddress[],
  what: string,
  ask: (address: CanonicalAddress) => Planned,
): Planned {
  const [first, ...others] = new Set(addresses);
  if (first === undefined) return { entry: notApplicable(check, `the transaction names no ${what}`) };
  if (others.length === 0) return ask(first);
  const detail = `${check} is asked about one ${what}, the transaction has ${others.length + 1}`;
  return { entry: failed(check, "CHECK_UNSUPPORTED", detail) };
}

/**
 * The service gets the transaction as it would be signed. A list that is too long is not shortened, because any omitted
 * address could be the decisive one.
 */
function planSecurity(texts: readonly string[], chain: Chain, { transaction }: EvmEventReading): Planned {
  const check = "evm-security";
  const { users, omits } = namedUsers(texts, chain);
  // Without the invalid address, the address that it was meant to be would pass for a stranger.
  if (omits !== undefined) return { entry: failed(check, omits.code, omits.detail) };
  const others = users.filter((user) => user !== transaction.from);
  if (others.length <= MAX_KNOWN_ADDRESSES) return { question: { check, chain, transaction, users: others } };
  const detail = `${MAX_KNOWN_ADDRESSES} user addresses go with one transaction, this one has ${others.length}`;
  return { entry: failed(check, "SUBJECT_UNSUPPORTED", detail) };
}

function planPoisoning(texts: readonly string[], chain: Chain, { transaction, does }: EvmEventReading): Planned {
  const check = "poisoning";
  const { users, ...omission } = namedUsers(texts, chain);
  const parties = counterpartiesOf(does);
  const [first, ...others] = parties;
  if (first === undefined) return { entry: notApplicable(check, "the transaction has no known beneficiary") };
  if (parties.length > MAX_PARTIES) {
    const detail = `${MAX_PARTIES} addresses are compared for one transaction, this one has ${parties.length}`;
    return { entry: failed(check, "SUBJECT_UNSUPPORTED", detail) };
  }
  const known = [...new Set([transaction.from, ...users])];
  return others.length === 0
    ? { question: { check, chain, ...first, users: known, ...omission } }
    : { question: { check, chain, parties, users: known, ...omission } };
}

/** The failure of calldata that cannot be decoded in full, whatever the other checks find. */
export function undecodedEntry(
  chain: Chain,
  reading: Result<EvmEventReading>,
  book: AddressBook,
): readonly CheckEntry[] {
  const unexplained = reading.ok ? unexplainedIn(chain, reading.value, book) : [];
  if (unexplained.length === 0) return [];
  const shown = unexplained.slice(0, 3).map(describe).join("; ");
  const more = unexplained.length > 3 ? `; and ${unexplained.length - 3} more` : "";
  const isOfServices = isCallOfServices(chain, book, unexplained);
  return [failed("event", isOfServices ? "SERVICE_CALL_UNDECODED" : "CALLDATA_UNDECODED", shown + more)];
}

/**
 * Whether only functions or bytes are unknown, at contracts that labels name. An execution shows their effect. The
 * sender's own code is not labelled, since a delegation may have put any code there.
 */
function isCallOfServices(chain: Chain, book: AddressBook, unexplained: readonly Unexplained[]): boolean {
  return unexplained.every(
    ({ why, contract }) =>
      (why === "unknown_call" || why === "opaque_bytes") && contract !== undefined && book.isService(chain, contract),
  );
}

function unexplainedIn(chain: Chain, reading: EvmEventReading, book: AddressBook): readonly Unexplained[] {
  return unexplainedCalls(reading.does, (contract) => book.isService(chain, contract));
}

/**
 * Whether calldata alone leaves open what happens to the sender. It does in three cases:
 *
 * - The calldata is not decoded in full.
 * - An address that the user does not know gets a right.
 * - No label confirms that a called contract does what its selector says.
 */
export function isUnclear(
  event: TransactionEvent,
  chain: Chain,
  reading: Result<EvmEventReading>,
  book: AddressBook,
): boolean {
  if (!reading.ok) return false;
  if (
    unexplainedIn(chain, reading.value, book).length > 0 ||
    grantToStranger(event, chain, reading.value, book) !== undefined
  )
    return true;
  return unknownCallee(chain, reading.value, book) !== undefined;
}

function unknownCallee(chain: Chain, reading: EvmEventReading, book: AddressBook): CanonicalAddress | undefined {
  const known = recognizedContracts(chain, reading.transaction.from, book);
  return reading.does.contracts.find((contract) => !known.isKnown(contract));
}

/**
 * The failure of an unclear transaction for which evm-security is not required. An address that the user does not know
 * gets a right, or a called contract has no label. A comparison with known addresses cannot answer what the transaction
 * does.
 */
export function unjudgedEntry(
  checks: readonly Check[],
  event: TransactionEvent,
  chain: Chain,
  reading: Result<EvmEventReading>,
  book: AddressBook,
): readonly CheckEntry[] {
  if (!reading.ok || checks.includes("evm-security")) return [];
  const grant = grantToStranger(event, chain, reading.value, book);
  if (grant !== undefined) {
    const detail = `lets ${grant.to} ${grant.may}: the check evm-security says whether that is harmless, and the policy does not require that check; name known addresses in user_addresses`;
    return [failed("event", "CHECK_UNSUPPORTED", detail)];
  }
  const isUnexplained = unexplainedIn(chain, reading.value, book).length > 0;
  const callee = isUnexplained ? undefined : unknownCallee(chain, reading.value, book);
  if (callee === undefined) return [];
  const detail = `calls ${callee}, which no label of ${chain.name} names: the check evm-security says what the call does, and the policy does not require that check; label the contract in LABELS_FILES or allow it in LISTS_FILES`;
  return [failed("event", "CHECK_UNSUPPORTED", detail)];
}

interface Grant {
  readonly to: CanonicalAddress;
  readonly may: string;
  /** Whether the service is asked about an address of the user, too. */
  readonly isAlwaysAsked?: true;
}

function grantToStranger(
  { user_addresses: texts = [] }: TransactionEvent,
  chain: Chain,
  { transaction, does }: EvmEventReading,
  book: AddressBook,
): Grant | undefined {
  const known = new Set([transaction.from, ...namedUsers(texts, chain).users]);
  return does.acts
    .flatMap(grantIn)
    .find(({ to, isAlwaysAsked }) => isAlwaysAsked || (!known.has(to) && !book.isAllowed(chain, to)));
}

function grantIn(act: EvmAct): readonly Grant[] {
  switch (act.does) {
    case "approve":
    case "approve_all":
      return [{ to: act.spender, may: "take tokens" }];
    case "revoke":
      return act.orGivesItem ? [{ to: act.spender, may: "take item 0, if the contract keeps items" }] : [];
    case "refund":
      return [{ to: act.to, may: "ask an account for any refund" }];
    case "give_ownership":
      return [{ to: act.to, may: "own a contract" }];
    case "add_module":
      return [{ to: act.to, may: "act for a contract", isAlwaysAsked: true }];
    case "weaken":
      return [{ to: act.contract, may: "need fewer owners", isAlwaysAsked: true }];
    case "delegate":
      return [{ to: act.to, may: "act for the account" }];
    default:
      return [];
  }
}

const reasons: Readonly<Record<Unexplained["why"], string>> = {
  unknown_call: "no known function",
  broken_call: "the arguments, or coins beside them, are not those of the function",
  opaque_bytes: "holds bytes that may order anything",
  unlabelled_service: "no label says that the contract is a service",
  foreign_code: "runs foreign code as its own",
  too_much: "more calls than are looked at",
  creation: "creates a contract",
};

function describe({ contract, why, selector }: Unexplained): string {
  const where = [...(contract === undefined ? [] : [contract]), ...(selector === "" ? [] : [`0x${selector}`])];
  return [...where, reasons[why]].join(" ");
}
