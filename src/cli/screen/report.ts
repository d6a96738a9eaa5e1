import { parseAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { lookalike, overlap } from "../../chains/lookalike.ts";
import { findChain } from "../../chains/registry.ts";
import { singleLine } from "../../kernel/text.ts";
import type { Decision } from "../../messages/decision.ts";
import type { CheckEntry, Reason, Verdict } from "../../messages/verdict.ts";

/** Text styles. On a stream that is no terminal they do nothing. */
export interface Paint {
  readonly decision: (decision: Decision, text: string) => string;
  readonly marked: (text: string) => string;
  readonly dim: (text: string) => string;
}

const codes = { ALLOW: 32, WARN: 33, UNKNOWN: 35, BLOCK: 31 } as const satisfies Record<Decision, number>;

/** Styles for a terminal, unless its user disables them (no-color.org). */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (stream.isTTY !== true || (env["NO_COLOR"] ?? "") !== "")
    return { decision: (_decision, text) => text, marked: (text) => text, dim: (text) => text };
  const sgr = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
  return { decision: (decision, text) => sgr(codes[decision])(text), marked: sgr(1), dim: sgr(2) };
}

/**
 * One verdict as text: its subject, its reasons, and for a lookalike the two addresses with their equal ends marked.
 */
export function verdictLines(verdict: Verdict, paint: Paint): readonly string[] {
  const { decision, source } = verdict;
  const where = "line" in source ? `line ${source.line}` : `${source.topic}/${source.partition}/${source.offset}`;
  const note = typeof verdict.ref === "string" ? paint.dim(`  ${printable(verdict.ref)}`) : "";
  const lines = [`${paint.decision(decision, decision.padEnd(7))} ${where.padEnd(8)} ${subjectText(verdict)}${note}`];
  for (const reason of shownReasons(verdict)) {
    lines.push(`          ${reason.check}: ${reason.finding}: ${printable(reason.detail)}`);
    lines.push(...pairLines(verdict, reason, paint));
  }
  const shown = verdict.checks.filter(({ check }) => decision === "ALLOW" || check === "token-security");
  lines.push(
    ...shown
      .filter(({ outcome }) => outcome === "ok")
      .map((entry) => paint.dim(`          evidence: ${evidenceText(entry)}`)),
  );
  return lines;
}

/** The reasons for the decision. The service's aggregate flag is left out where one of its parts explains it. */
function shownReasons({ decision, reasons }: Verdict): readonly Reason[] {
  const aggregates = ["is_poisoning", "token_is_poisoning"];
  const explained = new Set(
    reasons.flatMap(({ finding, severity }) => (finding.startsWith("mimics_") ? [severity] : [])),
  );
  return reasons.filter(({ finding, severity }) => {
    if (aggregates.includes(finding) && explained.has(severity)) return false;
    return decision === "ALLOW" || severity !== "INFO";
  });
}

function subjectText({ subject }: Verdict): string {
  if (subject.type === "unreadable") return `unreadable record ${subject.record_sha256.slice(0, 12)}…`;
  const chain = findChain(subject.chain_id)?.name ?? printable(subject.chain_id);
  if (subject.type === "transaction") return `${chain} transaction ${subject.transaction_sha256.slice(0, 12)}…`;
  const token = subject.token_address === undefined ? "" : `, token ${printable(subject.token_address)}`;
  return `${chain} ${printable(subject.address)}${token}`;
}

/** Text of an event may try to control the terminal (CWE-150). */
function printable(text: string): string {
  return clipped(singleLine(text));
}

/** Longest text that is shown, characters. */
const MAX_SHOWN = 400;

/** Cuts the text, after a whole word where there is one, and marks the cut. */
function clipped(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  const start = text.slice(0, MAX_SHOWN);
  const lastSpace = start.lastIndexOf(" ");
  return `${lastSpace > 0 ? start.slice(0, lastSpace) : start} …`;
}

/** The content of an answer, and the time of its request. */
function evidenceText({ check, requested_at, attempts, data }: CheckEntry): string {
  const unknown = namesIn(Object(data).unknown);
  const said = Object.entries(flatten(data))
    .filter(([name]) => !unknown.has(name))
    .map(([name, value]) => [name, printable(String(value))] as const);
  const text = said.filter(isWorthShowing[check] ?? isFlag).map(([name, value]) => `${name} ${value}`);
  return `${check} asked ${requested_at ?? "never"}${attempts > 1 ? ` (${attempts} requests)` : ""}: ${text.join(", ")}`;
}

/** The last parts of dotted names: the fields with a default value for lack of evidence. */
function namesIn(unknown: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(unknown) ? unknown.map((name) => String(name).split(".").at(-1)) : []);
}

type Said = readonly [name: string, value: string];

const isFlag = ([name, value]: Said) => name !== "chain_id" && /^[01]$/.test(value);
const tokenNumbers = new Set([
  "token_name",
  "overall_risk_level",
  "buy_tax",
  "transfer_tax",
  "sell_tax",
  "is_honeypot",
]);
const classNames = new Set(["address_type", "classification", "proxy_impl_address"]);

/**
 * The checks with more useful fields than flags. The numbers of a simulation are no flags, and of a token's many flags
 * only the raised ones are useful.
 */
const isWorthShowing: Partial<Record<CheckEntry["check"], (said: Said) => boolean>> = {
  "solana-simulation": ([name]) => name === "result_code",
  "token-security": (said) => (tokenNumbers.has(said[0]) && said[1] !== "") || (isFlag(said) && said[1] === "1"),
  classification: ([name, value]) => classNames.has(name) && value !== "",
};

function flatten(data: unknown): Record<string, unknown> {
  if (typeof data !== "object" || data === null) return {};
  return Object.assign(
    {},
    ...Object.entries(data).map(([name, value]) => (typeof value === "object" ? flatten(value) : { [name]: value })),
  );
}

function pairLines({ subject }: Verdict, { resembles, finding }: Reason, paint: Paint): readonly string[] {
  if (subject.type === "unreadable" || resembles === undefined) return [];
  const family = findChain(subject.chain_id)?.family;
  const suspect = finding === "mimics_top_token" ? subject.token_address : subject.address;
  if (family === undefined || suspect === undefined) return [];
  const ends = equalEnds(family, suspect, resembles);
  if (ends === undefined) return [];
  return [
    `            this      ${markEnds(ends.a, ends, paint)}`,
    `            imitates  ${markEnds(ends.b, ends, paint)}`,
    `                      ${carets(ends)}  ${ends.prefix}+${ends.suffix} characters equal`,
  ];
}

interface Ends {
  readonly a: string;
  readonly b: string;
  /** Length of the prefix that all addresses of the format share. */
  readonly constant: number;
  readonly prefix: number;
  readonly suffix: number;
}

function equalEnds(family: Family, first: string, second: string): Ends | undefined {
  const a = parseAddress(family, first);
  const b = parseAddress(family, second);
  if (!a.ok || !b.ok || lookalike(family, a.value, b.value) === undefined) return undefined;
  const { prefix, suffix } = overlap(family, a.value, b.value);
  let leading = 0;
  while (a.value[leading] === b.value[leading]) leading++;
  return { a: a.value, b: b.value, constant: leading - prefix, prefix, suffix };
}

function markEnds(text: string, { constant, prefix, suffix }: Ends, paint: Paint): string {
  const head = constant + prefix;
  const tail = text.length - suffix;
  return (
    paint.marked(text.slice(0, head)) + text.slice(head, tail) + (suffix > 0 ? paint.marked(text.slice(tail)) : "")
  );
}

function carets({ a, constant, prefix, suffix }: Ends): string {
  const between = Math.max(0, a.length - constant - prefix - suffix);
  return " ".repeat(constant) + "^".repeat(prefix) + " ".repeat(between) + "^".repeat(suffix);
}
