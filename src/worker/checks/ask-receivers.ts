import { type CanonicalAddress, parseAddress } from "../../chains/address.ts";
import { isSystemAddress, mimicsSystem } from "../../chains/solana/system-addresses.ts";
import type { EvidenceOf, PoisoningEvidence } from "../../messages/evidence.ts";
import { NOT_SENT, type Outcome } from "../answers/outcome.ts";
import { type Gathering, LATE, PartialResult } from "../answers/partial-result.ts";
import { AnswerInvalidError } from "../answers/service-errors.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import { uniteOutcomes } from "../batching/replies/merge-results.ts";
import type { ReceiversQuestion } from "../plan/question.ts";
import type { CancellableRequester } from "./coalescer.ts";
import { isUnflagged, withImitators } from "./imitators.ts";

type Simulated = Outcome<EvidenceOf<"solana-simulation">>;

/** Amounts of a change that are more, or less, than nothing. */
const GAIN = /^[+]?0*[1-9]/;
const LOSS = /^-0*[1-9]/;

/**
 * Asks about everyone who receives by transactions, as their simulation says, and who signs them: the user is whoever pays
 * the fee, is named by the event, or signs and has less afterwards. Where no balance says who receives, as when it
 * failed, about every account that they write, too: one of them, or its owner, would have received. A '1' about any of them stands.
 * Where the service gives no findings, nothing rests on its balances: every account that is written or gains a right is asked
 * about, and every signer is a user.
 * A program that is called, and a token that moves, are asked about where they look like the network's own.
 */
export async function askReceivers(
  question: ReceiversQuestion,
  simulated: Promise<Simulated>,
  claim: CancellableRequester,
  pool: Pick<PoisoningBatcher, "ask">,
  soFar: Gathering<Outcome<PoisoningEvidence>> = new PartialResult(),
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
  // Nobody imitates himself, and a service may pass over a target that is one of its users.
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
      const united = uniteOutcomes(isUntold ? [...outcomes, untold()] : outcomes);
      const unflagged = targets.filter((_, i) => isUnflagged(outcomes[i]));
      return withMimics(withImitators(united, chain.family, unflagged, users), mimics);
    },
    (at) => each[at]?.known ?? LATE,
  );
}

/** Addresses that look like the network's own are told beside what the service said: it may not know of such. */
function withMimics(outcome: Outcome<PoisoningEvidence>, mimics: readonly string[]): Outcome<PoisoningEvidence> {
  if (!outcome.ok || mimics.length === 0) return outcome;
  return { ...outcome, value: { ...outcome.value, mimics_system: [...mimics] } };
}

function untold(): Outcome<PoisoningEvidence> {
  return { ok: false, error: new AnswerInvalidError("the simulation does not say who receives"), trace: NOT_SENT };
}

/**
 * Whom a service without findings has said nothing of: accounts of the transaction, and its tokens, without a risk level. Its
 * labels may accuse them all the same.
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

/** Whoever has more of anything afterwards, and whoever may act on an account from then on. */
function receiversIn(simulated: EvidenceOf<"solana-simulation">): readonly CanonicalAddress[] {
  const { results, worker_findings = [] } = simulated;
  const findings = [...results.flatMap((result) => result.findings ?? []), ...worker_findings];
  const gaining = findings.flatMap(({ gains }) => gains ?? []);
  return [...new Set([...changedBy(simulated, GAIN), ...addressesIn(gaining)])];
}

/** Whose balance of anything changed by an amount that reads as `pattern`. */
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
