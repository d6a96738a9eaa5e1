import { type Decision, decisions } from "../../messages/decision.ts";
import type { Reason, Verdict } from "../../messages/verdict.ts";
import { LatestVerdicts } from "../reading/latest-verdicts.ts";
import { linesNewestFirst, type VerdictBlock } from "../reading/newest-first.ts";
import { readVerdict } from "../reading/read-verdict.ts";
import { GroupedChanges, type Groups } from "./grouped-changes.ts";

/** A decision, and why. */
export interface DecidedBy {
  readonly decision: Decision;
  readonly reasons: readonly Reason[];
}

/** The decisions on one verdict by the two policies. */
export interface Compared {
  readonly before: DecidedBy;
  readonly after: DecidedBy;
  /** Checks that the new policy requires and the evidence lacks. */
  readonly lacks: readonly string[];
}

/** A verdict with another decision under the new policy. */
export interface DecisionChange extends Compared {
  readonly verdict: Verdict;
  readonly isLoosened: boolean;
  /** The findings that the two decisions differ in, as "check finding". */
  readonly because: readonly string[];
}

/** The counts of a backtest. */
export interface BacktestCounts {
  /** Latest verdicts that were decided by both policies. */
  compared: number;
  /** Verdicts that were too large to keep their evidence. */
  evidenceLeftOut: number;
  /** Lines that hold no verdict. */
  unreadable: number;
  /** By decision before, then by decision after. */
  readonly matrix: Readonly<Record<Decision, Record<Decision, number>>>;
  loosened: number;
  tightened: number;
  /** Verdicts that lack a required check, by check. */
  readonly lacking: Map<string, number>;
  /** Verdicts that lack a required check and are not BLOCK: more evidence may make them more severe. */
  lowerBounds: number;
  /** Verdicts by the hash of the policy that made them. */
  readonly policies: Map<string, number>;
  readonly groups: Groups;
  /** Earlier revisions and copies. */
  leftOut: number;
}

export interface BacktestDeps {
  /** Undefined for a verdict that lacks evidence. */
  readonly compare: (verdict: Verdict) => Compared | undefined;
  /** Whether a verdict belongs to the backtest, by its time. */
  readonly isWanted: (verdict: Verdict) => boolean;
  readonly onChange: (change: DecisionChange) => Promise<void> | void;
  readonly onBlock: (counts: BacktestCounts) => void;
}

/** Most policies that are counted by their hashes. Forged verdicts may name more. */
const MAX_POLICIES = 1_000;

/** Decides the latest revision of each verdict again. @param blocks Newest first, see `LatestVerdicts`. */
export async function backtest(blocks: AsyncIterable<VerdictBlock>, deps: BacktestDeps): Promise<BacktestCounts> {
  const latest = new LatestVerdicts<Verdict>();
  const groups = new GroupedChanges();
  const counts: BacktestCounts = {
    compared: 0,
    evidenceLeftOut: 0,
    unreadable: 0,
    matrix: emptyMatrix(),
    loosened: 0,
    tightened: 0,
    lacking: new Map(),
    lowerBounds: 0,
    policies: new Map(),
    groups: groups.byName,
    leftOut: 0,
  };
  const take = async (verdicts: readonly Verdict[]) => {
    for (const verdict of verdicts) {
      const change = countOne(verdict, counts, groups, deps);
      if (change !== undefined) await deps.onChange(change);
    }
  };
  for await (const block of blocks) {
    for (const line of linesNewestFirst(block)) {
      const verdict = readVerdict(line);
      if (verdict === undefined) counts.unreadable++;
      else if (deps.isWanted(verdict)) {
        const ready = latest.add(verdict);
        // A function call without a promise, because nearly no verdict changes.
        for (const each of ready) {
          const change = countOne(each, counts, groups, deps);
          if (change !== undefined) await deps.onChange(change);
        }
      }
    }
    counts.leftOut = latest.leftOut;
    deps.onBlock(counts);
  }
  await take(latest.finish());
  return counts;
}

function countOne(
  verdict: Verdict,
  counts: BacktestCounts,
  groups: GroupedChanges,
  { compare }: BacktestDeps,
): DecisionChange | undefined {
  const compared = compare(verdict);
  if (compared === undefined) {
    counts.evidenceLeftOut++;
    return undefined;
  }
  const { before, after, lacks } = compared;
  counts.compared++;
  counts.matrix[before.decision][after.decision]++;
  const { sha256 } = verdict.policy;
  if (counts.policies.has(sha256) || counts.policies.size < MAX_POLICIES) addOne(counts.policies, sha256);
  for (const check of lacks) addOne(counts.lacking, check);
  if (lacks.length > 0 && after.decision !== "BLOCK") counts.lowerBounds++;
  if (before.decision === after.decision) {
    groups.addEqual(verdict);
    return undefined;
  }
  const isLoosened = decisions.indexOf(after.decision) < decisions.indexOf(before.decision);
  if (isLoosened) counts.loosened++;
  else counts.tightened++;
  const because = decidingFindings(isLoosened ? before : after);
  const change = { ...compared, verdict, isLoosened, because };
  groups.addChange(change);
  return change;
}

/** The findings with the severity of the decision. */
function decidingFindings({ decision, reasons }: DecidedBy): readonly string[] {
  const deciding = reasons.filter(({ severity }) => severity === decision);
  return [...new Set(deciding.map(({ check, finding }) => `${check} ${finding}`))];
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function emptyMatrix(): Record<Decision, Record<Decision, number>> {
  const row = () => Object.fromEntries(decisions.map((decision) => [decision, 0])) as Record<Decision, number>;
  return Object.fromEntries(decisions.map((decision) => [decision, row()])) as Record<
    Decision,
    Record<Decision, number>
  >;
}
