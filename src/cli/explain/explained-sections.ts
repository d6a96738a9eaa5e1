import { findChain } from "../../chains/registry.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import type { CheckEntry, Verdict } from "../../messages/verdict.ts";
import type { VerdictExplanation } from "./explanation.ts";

/** A heading, and the rows below it. Every text is safe for one line of a terminal. */
export interface Section {
  readonly heading: string;
  readonly rows: readonly string[];
}

/** An explanation as headings and rows, for every form but JSON. */
export function sectionsOf(explanation: VerdictExplanation): readonly Section[] {
  const { verdict } = explanation;
  const sections: readonly Section[] = [
    { heading: "Decision", rows: decisionRows(explanation) },
    { heading: "Event", rows: eventRows(verdict) },
    {
      heading: "Reasons",
      rows: verdict.reasons.map(
        ({ check, finding, severity, detail }) => `${severity}  ${check} ${finding}: ${detail}`,
      ),
    },
    { heading: "Requests and answers", rows: verdict.checks.flatMap(checkRows) },
    { heading: "Policy rows", rows: policyRows(explanation) },
    { heading: "Lists and labels", rows: listRows(verdict) },
    { heading: "Revisions", rows: explanation.revisions.map(revisionText) },
    { heading: "In the archive", rows: archiveRows(explanation) },
  ];
  return sections.map(({ heading, rows }) => ({ heading, rows: rows.map(singleLine) }));
}

function decisionRows({ verdict, decided_again: again, policy_known }: VerdictExplanation): readonly string[] {
  const { decision, decided_at, software, policy, unanswered } = verdict;
  return [
    `${decision}${unanswered === true ? ", the service owes an answer" : ""}, decided at ${decided_at} by ${software}`,
    `policy ${policy.id}, SHA-256 ${policy.sha256}${policy_known ? "" : ": its file is not available, name it in POLICY_FILE"}`,
    ...(again === undefined
      ? [policy_known ? "not decided again: the verdict was too large to keep its evidence" : "not decided again"]
      : [
          `decided again from the evidence: ${again.decision}${again.is_equal ? ", the same" : ", ANOTHER DECISION"}`,
          ...again.missing_checks.map((check) => `the policy requires ${check}, and the verdict lacks it`),
        ]),
  ];
}

function eventRows({
  event_id,
  tenant,
  subject,
  source,
  ref,
  verdict_id,
  required_checks,
}: Verdict): readonly string[] {
  const where =
    "line" in source
      ? `${source.file}, line ${source.line}`
      : `${source.topic}/${source.partition} at ${source.offset}`;
  return [
    `event ${event_id}${tenant === "" ? "" : ` of tenant ${tenant}`}, from ${where}`,
    `verdict ${verdict_id}`,
    ...subjectRows(subject),
    `required checks: ${required_checks.join(", ") || "none"}`,
    ...(ref === undefined ? [] : [`ref: ${JSON.stringify(ref)}`]),
  ];
}

function subjectRows(subject: Verdict["subject"]): readonly string[] {
  if (subject.type === "unreadable") return [`unreadable record, SHA-256 ${subject.record_sha256}`];
  const chain = `${findChain(subject.chain_id)?.name ?? "unknown chain"} (${subject.chain_id})`;
  const users = subject.user_addresses ?? [];
  return [
    subject.type === "address"
      ? `address ${subject.address} on ${chain}`
      : `transaction on ${chain}, SHA-256 ${subject.transaction_sha256}${subject.address === undefined ? "" : `, to ${subject.address}`}`,
    ...(subject.token_address === undefined ? [] : [`token ${subject.token_address}`]),
    ...(users.length === 0
      ? []
      : [
          `user_addresses (${users.length}): ${users.slice(0, MOST_USERS).join(", ")}${users.length > MOST_USERS ? ", ..." : ""}`,
        ]),
  ];
}

const MOST_USERS = 5;

function checkRows({
  check,
  outcome,
  requested_at,
  answered_at,
  cached,
  attempts,
  data,
  error,
  reduced,
}: CheckEntry): readonly string[] {
  const times =
    requested_at === undefined ? "no request" : `requested ${requested_at}, answered ${answered_at ?? "never"}`;
  const how = cached ? ", from the cache" : `, ${countText(attempts, "request")}`;
  return [
    `${check}: ${outcome}, ${times}${requested_at === undefined ? "" : how}`,
    ...(error === undefined ? [] : [`  ${error.code}: ${error.detail}`]),
    ...(data === undefined ? [] : [`  answer: ${JSON.stringify(data)}`]),
    ...(reduced === undefined
      ? []
      : [`  the answer had ${reduced.bytes} bytes, SHA-256 ${reduced.sha256}; a part or nothing of it was kept`]),
  ];
}

function policyRows({ rows, policy_known }: VerdictExplanation): readonly string[] {
  if (!policy_known) return ["the table of the policy is not available"];
  const fired = rows.filter((row) => row.fired);
  const byCheck = Map.groupBy(
    rows.filter((row) => !row.fired),
    ({ check }) => check,
  );
  return [
    ...fired.map(({ check, finding, severity }) => `fired: ${check}.${finding} = ${severity}`),
    ...Array.from(byCheck, ([check, others]) => {
      return `did not fire in ${check}: ${others.map(({ finding, severity }) => `${finding} (${severity})`).join(", ")}`;
    }),
  ];
}

function listRows({ lists, checks }: Verdict): readonly string[] {
  const matches: unknown[] = checks
    .filter(({ check }) => check === "listed")
    .flatMap(({ data }) => Object(data).matches ?? []);
  const set = lists === undefined ? "no list was loaded" : `set of lists ${lists} (lists/${lists}.json in the archive)`;
  return [set, ...matches.map((match) => matchText(Object(match)))];
}

function matchText({ address, standing, name, kind, list }: Readonly<Record<string, unknown>>): string {
  const file = Object(list);
  const source =
    file.name === undefined
      ? "a label that ships with Weir"
      : `${file.name}, SHA-256 ${file.sha256}, loaded ${file.loaded_at}`;
  return `${address}: ${standing}, ${kind} "${name}", by ${source}`;
}

function revisionText({ revision, decision, decided_at, unanswered }: VerdictExplanation["revisions"][number]): string {
  return `revision ${revision}: ${decision}${unanswered === true ? " without an answer" : ""}, ${decided_at}`;
}

function archiveRows({ found_in, object, object_fault = "" }: VerdictExplanation): readonly string[] {
  if (object === undefined) return [`${found_in}; not proven by an object: ${object_fault}`];
  const { key, line, first_offset, last_offset, sha256, lines_match, chain_sha256, named_by_next } = object;
  const next = {
    true: "the next object names it",
    false: "THE NEXT OBJECT NAMES ANOTHER HASH",
    undefined: "it is the newest object",
  };
  return [
    `object ${key}${line === undefined ? "" : `, line ${line}`}, offsets ${first_offset} to ${last_offset}`,
    `lines: SHA-256 ${sha256}${lines_match ? ", equal to the metadata" : ", NOT THE HASH OF THE METADATA"}`,
    `chain: ${chain_sha256}; ${next[`${named_by_next}`]}`,
    "the audit of the whole chain and of the group's commit is weir audit",
  ];
}
