import type { Severity } from "../../../../messages/decision.ts";
import type { TokenAnswer } from "../../../../messages/evidence.ts";
import type { PolicyTable } from "../../../../policy/policy.ts";
import { quoted } from "../quoted.ts";
import { riskScale, scoreOfLevel } from "../risk-scale.ts";
import type { Finding } from "../rule.ts";

type Rows = PolicyTable["findings"]["token-security"];
type Row = "level_high" | "level_medium" | "level_unknown" | "threat_high" | "threat_medium" | "threat_unknown";

/**
 * The meaning of an answer's levels and scores. The interface shows no scale for tokens. The operator's scales count
 * first, then the scale that the interface shows for TRON. A level on neither scale is UNKNOWN, and so is an answer
 * without a level.
 */
export function levelFindings(data: TokenAnswer, table: Rows, whose: string): readonly Finding[] {
  return [...overallOf(data, table, whose), ...threatOf(data, table, whose)];
}

/**
 * Whether the answer explains a missing level by `unknown`, an extra of Weir's own service. An adapter sets `unknown`
 * too, but for a service with its own scales.
 */
export function saysUnknown({ unknown, adapter }: Pick<TokenAnswer, "unknown" | "adapter">): boolean {
  return unknown !== undefined && adapter === undefined;
}

/** Whether a level means harm, as the answer states it or as the operator's settings read it. */
export function isLevelRaised(data: TokenAnswer): boolean {
  const said = [...overallMeanings(data), threatMeaning(data), data.read_by?.trust_level];
  return said.includes("BLOCK") || said.includes("WARN");
}

function overallOf(data: TokenAnswer, table: Rows, whose: string): readonly Finding[] {
  const [level, score] = [data.overall_risk_level.trim().toLowerCase(), data.overall_score.trim()];
  const isEmpty = level === "" && score === "";
  // The flags without evidence already report the missing parts.
  if (isEmpty && saysUnknown(data) && (data.unknown ?? []).length > 0) return [];
  const said = `overall_risk_level is '${quoted(data.overall_risk_level)}', overall_score is '${quoted(data.overall_score)}'`;
  const isMapped = data.read_by?.overall_risk_level !== undefined;
  if (isEmpty || (level === "unknown" && !isMapped)) {
    const detail = `the service has no overall result${whose}: ${said}`;
    return [{ finding: "level_unknown", severity: table.level_unknown, detail }];
  }
  return findingOf(overallMeanings(data), "level", table, `${said}${whose}`);
}

/**
 * Word and score both count, each by the operator's scale or else by the known scale. An incomplete operator's scale
 * therefore hides no high score.
 */
function overallMeanings(data: TokenAnswer): readonly (Severity | undefined)[] {
  const { overall_risk_level: level, overall_score: score, read_by: readBy = {} } = data;
  return [readBy.overall_risk_level ?? meaningOfLevel(level), readBy.overall_score ?? meaningOfScore(score, level)];
}

function threatOf(data: TokenAnswer, table: Rows, whose: string): readonly Finding[] {
  const meaning = threatMeaning(data);
  const detail = `threat_intelligence.risk_level${whose} is '${quoted(data.threat_intelligence.risk_level)}'`;
  return meaning === undefined ? [] : findingOf([meaning], "threat", table, detail);
}

/**
 * The known scale also applies to the threat level of two services: Weir's own, and any with an overall level and score
 * on that scale.
 */
function threatMeaning(data: TokenAnswer): Severity | undefined {
  const level = data.threat_intelligence.risk_level;
  if (level === "") return undefined;
  const { overall_risk_level: overall, overall_score: score } = data;
  const isScaleKnown = overall !== "" && score !== "" && meaningOfScore(score, overall) !== "UNKNOWN";
  const isOnScale = saysUnknown(data) || isScaleKnown;
  const byNumber = isOnScale ? riskScale[place(level)]?.[1] : undefined;
  return data.read_by?.threat_risk_level ?? byNumber ?? meaningOfLevel(level);
}

/** An undefined meaning is ignored beside a defined one. */
function findingOf(
  said: readonly (Severity | undefined)[],
  what: "level" | "threat",
  table: Rows,
  detail: string,
): readonly Finding[] {
  const of = (row: Row, why: string): readonly Finding[] => [
    { finding: row, severity: table[row], detail: `${detail}${why}` },
  ];
  if (said.includes("BLOCK")) return of(`${what}_high`, "");
  const warned = said.includes("WARN") ? of(`${what}_medium`, "") : [];
  if (said.includes("UNKNOWN") || said.every((meaning) => meaning === undefined))
    return [
      ...warned,
      ...of(
        `${what}_unknown`,
        ": its scale is not known; say what it means in SERVICE_LEVELS, or in levels of the file of SERVICE_DIALECT",
      ),
    ];
  return warned;
}

function meaningOfLevel(level: string): Severity | undefined {
  if (level === "") return undefined;
  return riskScale[scoreOfLevel(level) ?? -1]?.[1] ?? "UNKNOWN";
}

/**
 * A score counts only if its level identifies the scale: 0 is the least risk on one scale and the least trust on
 * another.
 */
function meaningOfScore(score: string, level: string): Severity | undefined {
  if (score === "") return undefined;
  const step = riskScale[place(score)];
  if (step === undefined) return "UNKNOWN";
  return step[0] === level.trim().toLowerCase() ? step[1] : "UNKNOWN";
}

/** Position of a number from 0 to 5 on the scale. -1 for any other text. */
function place(text: string): number {
  return /^[0-5]$/.test(text.trim()) ? Number(text) : -1;
}
