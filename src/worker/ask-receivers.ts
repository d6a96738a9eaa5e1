import { type CanonicalAddress, parseAddress } from "../chains/address.ts";
import { mimicsSystem } from "../chains/solana/system-addresses.ts";
import type { EvidenceOf, PoisoningEvidence } from "../events/evidence.ts";
import { type Outcome, UNASKED } from "./pace/outcome.ts";
import type { Claim } from "./pace/turn.ts";
import type { ReceiversQuestion } from "./plan.ts";
import type { PoisoningPool } from "./poisoning-pool/pool.ts";
import { uniteOutcomes } from "./poisoning-pool/unite.ts";
import { AnswerInvalidError } from "./service-errors.ts";
import { type Gathering, LATE, SoFar } from "./so-far.ts";

type Simulated = Outcome<EvidenceOf<"solana-simulation">>;

/** Amounts of a change that are more, or less, than nothing. */
const GAIN = /^[+]?0*[1-9]/;
const LOSS = /^-0*[1-9]/;

/**
 * Asks about everyone who receives by transactions, as their simulation says, and who signs them: the user is whoever pays
 * the fee, is named by the event, or signs and has less afterwards. Where no balance says who receives, as when it
 * failed, about every account that they write, too: one of them, or its owner, would have received. A '1' about any of them stands.
 */
export async function askReceivers(
  { chain, candidates, gainers, signers, usesLookupTables, users: known }: ReceiversQuestion,
  simulated: Promise<Simulated>,
  claim: Claim,
  pool: Pick<PoisoningPool, "ask">,
  soFar: Gathering<Outcome<PoisoningEvidence>> = new SoFar(),
): Promise<Outcome<PoisoningEvidence>> {
  const outcome = await simulated;
  if (!outcome.ok) return outcome;
  const paying = changedBy(outcome.value, LOSS).filter((address) => signers.includes(address));
  const users = [...new Set([...known, ...paying])];
  const isOther = (address: CanonicalAddress) => !known.includes(address) || candidates.includes(address);
  const received = receiversIn(outcome.value).filter(isOther);
  const isTold = changedBy(outcome.value, GAIN).some(isOther);
  const others = isTold ? received : [...new Set([...received, ...candidates])];
  // Nobody imitates himself, and a service may pass over a target that is one of its users.
  const each: SoFar<Outcome<PoisoningEvidence>>[] = [];
  const asked = [...new Set([...others, ...signers])].flatMap((target) => {
    const compared = signers.includes(target) ? users.filter((user) => user !== target) : users;
    if (compared.length === 0) return [];
    const known = new SoFar<Outcome<PoisoningEvidence>>();
    each.push(known);
    return [pool.ask({ check: "poisoning", chain, target, users: compared, token: undefined }, claim, known)];
  });
  const named = [...received, ...candidates, ...gainers, ...signers];
  const mimics = [...new Set(named)].filter((address) => !known.includes(address) && mimicsSystem(address));
  const isUntold = asked.length === 0 || (others.length === 0 && usesLookupTables);
  return soFar.gather(
    asked,
    (outcomes) => withMimics(uniteOutcomes(isUntold ? [...outcomes, untold()] : outcomes), mimics),
    (at) => each[at]?.known ?? LATE,
  );
}

/** Addresses that look like the network's own are told beside what the service said: it may not know of such. */
function withMimics(outcome: Outcome<PoisoningEvidence>, mimics: readonly string[]): Outcome<PoisoningEvidence> {
  if (!outcome.ok || mimics.length === 0) return outcome;
  return { ...outcome, value: { ...outcome.value, mimics_system: [...mimics] } };
}

function untold(): Outcome<PoisoningEvidence> {
  return { ok: false, error: new AnswerInvalidError("the simulation does not say who receives"), trace: UNASKED };
}

/** Whoever has more of anything afterwards, and whoever may act on an account from then on. */
function receiversIn(simulated: EvidenceOf<"solana-simulation">): readonly CanonicalAddress[] {
  const gaining = simulated.results.flatMap(({ findings = [] }) => findings.flatMap(({ gains }) => gains ?? []));
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
