import { type CanonicalAddress, parseAddress } from "../../chains/address.ts";
import { isSystemAddress, mimicsSystem } from "../../chains/solana/system-addresses.ts";
import type { EvidenceOf, PoisoningEvidence } from "../../messages/evidence.ts";
import { NOT_SENT, type Outcome } from "../answers/outcome.ts";
import { type PartialGathering, PartialResult, TOO_LATE } from "../answers/partial-result.ts";
import { AnswerInvalidError } from "../answers/service-errors.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import { mergeOutcomes } from "../batching/replies/merge-results.ts";
import type { ReceiversQuestion } from "../plan/question.ts";
import type { CancellableRequester } from "./coalescer.ts";
import { isUnflagged, withImitators } from "./imitators.ts";

type Simulated = Outcome<EvidenceOf<"solana-simulation">>;

/** Amounts of a balance change that are above zero, or below zero. */
const GAIN = /^[+]?0*[1-9]/;
const LOSS = /^-0*[1-9]/;

/**
 * Asks about every receiver in the simulation of the transactions, and about every signer. The users are the fee payer,
 * the addresses that the event names, and signers with a lower balance afterwards.
 *
 * If no balance shows the receiver, for example after a failed simulation, every written account is asked about too.
 * One of these accounts, or its owner, would have received. A '1' about any address stands.
 *
 * If the service gives no findings, its balances are not relied upon. Then every account that is written or gains a
 * right is asked about, and every signer is a user.
 *
 * A called program or a moved token is asked about if it looks like an address of the network itself.
 */
export async function askReceivers(
  question: ReceiversQuestion,
  simulated: Promise<Simulated>,
  claim: CancellableRequester,
  pool: Pick<PoisoningBatcher, "ask">,
  soFar: PartialGathering<Outcome<PoisoningEvidence>> = new PartialResult(),
): Promise<Outcome<PoisoningEvidence>> {
  const { chain, candidates, gainers, programs, signers, usesLookupTables, users: known } = question;
  const outcome = await simulated;
  if (!outcome.ok) return outcome;
  const isJudgedHere = outcome.value.worker_findings !== undefined;
  const losing = changedBy(outcome.value, LOSS);
  const paying = signers.filter((address) => isJudgedHere || losing.includes(address));
  const users = [...new Set([...known, ...paying])];
  const isOther = (address: CanonicalAddress) => !known.includes(address) || candidates.includes(address);
  const received = receiversIn(outcome.value).filter(isOther);
  const isTold = changedBy(outcome.value, GAIN).some(isOther);
  const named = isJudgedHere ? [...candidates, ...gainers].filter(isOther) : candidates;
  const others = isTold && !isJudgedHere ? received : [...new Set([...received, ...named])];
  // An address does not imitate itself, and a service may skip a target that is one of its users.
  const each: PartialResult<Outcome<PoisoningEvidence>>[] = [];
  const targets: CanonicalAddress[] = [];
  const ask = (target: CanonicalAddress) => {
    const compared = signers.includes(target) ? users.filter((user) => user !== target) : users;
    if (compared.length === 0) return [];
    const known = new PartialResult<Outcome<PoisoningEvidence>>();
    each.push(known);
    targets.push(target);
    return [pool.ask({ check: "poisoning", chain, target, users: compared, token: undefined }, claim, known)];
  };
  const seen = [...received, ...candidates, ...gainers, ...signers, ...programs, ...shownIn(outcome.value)];
  const mimics = [...new Set(seen)].filter((address) => !known.includes(address) && mimicsSystem(address));
  const whom = new Set([...others, ...signers, ...mimics]);
  const about = [...whom].flatMap(ask);
  const isUntold = about.length === 0 || (others.length === 0 && usesLookupTables);
  const unrated = unratedIn(outcome.value, question.named).filter(
    (address) => !whom.has(address) && !users.includes(address),
  );
  const asked = [...about, ...unrated.flatMap(ask)];
  return soFar.gather(
    asked,
    (outcomes) => {
      const united = mergeOutcomes(isUntold ? [...outcomes, untold()] : outcomes);
      const unflagged = targets.filter((_, i) => isUnflagged(outcomes[i]));
      return withMimics(withImitators(united, chain.family, unflagged, users), mimics);
    },
    (at) => each[at]?.known ?? TOO_LATE,
  );
}

/** The worker reports addresses that look like the network's own itself, because a service may not know them. */
function withMimics(outcome: Outcome<PoisoningEvidence>, mimics: readonly string[]): Outcome<PoisoningEvidence> {
  if (!outcome.ok || mimics.length === 0) return outcome;
  return { ...outcome, value: { ...outcome.value, mimics_system: [...mimics] } };
}

function untold(): Outcome<PoisoningEvidence> {
  return { ok: false, error: new AnswerInvalidError("the simulation does not name the receivers"), trace: NOT_SENT };
}

/**
 * Accounts and tokens of the transaction to which a service without findings gives no risk level. The labels of the
 * service may still accuse them.
 */
function unratedIn(
  { results, worker_findings }: EvidenceOf<"solana-simulation">,
  named: readonly CanonicalAddress[],
): readonly CanonicalAddress[] {
  if (worker_findings === undefined) return [];
  const rated = new Set(
    results.flatMap(({ involved_addresses_risks = [] }) => involved_addresses_risks.map(addressOf)),
  );
  const all = [...new Set([...named, ...tokensIn(results)])];
  return all.filter((address) => !rated.has(address) && !isSystemAddress(address));
}

/** Programs that ran, and tokens that moved. */
function shownIn({ results }: EvidenceOf<"solana-simulation">): readonly CanonicalAddress[] {
  const called = results.flatMap(({ called_addresses = [] }) => called_addresses);
  return [...addressesIn(called), ...tokensIn(results)];
}

function tokensIn(results: EvidenceOf<"solana-simulation">["results"]): readonly CanonicalAddress[] {
  return addressesIn(
    results.flatMap(({ balance_changes = [] }) => balance_changes.map((token) => token.token_address)),
  );
}

function addressOf({ address }: { readonly address: string }): string {
  return address;
}

/** Addresses with a higher balance afterwards, and addresses that gain a right over an account. */
function receiversIn(simulated: EvidenceOf<"solana-simulation">): readonly CanonicalAddress[] {
  const { results, worker_findings = [] } = simulated;
  const findings = [...results.flatMap((result) => result.findings ?? []), ...worker_findings];
  const gaining = findings.flatMap(({ gains }) => gains ?? []);
  return [...new Set([...changedBy(simulated, GAIN), ...addressesIn(gaining)])];
}

/** Addresses with a balance change that matches `pattern`. */
function changedBy({ results }: EvidenceOf<"solana-simulation">, pattern: RegExp): readonly CanonicalAddress[] {
  const changes = results.flatMap(({ balance_changes = [] }) => balance_changes.flatMap((token) => token.change_list));
  return addressesIn(changes.flatMap(({ delta_value, address }) => (pattern.test(delta_value) ? address : [])));
}

function addressesIn(texts: readonly string[]): readonly CanonicalAddress[] {
  return [...new Set(texts)].flatMap((text) => {
    const parsed = parseAddress("solana", text);
    return parsed.ok ? [parsed.value] : [];
  });
}
