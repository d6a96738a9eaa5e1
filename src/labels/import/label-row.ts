import { readAddressOn } from "../../chains/address-advice.ts";
import { findChain } from "../../chains/registry.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { type AddressKind, type AddressLabel, type Label, labelKinds, type RiskLevel, riskLevels } from "../label.ts";

/** The columns that a list is read from. All other columns (source, licence) are for people and are ignored. */
export const labelColumns = [
  "chain",
  "address",
  "name",
  "kind",
  "full_name",
  "program",
  "note",
  "risk_level",
  "date",
] as const;

/** Cells by column. A JSON file may hold anything in a cell, and further cells. */
export type LabelRow = Readonly<Partial<Record<(typeof labelColumns)[number], unknown>>> &
  Readonly<Record<string, unknown>>;

/** Columns that every label needs. */
export const requiredColumns = ["chain", "address", "name", "kind"] as const;

/** In the chain column: the label holds on every chain of the EVM family. Messages call it Ethereum. */
export const EVERY_EVM_CHAIN = "evm";
const ETHEREUM = "1";

/**
 * Where a labelled address counts as original, not as an imitation: on the chain of its row, or on all chains of its
 * family. It excuses on its own chain only.
 */
export type LabelReach = "chain" | "family";

export const NO_KIND = "kind: missing";

/** Names go into answers (`matched_token`). Guessed: the longest token name in public lists has about 60 characters. */
export const MAX_NAME_LENGTH = 200;
/** Characters. Chosen: a reason repeats the note and stays readable. */
export const MAX_NOTE_LENGTH = 500;

/**
 * Reads one row of a label file. Text is trimmed, numbers become their text, and null is an empty cell. Any other JSON
 * value is refused. The detail of a failure starts with the column at fault.
 * For a site, the address column holds the host name and the chain column is empty. Tokens belong to one chain,
 * whatever `reach` the list has.
 */
export function parseLabelRow(row: LabelRow, reach: LabelReach = "chain"): Result<Label> {
  const wrong = requiredColumns.find((column) => !isCell(row[column]));
  if (wrong !== undefined) return fail(`${wrong}: must be text or a number`);
  const kindText = textOf(row.kind).toLowerCase();
  if (kindText === "") return fail(NO_KIND);
  const kind = kindByName.get(kindText);
  if (kind === undefined) return fail(`kind: must be one of ${labelKinds.join(", ")}`);
  const fault = textFault(row);
  if (fault !== undefined) return fail(fault);
  const level = row.risk_level ?? "";
  const riskLevel = levelByCell.get(level);
  if (level !== "" && riskLevel === undefined) return fail("risk_level: must be an integer from 0 to 5, or empty");
  return kind === "site" ? siteLabel(row, riskLevel) : addressLabel(kind, row, reach, riskLevel);
}

const kindByName: ReadonlyMap<string, Label["kind"]> = new Map(labelKinds.map((kind) => [kind, kind]));
/** Only exact levels count. A near miss may mean anything, and a label without its level would count as harmless. */
const levelByCell: ReadonlyMap<unknown, RiskLevel> = new Map(
  riskLevels.flatMap((level): [unknown, RiskLevel][] => [
    [level, level],
    [String(level), level],
  ]),
);

/** The fault in the texts of a row. Undefined when there is none. */
function textFault(row: LabelRow): string | undefined {
  const name = textOf(row.name);
  if (name === "") return "name: missing";
  if (name.length > MAX_NAME_LENGTH) return `name: longer than ${MAX_NAME_LENGTH} characters`;
  return (
    optionalFault("full_name", row.full_name, MAX_NAME_LENGTH) ??
    optionalFault("program", row.program, MAX_NAME_LENGTH) ??
    optionalFault("note", row.note, MAX_NOTE_LENGTH)
  );
}

function optionalFault(column: string, cell: unknown, maxLength: number): string | undefined {
  if (!isCell(cell)) return `${column}: must be text or a number`;
  return textOf(cell).length > maxLength ? `${column}: longer than ${maxLength} characters` : undefined;
}

function addressLabel(
  kind: AddressKind,
  row: LabelRow,
  reach: LabelReach,
  riskLevel: RiskLevel | undefined,
): Result<Label> {
  const chainId = textOf(row.chain);
  if (chainId === "") return fail("chain: missing");
  const isOfAll = chainId.toLowerCase() === EVERY_EVM_CHAIN;
  if (isOfAll && kind === "token") return fail(`chain: a token is of one chain, not of all of ${EVERY_EVM_CHAIN}`);
  const chain = findChain(isOfAll ? ETHEREUM : chainId);
  if (chain === undefined) return fail(`chain: unknown chain ${chainId.slice(0, 40)}`);
  const address = readAddressOn(chain, textOf(row.address));
  if (!address.ok) return fail(`address: ${address.detail}`);
  const label: Writable<AddressLabel> = { kind, chain, address: address.value, name: textOf(row.name) };
  if (riskLevel !== undefined) label.riskLevel = riskLevel;
  if (isOfAll) label.everywhere = true;
  else if (kind !== "token" && reach === "family") label.originalInFamily = true;
  const fullName = textOf(row.full_name);
  if (fullName !== "") label.fullName = fullName;
  const program = textOf(row.program);
  if (program !== "") label.program = program;
  const note = textOf(row.note);
  if (note !== "") label.note = note;
  return ok(label);
}

/** Optional members are set one by one and not spread, because a list may have a million rows. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };

function siteLabel(row: LabelRow, riskLevel: RiskLevel | undefined): Result<Label> {
  if (textOf(row.chain) !== "") return fail("chain: must be empty for a site");
  const host = textOf(row.address).toLowerCase();
  if (!isHost(host)) return fail("address: must be a host name such as app.example.org, without scheme, port or path");
  const name = textOf(row.name);
  return ok({ kind: "site", host, name, ...(riskLevel === undefined ? {} : { riskLevel }) });
}

/** A DNS name of at least two labels, in ASCII (xn-- for other scripts). Source: RFC 1123, section 2.1. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function isHost(text: string): boolean {
  return text.length <= 253 && hostPattern.test(text);
}

function isCell(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string" || typeof value === "number";
}

/** A cell as trimmed text. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" ? String(value) : "";
}
