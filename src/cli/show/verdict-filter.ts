import { parseAddress } from "../../chains/address.ts";
import { familyNames } from "../../chains/chain.ts";
import { findChain } from "../../chains/registry.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { type Decision, decisions } from "../../messages/decision.ts";
import type { Verdict } from "../../messages/verdict.ts";

export interface FilterFlags {
  readonly decision: readonly string[];
  readonly finding: readonly string[];
  readonly chain: readonly string[];
  readonly address: readonly string[];
  readonly line: readonly string[];
}

/** Whether a verdict is shown. */
export type VerdictFilter = (verdict: Verdict) => boolean;

/**
 * Verdicts that fit each given flag. A flag with several values fits any of them. Without a flag, every verdict fits
 * that is not ALLOW.
 *
 * @throws {ConfigInvalidError} for a value that no verdict can have.
 */
export function verdictFilter(flags: FilterFlags): VerdictFilter {
  const filters = [
    ...each(flags.decision, decisionFilter),
    ...each(flags.finding, findingFilter),
    ...each(flags.chain, chainFilter),
    ...each(flags.address, addressFilter),
    ...each(flags.line, lineFilter),
  ];
  if (filters.length === 0) return ({ decision }) => decision !== "ALLOW";
  return (verdict) => filters.every((fits) => fits(verdict));
}

function each(values: readonly string[], filterOf: (values: readonly string[]) => VerdictFilter): VerdictFilter[] {
  return values.length === 0 ? [] : [filterOf(values)];
}

function decisionFilter(values: readonly string[]): VerdictFilter {
  const wanted = new Set<Decision>(values.map(decisionOf));
  return ({ decision }) => wanted.has(decision);
}

function decisionOf(text: string): Decision {
  const decision = decisions.find((known) => known === text.toUpperCase());
  if (decision === undefined) throw new ConfigInvalidError(`--decision ${text}: give one of ${decisions.join(", ")}`);
  return decision;
}

/** A finding by its name, with or without its check. */
function findingFilter(values: readonly string[]): VerdictFilter {
  const wanted = new Set(values.map((value) => value.replace(/:\s*/, ": ")));
  return ({ reasons }) =>
    reasons.some(({ check, finding }) => wanted.has(finding) || wanted.has(`${check}: ${finding}`));
}

function chainFilter(values: readonly string[]): VerdictFilter {
  const wanted = new Set(values.map(chainId));
  return ({ subject }) =>
    subject.type !== "unreadable" && wanted.has(findChain(subject.chain_id)?.id ?? subject.chain_id);
}

/** The id of a chain. An unknown one is kept: an event may have named it. */
function chainId(text: string): string {
  return findChain(text)?.id ?? text;
}

/** An address in any role: subject, token, the user's own, or imitated. */
function addressFilter(values: readonly string[]): VerdictFilter {
  const wanted = new Set(values.flatMap(spellings));
  return ({ subject, reasons }) => {
    if (reasons.some(({ resembles }) => resembles !== undefined && wanted.has(resembles))) return true;
    if (subject.type === "unreadable") return false;
    const { address, token_address, user_addresses = [] } = subject;
    return [address, token_address, ...user_addresses].some((own) => own !== undefined && wanted.has(own));
  };
}

/** The text itself, and its canonical form in each family that reads it. A verdict on a bad address keeps the text. */
function spellings(text: string): readonly string[] {
  const families = Object.keys(familyNames) as (keyof typeof familyNames)[];
  const canonical = families.map((family) => parseAddress(family, text));
  return [text, ...canonical.flatMap((parsed) => (parsed.ok ? [parsed.value] : []))];
}

function lineFilter(values: readonly string[]): VerdictFilter {
  const ranges = values.map(rangeOf);
  return ({ source }) => "line" in source && ranges.some(([from, to]) => source.line >= from && source.line <= to);
}

function rangeOf(text: string): readonly [from: number, to: number] {
  const [, from = "", to = from] = /^(\d{1,12})(?:-(\d{1,12}))?$/.exec(text) ?? [];
  if (from === "" || Number(to) < Number(from))
    throw new ConfigInvalidError(`--line ${text}: give a line such as 7, or lines such as 7-20`);
  return [Number(from), Number(to)];
}
