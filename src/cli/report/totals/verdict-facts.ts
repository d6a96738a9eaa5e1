import { unixMs } from "../../../kernel/clock.ts";
import { ListedEvidence } from "../../../messages/evidence.ts";
import { failuresIn, type Verdict } from "../../../messages/verdict.ts";
import { printable } from "../../verdict-text/printable.ts";
import { chainName, sourceText } from "../../verdict-text/subject-text.ts";

/** The facts of a verdict that a report counts. */
export interface VerdictFacts {
  readonly decision: Verdict["decision"];
  readonly chain: string;
  readonly tenant: string;
  readonly position: string;
  /** `check: finding` of each reason. */
  readonly findings: readonly string[];
  readonly failures: readonly { readonly code: string; readonly detail: string }[];
  /** The lists that hold an address of the event. */
  readonly lists: readonly string[];
  readonly policy: string;
  readonly listSet: string;
  readonly software: string;
  readonly decidedAtMs: number;
}

const NO_CHAIN = "(no chain)";
const NO_TENANT = "(no tenant)";
const NO_LISTS = "(no lists)";
/** A label that ships with Weir names no list. */
const BUNDLED = "labels of Weir";

export function factsOf(verdict: Verdict): VerdictFacts {
  const { decision, subject, tenant, policy, reasons, source } = verdict;
  return {
    decision,
    chain: subject.type === "unreadable" ? NO_CHAIN : chainName(subject.chain_id),
    tenant: tenant === "" ? NO_TENANT : printable(tenant),
    position: sourceText(source),
    findings: [...new Set(reasons.filter(isTelling).map(({ check, finding }) => `${check}: ${printable(finding)}`))],
    failures: failuresIn(verdict).map(({ code, detail }) => ({ code: printable(code), detail: printable(detail) })),
    lists: [...new Set(listNames(verdict))],
    policy: `${printable(policy.id)} (SHA-256 ${printable(policy.sha256)})`,
    listSet: printable(verdict.lists ?? NO_LISTS),
    software: printable(verdict.software),
    decidedAtMs: unixMs(verdict.decided_at),
  };
}

/** A check that found nothing is no finding. */
function isTelling({ finding }: { readonly finding: string }): boolean {
  return finding !== "no_signal";
}

function listNames({ checks }: Verdict): readonly string[] {
  const entry = checks.find(({ check, outcome }) => check === "listed" && outcome === "ok");
  if (entry === undefined) return [];
  const { data } = ListedEvidence.safeParse(entry.data);
  return data?.matches.map(({ list }) => (list === undefined ? BUNDLED : printable(list.name))) ?? [];
}
