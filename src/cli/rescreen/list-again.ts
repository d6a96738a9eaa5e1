import type { Compared, DecidedBy } from "../../archive/backtest/backtest.ts";
import { type CanonicalAddress, canonicalAddressOn } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import { readEvidence } from "../../messages/evidence.ts";
import { lacksEvidence, type Verdict } from "../../messages/verdict.ts";
import type { PastPolicy } from "../../policy/old-policy.ts";
import type { PolicyChoice, PolicyTable } from "../../policy/policy.ts";
import { listedEntries, type Parties } from "../../worker/checks/listed-entry.ts";
import { decide } from "../../worker/decide/decide.ts";

/** The lists and policies of a rescreening. */
export interface ListsCompared {
  readonly after: AddressBook;
  /** Undefined: the lists by the evidence of each verdict. */
  readonly before: AddressBook | undefined;
  /** The tables that made the verdicts, by hash. */
  readonly past: ReadonlyMap<string, PastPolicy>;
  /** Decides verdicts whose own table is not available. */
  readonly present: PolicyChoice;
}

/** Compares the decisions on one verdict by two sets of lists. Everything but the check `listed` stays as it was. */
export function compareLists({
  after,
  before,
  past,
  present,
}: ListsCompared): (verdict: Verdict) => Compared | undefined {
  return (verdict) => {
    if (lacksEvidence(verdict)) return undefined;
    const { tenant, policy } = verdict;
    const table = past.get(policy.sha256)?.table ?? present(tenant === "" ? undefined : tenant).table;
    const parties = partiesOf(verdict);
    return {
      before: before === undefined ? decideAsRecorded(verdict, table) : decideBy(verdict, parties, before, table),
      after: decideBy(verdict, parties, after, table),
      lacks: [],
    };
  };
}

/** By the evidence as it is, so that nothing but the lists differs between the two decisions. */
function decideAsRecorded(
  { subject, required_checks: requiredChecks, checks }: Verdict,
  table: PolicyTable,
): DecidedBy {
  return decide({ subject, requiredChecks, checks }, table);
}

function decideBy(verdict: Verdict, parties: Parties | undefined, book: AddressBook, table: PolicyTable): DecidedBy {
  const { subject, required_checks: requiredChecks, checks } = verdict;
  const others = checks.filter(({ check }) => check !== "listed");
  const listed = listedEntries(requiredChecks, parties, others, book);
  return decide({ subject, requiredChecks, checks: [...others, ...listed] }, table);
}

/**
 * The addresses that the verdict names: those of its subject, and those of its earlier list matches, which calldata may
 * have named. Undefined for an event that was refused.
 */
function partiesOf({ subject, checks }: Verdict): Parties | undefined {
  if (subject.type === "unreadable") return undefined;
  const chain = findChain(subject.chain_id);
  if (chain === undefined) return undefined;
  const canonical = (texts: readonly (string | undefined)[]) =>
    texts.flatMap((text): readonly CanonicalAddress[] => {
      const address = text === undefined ? undefined : canonicalAddressOn(chain, text);
      return address === undefined ? [] : [address];
    });
  const entry = checks.find(({ check }) => check === "listed");
  const matches = entry === undefined ? [] : (readEvidence("listed", entry.data)?.matches ?? []);
  const matched = matches.flatMap(({ address, is_user }) => (is_user === true ? [] : [address]));
  const users = canonical([
    ...(subject.user_addresses ?? []),
    ...matches.map(({ address, is_user }) => (is_user === true ? address : undefined)),
  ]);
  return {
    chain,
    addresses: [...new Set(canonical([subject.address, subject.token_address, ...matched]))],
    users: [...new Set(users)],
  };
}
