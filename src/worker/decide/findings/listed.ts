import type { ListedEvidence } from "../../../messages/evidence.ts";
import type { PolicyTable } from "../../../policy/policy.ts";
import { quoted } from "./quoted.ts";
import { type Finding, ruleFor } from "./rule.ts";

type Match = ListedEvidence["matches"][number];

const MAX_NOTE = 300;

/** A listed address is a reason by itself, whatever a service answers. An allowed address is only reported. */
export const listedRule = ruleFor("listed", ({ matches }, { table }) =>
  matches.map((match) => findingOf(match, table.findings.listed)),
);

function findingOf(match: Match, severity: PolicyTable["findings"]["listed"]): Finding {
  const detail = textOf(match);
  if (match.standing === "allowed") return { finding: "listed_allowed", severity: "INFO", detail };
  if (match.is_user === true)
    return {
      finding: "listed_user",
      severity: severity.listed_user,
      detail: `the user knows ${textOf(match, ", which")}`,
    };
  const finding = match.standing === "sanctioned" ? "listed_sanctioned" : "listed_blocked";
  return { finding, severity: severity[finding], detail };
}

function textOf({ address, kind, name, program, note, risk_level, list }: Match, joint = ""): string {
  const level = risk_level === undefined ? "" : `, risk level ${risk_level}`;
  const where = list === undefined ? "a label that ships with Weir" : `the list ${quoted(list.name)} of ${list.date}`;
  const under = program === undefined ? "" : `, program ${quoted(program, MAX_NOTE)}`;
  const remark = note === undefined ? "" : `, note: ${quoted(note, MAX_NOTE)}`;
  return `${address}${joint} is ${kind}${level} by ${where}: ${quoted(name, MAX_NOTE)}${under}${remark}`;
}
