import { toChecksumAddress } from "../../chains/evm/evm-address.ts";
import { singleLine } from "../../kernel/text.ts";
import type { ImportedLabel } from "../../labels/import/import-tally.ts";
import { EVERY_EVM_CHAIN } from "../../labels/import/label-row.ts";
import type { AddressLabel, Label } from "../../labels/label.ts";

/** The first line of a label file. */
export const labelHeader = "chain,address,name,kind,risk_level,full_name,program,note,date\n";

/**
 * The line of a label in a label file, with the date of its list. EVM addresses are in lower case: verifying a checksum
 * costs more than the rest of its row, and the import has verified it.
 */
export function labelRow({ label, date }: ImportedLabel): string {
  const { fullName = "", program = "", note = "" } = label.kind === "site" ? noMore : label;
  const risk = label.riskLevel === undefined ? "" : String(label.riskLevel);
  const cells = [chainCell(label), subjectOf(label), label.name, label.kind, risk, fullName, program, note, date];
  return `${cells.map(cell).join(",")}\n`;
}

const noMore: Pick<AddressLabel, "fullName" | "program" | "note"> = {};

/** One line with the label of an address, or the label that the address resembles. */
export function labelLine(relation: "is" | "is elsewhere" | "resembles", label: AddressLabel): string {
  const full = label.fullName === undefined ? "" : ` (${label.fullName})`;
  const program = label.program === undefined ? "" : `; program ${label.program}`;
  const note = label.note === undefined ? "" : `; note: ${label.note}`;
  const what = `${label.kind} ${label.name}${full} on ${label.chain.name}`;
  return singleLine(`${relation} ${what}: ${shownAddress(label)}${program}${note}`);
}

function chainCell(label: Label): string {
  if (label.kind === "site") return "";
  return label.everywhere === true && label.chain.family === "evm" ? EVERY_EVM_CHAIN : label.chain.id;
}

function subjectOf(label: Label): string {
  return label.kind === "site" ? label.host : label.address;
}

function shownAddress({ chain, address }: AddressLabel): string {
  return chain.family === "evm" ? toChecksumAddress(address) : address;
}

/** A line break in a name would make two rows; a quote is doubled (RFC 4180). */
function cell(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, " ");
  return /[",#]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}
