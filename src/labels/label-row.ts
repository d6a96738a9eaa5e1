import { parseAddress } from "../chains/address.ts";
import { findChain } from "../chains/registry.ts";
import { fail, ok, type Result } from "../kernel/result.ts";
import { type AddressKind, type Label, labelKinds, type RiskLevel, riskLevels } from "./label.ts";

/** The columns a label row is read from; all others (source, date, licence) are for people and ignored. */
export type LabelRow = Readonly<Record<string, unknown>>;

/** Columns without which no row can be a label. `risk_level`, `full_name`, `program` and `note` may be absent. */
export const requiredColumns = ["chain", "address", "name", "kind"] as const;

/** In the chain column: the label holds on every chain of the EVM family. Messages name it by Ethereum. */
export const EVERY_EVM_CHAIN = "evm";
const ETHEREUM = "1";

/** Where labels of a list hold that excuse: on the chain that their row names, or on all of its family. */
export type Reach = "chain" | "family";

export const NO_KIND = "kind: missing";

/** Names go into answers (`matched_token`). Guessed: the longest token name in public lists has about 60 characters. */
export const MAX_NAME_LENGTH = 200;
/** Characters. Chosen: a reason repeats the note, and stays readable. */
export const MAX_NOTE_LENGTH = 500;

/**
 * Reads one row of a label file. Text is trimmed; numbers are taken as their text; null is an empty cell, and nothing
 * else that JSON can hold is one. A failure's detail starts with the column at fault. Of a site the address column
 * holds the host name and the chain column nothing. Tokens are of one chain, whatever `reach` the list has.
 */
export function parseLabelRow(row: LabelRow, reach: Reach = "chain"): Result<Label> {
  const wrong = requiredColumns.find((column) => !isCell(row[column]));
  if (wrong !== undefined) return fail(`${wrong}: must be text or a number`);
  const kindText = textOf(row["kind"]).toLowerCase();
  const kind = labelKinds.find((known) => known === kindText);
  if (kindText === "") return fail(NO_KIND);
  if (kind === undefined) return fail(`kind: must be one of ${labelKinds.join(", ")}`);
  const name = textOf(row["name"]);
  if (name === "") return fail("name: missing");
  if (name.length > MAX_NAME_LENGTH) return fail(`name: longer than ${MAX_NAME_LENGTH} characters`);
  const fullName = optionalText(row, "full_name", MAX_NAME_LENGTH);
  if (!fullName.ok) return fullName;
  const program = optionalText(row, "program", MAX_NAME_LENGTH);
  if (!program.ok) return program;
  const note = optionalText(row, "note", MAX_NOTE_LENGTH);
  if (!note.ok) return note;
  const riskLevel = riskLevelOf(row["risk_level"]);
  if (!riskLevel.ok) return riskLevel;
  const common = { name, ...(riskLevel.value === undefined ? {} : { riskLevel: riskLevel.value }) };
  if (kind === "site") return siteLabel(row, common);
  return addressLabel(kind, row, reach, {
    ...common,
    ...(fullName.value === "" ? {} : { fullName: fullName.value }),
    ...(program.value === "" ? {} : { program: program.value }),
    ...(note.value === "" ? {} : { note: note.value }),
  });
}

function optionalText(row: LabelRow, column: "full_name" | "program" | "note", maxLength: number): Result<string> {
  if (!isCell(row[column])) return fail(`${column}: must be text or a number`);
  const text = textOf(row[column]);
  return text.length > maxLength ? fail(`${column}: longer than ${maxLength} characters`) : ok(text);
}

interface Common {
  readonly name: string;
  readonly fullName?: string;
  readonly program?: string;
  readonly note?: string;
  readonly riskLevel?: RiskLevel;
}

function addressLabel(kind: AddressKind, row: LabelRow, reach: Reach, common: Common): Result<Label> {
  const chainId = textOf(row["chain"]);
  if (chainId === "") return fail("chain: missing");
  const isOfAll = chainId.toLowerCase() === EVERY_EVM_CHAIN;
  if (isOfAll && kind === "token") return fail(`chain: a token is of one chain, not of all of ${EVERY_EVM_CHAIN}`);
  const chain = findChain(isOfAll ? ETHEREUM : chainId);
  if (chain === undefined) return fail(`chain: unknown chain ${chainId.slice(0, 40)}`);
  const address = parseAddress(chain.family, textOf(row["address"]));
  if (!address.ok) return fail(`address: ${address.detail}`);
  const label = { kind, chain, address: address.value, ...common };
  return ok(kind !== "token" && (isOfAll || reach === "family") ? { ...label, everywhere: true } : label);
}

function siteLabel(row: LabelRow, common: Common): Result<Label> {
  if (textOf(row["chain"]) !== "") return fail("chain: must be empty for a site");
  const host = textOf(row["address"]).toLowerCase();
  if (!isHost(host)) return fail("address: must be a host name such as app.example.org, without scheme, port or path");
  return ok({ kind: "site", host, ...common });
}

/** A DNS name of at least two labels, in ASCII (xn-- for others). Source: RFC 1123, section 2.1. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function isHost(text: string): boolean {
  return text.length <= 253 && hostPattern.test(text);
}

/** Exactly a level: what is nearly one may be anything, and a label without its level is taken for harmless. */
function riskLevelOf(value: unknown): Result<RiskLevel | undefined> {
  if (value === undefined || value === null || value === "") return ok(undefined);
  const level = riskLevels.find((known) => known === value || String(known) === value);
  return level === undefined ? fail("risk_level: must be an integer from 0 to 5, or empty") : ok(level);
}

function isCell(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string" || typeof value === "number";
}

/** A cell as trimmed text. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" ? String(value) : "";
}
