import type { CheckEntry } from "../../messages/verdict.ts";
import { printable } from "./printable.ts";

/** The content of an answer, and the time of its request. */
export function evidenceText(entry: CheckEntry): string {
  const { check, requested_at, attempts } = entry;
  const many = attempts > 1 ? ` (${attempts} requests)` : "";
  const when = requested_at === undefined ? "without a request" : `asked ${requested_at}${many}`;
  return `${check} ${when}: ${contentOf(entry)}`;
}

function contentOf({ check, data }: CheckEntry): string {
  if (check === "evm-security" || check === "tron-security") return transactionText(Object(data));
  const unknown = namesIn(Object(data).unknown);
  const fields = Object.entries(flatten(data))
    .filter(([name]) => !unknown.has(name))
    .map(([name, value]) => [name, printable(String(value))] as const);
  const shown = fields.filter(isWorthShowing[check] ?? isFlag).map(([name, value]) => `${name} ${value}`);
  return shown.length === 0 ? "nothing to show" : shown.join(", ");
}

/** Longest list of changes that is shown. */
const MOST_CHANGES = 4;

/** The service's statement about a transaction, and what its execution moved. */
function transactionText({ security, execution }: Readonly<Record<string, unknown>>): string {
  const { recommended_action, overall_risk_level, overall_score } = Object(security);
  const parts = [
    fieldText("recommended_action", recommended_action),
    fieldText("overall_risk_level", overall_risk_level),
    fieldText("overall_score", overall_score),
    ...executionParts(Object(execution)),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function executionParts({ ended, balance_changes, rights_given }: Readonly<Record<string, unknown>>): string[] {
  if (ended === undefined) return [];
  const changes = listOf(balance_changes).map(changeText);
  const rights = listOf(rights_given);
  const more = changes.length > MOST_CHANGES ? `, and ${changes.length - MOST_CHANGES} more` : "";
  const moved = changes.length === 0 ? "nothing" : `${changes.slice(0, MOST_CHANGES).join("; ")}${more}`;
  return [
    `execution ${printable(String(ended))}`,
    `moved ${moved}`,
    `rights given ${rights.length === 0 ? "none" : printable(JSON.stringify(rights))}`,
  ];
}

function changeText(change: unknown): string {
  const { address, delta_value, token_address } = Object(change);
  const what = token_address === undefined ? "in coins" : `of ${printable(String(token_address))}`;
  return `${printable(String(address))} ${printable(String(delta_value))} ${what}`;
}

function fieldText(name: string, value: unknown): string {
  return value === undefined || value === "" ? "" : `${name} ${printable(String(value))}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The last parts of dotted names: the fields with a default value for lack of evidence. */
function namesIn(unknown: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(unknown) ? unknown.map((name) => String(name).split(".").at(-1)) : []);
}

type Field = readonly [name: string, value: string];

const isFlag = ([name, value]: Field) => name !== "chain_id" && /^[01]$/.test(value);
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
const isWorthShowing: Partial<Record<CheckEntry["check"], (field: Field) => boolean>> = {
  "solana-simulation": ([name]) => name === "result_code",
  "token-security": (field) => (tokenNumbers.has(field[0]) && field[1] !== "") || (isFlag(field) && field[1] === "1"),
  "tron-integrity": ([name]) => name === "integrity",
  listed: ([name]) => name === "name" || name === "standing",
  payment: ([name]) => name === "mistake" || name === "to",
  classification: ([name, value]) => classNames.has(name) && value !== "",
};

function flatten(data: unknown): Record<string, unknown> {
  if (typeof data !== "object" || data === null) return {};
  return Object.assign(
    {},
    ...Object.entries(data).map(([name, value]) => (typeof value === "object" ? flatten(value) : { [name]: value })),
  );
}
