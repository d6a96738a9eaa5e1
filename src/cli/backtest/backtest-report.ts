import type { BacktestCounts, DecisionChange } from "../../archive/backtest/backtest.ts";
import { type GroupCounts, groupings } from "../../archive/backtest/grouped-changes.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import { decisions } from "../../messages/decision.ts";
import type { CheckForecast } from "../../worker/estimate/request-estimate.ts";

/** All facts of a backtest that its report states. */
export interface BacktestReport {
  readonly counts: BacktestCounts;
  /** By check: the questions for missing evidence, and their requests. */
  readonly requests: Readonly<Record<string, CheckForecast>>;
  /** Rows of the new policy that past policies did not have, and the verdicts that were made without each. */
  readonly younger: ReadonlyMap<string, number>;
  /** Hashes of the policy files. `old` is absent where the recorded decisions were compared. */
  readonly policy: string;
  readonly against: string | undefined;
  /** The verdicts of policies that are not available: their own checks all stay required. */
  readonly unknownPolicies: number;
}

/** Most rows of one grouping in the text. The JSON form has all rows. */
const MOST_ROWS = 12;
const COLUMN = 10;

/** The report of a backtest as lines of text. */
export function backtestLines(report: BacktestReport): readonly string[] {
  const { counts, policy, against } = report;
  const { loosened, tightened, compared } = counts;
  const old = against === undefined ? "the recorded decisions" : `policy ${against.slice(0, 12)}`;
  return [
    `${countText(compared, "verdict")}: policy ${policy.slice(0, 12)} against ${old}`,
    ...matrixLines(counts),
    `${loosened} loosened, ${tightened} tightened, ${compared - loosened - tightened} equal`,
    ...countLines(counts),
    ...lackingLines(report),
    ...youngerLines(report),
  ];
}

/** The verdicts that were left out, and the matrix of old and new decisions between empty lines. */
export function matrixLines(counts: BacktestCounts): readonly string[] {
  return [
    ...leftOutLines(counts),
    "",
    `${"old".padEnd(COLUMN)}${decisions.map((name) => name.padStart(COLUMN)).join("")}  (new)`,
    ...decisions.map((before) => {
      const cells = decisions.map((after) => String(counts.matrix[before][after]).padStart(COLUMN));
      return `${before.padEnd(COLUMN)}${cells.join("")}`;
    }),
    "",
  ];
}

/** The changes by finding, tenant, chain, topic and day. */
export function countLines({ groups }: BacktestCounts): readonly string[] {
  return groupings.flatMap((by) => groupLines(by, groups[by]));
}

function leftOutLines({ unreadable, evidenceLeftOut, leftOut, open }: BacktestCounts): readonly string[] {
  const parts = [
    [leftOut, "earlier revisions or copies"],
    [evidenceLeftOut, "too large to keep their evidence"],
    [open, "not decidable without checks that they lack"],
    [unreadable, "lines without a verdict"],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, why]) => `${number} ${why}`);
  return told.length === 0 ? [] : [`not compared: ${told.join(", ")}`];
}

function groupLines(by: string, groups: ReadonlyMap<string, GroupCounts>): readonly string[] {
  const changed = [...groups].filter(([, { loosened, tightened }]) => loosened + tightened > 0);
  if (changed.length === 0 || (changed.length === 1 && groups.size === 1 && by !== "finding")) return [];
  const sorted = changed.sort(([, a], [, b]) => b.loosened + b.tightened - (a.loosened + a.tightened));
  const rows = sorted.slice(0, MOST_ROWS).map(([name, { loosened, tightened }]) => {
    return `  ${loosened} loosened, ${tightened} tightened  ${name === "" ? "(none)" : singleLine(name)}`;
  });
  const more = sorted.length - rows.length;
  return ["", `by ${by}:`, ...rows, ...(more > 0 ? [`  and ${more} more: see --json`] : [])];
}

function lackingLines({ counts, requests }: BacktestReport): readonly string[] {
  if (counts.lacking.size === 0) return [];
  const rows = Array.from(counts.lacking, ([check, verdicts]) => {
    const forecast = requests[check];
    const cost =
      forecast === undefined || forecast.questions === 0
        ? "the event is needed to ask"
        : `${forecast.distinct} different questions, at least ${countText(forecast.requests, "request")}`;
    return `  ${check}: missing in ${countText(verdicts, "verdict")}; ${cost}`;
  });
  return [
    "",
    "checks that the new policy requires, and that the archive lacks:",
    ...rows,
    `  ${countText(counts.lowerBounds, "decision")} may become more severe with them`,
  ];
}

function youngerLines({ younger, unknownPolicies }: BacktestReport): readonly string[] {
  const unknown =
    unknownPolicies === 0
      ? []
      : [
          "",
          `${countText(unknownPolicies, "verdict")} of policies that are not available: name their files in POLICY_FILE`,
        ];
  if (younger.size === 0) return unknown;
  const rows = Array.from(younger, ([row, verdicts]) => `  ${row}: ${countText(verdicts, "verdict")}`);
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  return [
    "",
    "rows that the policy of the time did not have: their absence in the evidence proves nothing",
    ...shown,
    ...(more > 0 ? [`  and ${more} more: see --json`] : []),
    ...unknown,
  ];
}

/** A changed verdict as a line of JSON. */
export function changeLine({ verdict, before, after, isLoosened, because, lacks }: DecisionChange): string {
  const { verdict_id, event_id, tenant, revision, subject, policy, source, decided_at, ref } = verdict;
  return JSON.stringify({
    schema: "weir.backtest/1",
    verdict_id,
    event_id,
    tenant,
    revision,
    change: isLoosened ? "loosened" : "tightened",
    before: before.decision,
    after: after.decision,
    because,
    lacks,
    reasons_before: before.reasons,
    reasons_after: after.reasons,
    subject,
    policy,
    source,
    decided_at,
    ...(ref === undefined ? {} : { ref }),
  });
}

/** The report as one JSON object. */
export function backtestJson(report: BacktestReport): string {
  const { counts, requests, younger, policy, against, unknownPolicies } = report;
  const { lacking, policies, groups, leftOut, ...numbers } = counts;
  return JSON.stringify({
    schema: "weir.backtest/1",
    policy,
    against: against ?? "recorded",
    ...numbers,
    left_out: leftOut,
    lacking: Object.fromEntries(lacking),
    requests,
    younger_rows: Object.fromEntries(younger),
    policies: Object.fromEntries(policies),
    unknown_policies: unknownPolicies,
    groups: Object.fromEntries(groupings.map((by) => [by, Object.fromEntries(groups[by])])),
  });
}
