import { type Decision, decisions } from "../../messages/decision.ts";
import type { Reason, Verdict } from "../../messages/verdict.ts";
import type { CountedVerdicts } from "../reading/counted-verdicts.ts";
import { linesOf, type VerdictBlock } from "../reading/newest-first.ts";
import { noteLine } from "../reading/note-line.ts";
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
  /** Whether nothing can be decided without those checks. */
  readonly isOpen?: boolean;
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
  /** Verdicts that cannot be decided without checks that they lack. They are in no other count but `lacking`. */
  open: number;
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

/** First reading of the archive: notes which verdict of each id counts. */
export async function noteVerdicts(
  blocks: AsyncIterable<VerdictBlock>,
  counted: CountedVerdicts,
  onBlock: () => void,
): Promise<void> {
  for await (const block of blocks) {
    for (const line of wholeLinesOf(block)) noteLine(line, counted);
    onBlock();
  }
}

/**
 * Second reading: decides each verdict that counts again.
 *
 * @param counted Noted all of these blocks, and the later ones, which may revise a verdict.
 */
export async function backtest(
  blocks: AsyncIterable<VerdictBlock>,
  counted: CountedVerdicts,
  deps: BacktestDeps,
): Promise<BacktestCounts> {
  const groups = new GroupedChanges();
  const counts: BacktestCounts = {
    compared: 0,
    open: 0,
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
  for await (const block of blocks) {
    for (const line of wholeLinesOf(block)) {
      const verdict = readVerdict(line);
      if (verdict === undefined) counts.unreadable++;
      else if (!deps.isWanted(verdict)) continue;
      else if (!counted.counts(verdict)) counts.leftOut++;
      else {
        const change = countOne(verdict, counts, groups, deps);
        if (change !== undefined) await deps.onChange(change);
      }
    }
    deps.onBlock(counts);
  }
  return counts;
}

function* wholeLinesOf({ lines }: VerdictBlock): Generator<Buffer, undefined> {
  for (const line of linesOf(lines)) if (line.length > 0) yield line;
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
  const { before, after, lacks, isOpen } = compared;
  for (const check of lacks) addOne(counts.lacking, check);
  if (isOpen === true) {
    counts.open++;
    return undefined;
  }
  counts.compared++;
  counts.matrix[before.decision][after.decision]++;
  const { sha256 } = verdict.policy;
  if (counts.policies.has(sha256) || counts.policies.size < MAX_POLICIES) addOne(counts.policies, sha256);
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
