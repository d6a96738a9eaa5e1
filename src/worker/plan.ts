import { type CanonicalAddress, parseAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";
import { requestParser } from "../contract/request.ts";
import { SolanaTransaction } from "../contract/solana-emulate.ts";
import { TronTransaction } from "../contract/transaction-security.ts";
import type { Check } from "../events/checks.ts";
import type { AddressEvent, ScreeningEvent, TransactionEvent } from "../events/event.ts";
import type { PolicyTable, SubjectKind } from "../events/policy.ts";
import type { CheckEntry, FailureCode, Subject } from "../events/verdict.ts";
import { canonicalJson } from "../kernel/json.ts";
import { sha256 } from "../kernel/sha256.ts";
import type { TronQuestion } from "./simulation-group/tron-alone.ts";

/** One check that is to be put to the service. */
export type Question =
  | {
      readonly check: "poisoning";
      readonly chain: Chain;
      readonly target: CanonicalAddress;
      readonly users: readonly CanonicalAddress[];
      readonly token: CanonicalAddress | undefined;
    }
  | { readonly check: "token-security"; readonly chain: Chain; readonly token: CanonicalAddress }
  | { readonly check: "classification"; readonly chain: Chain; readonly address: CanonicalAddress }
  | { readonly check: "solana-simulation"; readonly chain: Chain; readonly transactions: readonly SolanaTransaction[] }
  | ({ readonly check: "tron-security"; readonly chain: Chain } & TronQuestion);

/** What one event needs: the questions to ask, and the checks that are settled without asking. */
export interface Plan {
  readonly subject: Subject;
  readonly requiredChecks: readonly Check[];
  readonly questions: readonly Question[];
  readonly settled: readonly CheckEntry[];
}

/** Turns an event into questions. What cannot be asked is settled as failed here, so that it can never be forgotten. */
export function plan(event: ScreeningEvent, table: PolicyTable): Plan {
  const chain = findChain(event.chain_id);
  if (chain === undefined) return refused(event, "CHAIN_UNSUPPORTED", `unknown chain "${clip(event.chain_id)}"`);
  return event.type === "transaction" ? planTransaction(event, chain) : planAddress(event, chain, table);
}

function planAddress(event: AddressEvent, chain: Chain, table: PolicyTable): Plan {
  const address = parseAddress(chain.family, event.address);
  if (!address.ok) return refused(event, "ADDRESS_INVALID", `address: ${address.detail}`);
  const users = (event.user_addresses ?? []).map((user) => parseAddress(chain.family, user));
  const token = event.token_address === undefined ? undefined : parseAddress(chain.family, event.token_address);
  const kind: SubjectKind = token === undefined ? "address" : "address_with_token";
  const required = union(table.required_checks[kind], event.checks ?? []);
  const questions: Question[] = [];
  const settled: CheckEntry[] = [];
  const badUser = users.findIndex((user) => !user.ok);
  for (const check of required) {
    if (token !== undefined && !token.ok && (check === "poisoning" || check === "token-security")) {
      settled.push(failed(check, "TOKEN_ADDRESS_INVALID", `token_address: ${token.detail}`));
    } else if (check === "poisoning") {
      const user = users[badUser];
      if (user !== undefined && !user.ok) {
        settled.push(failed(check, "USER_ADDRESS_INVALID", `user_addresses[${badUser}]: ${user.detail}`));
      } else {
        const known = users.flatMap((each) => (each.ok ? [each.value] : []));
        questions.push({ check, chain, target: address.value, users: distinct(known), token: valid(token) });
      }
    } else if (check === "token-security") {
      const named = valid(token);
      if (named !== undefined && chain.family === "evm") questions.push({ check, chain, token: named });
      else if (named === undefined)
        settled.push(failed(check, "CHECK_UNSUPPORTED", "token-security needs a token_address"));
      else if (event.checks?.includes(check))
        settled.push(failed(check, "CHECK_UNSUPPORTED", "only EVM chains have it"));
      else settled.push(notApplicable(check, "only EVM chains have it"));
    } else if (check === "classification" && chain.family === "evm") {
      questions.push({ check, chain, address: address.value });
    } else settled.push(failed(check, "CHECK_UNSUPPORTED", `${check} does not apply to an address on ${chain.name}`));
  }
  // Only the plan may say that a required check does not apply; to a decision it would be a check that is missing.
  const applies = (check: Check) =>
    !settled.some((entry) => entry.check === check && entry.outcome === "not_applicable");
  return { subject: subjectOf(event, chain), requiredChecks: required.filter(applies), questions, settled };
}

/**
 * Nobody can tell yet whom a transaction pays, so it is UNKNOWN whatever else is asked; a simulation that the event
 * itself names is made all the same, and may say BLOCK.
 */
function planTransaction(event: TransactionEvent, chain: Chain): Plan {
  const { subject, settled } = refused(
    event,
    "SUBJECT_UNSUPPORTED",
    `transactions on ${chain.name} cannot be decoded yet`,
  );
  const asked = distinct(event.checks ?? []).map((check) => simulation(check, event, chain));
  return {
    subject,
    requiredChecks: [],
    questions: asked.flatMap((each) => (each.ok ? [each.value] : [])),
    settled: [...settled, ...asked.flatMap((each) => (each.ok ? [] : [each.entry]))],
  };
}

type Planned = { readonly ok: true; readonly value: Question } | { readonly ok: false; readonly entry: CheckEntry };

const readSolana = requestParser(SolanaTransaction);
const readTron = requestParser(TronTransaction);

function simulation(check: Check, { transaction, dapp_url }: TransactionEvent, chain: Chain): Planned {
  const malformed = (detail: string): Planned => ({
    ok: false,
    entry: failed(check, "EVENT_MALFORMED", `transaction: ${detail}`),
  });
  if (check === "solana-simulation" && chain.family === "solana") {
    const read = [transaction].flat().map(readSolana);
    const bad = read.find((each) => !each.ok);
    if (bad?.ok === false) return malformed(bad.detail);
    return { ok: true, value: { check, chain, transactions: read.flatMap((each) => (each.ok ? [each.value] : [])) } };
  }
  if (check === "tron-security" && chain.family === "tron") {
    const read = readTron(transaction);
    if (!read.ok) return malformed(read.detail);
    return { ok: true, value: { check, chain, transaction: read.value, dappUrl: dapp_url } };
  }
  const detail = `${check} does not apply to a transaction on ${chain.name}`;
  return { ok: false, entry: failed(check, "CHECK_UNSUPPORTED", detail) };
}

function refused(event: ScreeningEvent, code: FailureCode, detail: string): Plan {
  const subject = subjectOf(event);
  return { subject, requiredChecks: [], questions: [], settled: [failed("event", code, detail)] };
}

/** The subject as the verdict names it: canonical where it is valid, as given where it is not. */
export function subjectOf(event: ScreeningEvent, chain = findChain(event.chain_id)): Subject {
  const canonical = (text: string) => valid(chain === undefined ? undefined : parseAddress(chain.family, text)) ?? text;
  const users = event.user_addresses;
  const shared = {
    chain_id: chain?.id ?? event.chain_id,
    ...(users === undefined ? {} : { user_addresses: distinct(users.map(canonical)) }),
  };
  if (event.type === "transaction") {
    return { type: "transaction", ...shared, transaction_sha256: sha256(canonicalJson(event.transaction)) };
  }
  const token = event.token_address;
  return {
    type: "address",
    address: canonical(event.address),
    ...shared,
    ...(token === undefined ? {} : { token_address: canonical(token) }),
  };
}

/** A check that has no answer, with the reason. */
export function failed(check: CheckEntry["check"], code: FailureCode, detail: string): CheckEntry {
  return { check, outcome: "failed", cached: false, attempts: 0, error: { code, detail } };
}

function notApplicable(check: Check, detail: string): CheckEntry {
  return { check, outcome: "not_applicable", cached: false, attempts: 0, error: { code: "CHECK_UNSUPPORTED", detail } };
}

function valid<T>(result: { ok: true; value: T } | { ok: false } | undefined): T | undefined {
  return result?.ok ? result.value : undefined;
}

function union(required: readonly Check[], added: readonly Check[]): Check[] {
  return distinct([...required, ...added]);
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
