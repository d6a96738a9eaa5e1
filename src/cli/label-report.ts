import { toChecksumAddress } from "../chains/evm-address.ts";
import type { AddressLabel, Label } from "../labels/label.ts";
import type { LabelList } from "../labels/label-list.ts";
import { EVERY_EVM_CHAIN, NO_KIND } from "../labels/label-row.ts";

/** Refused rows that are told one by one; the rest is a count. */
const MAX_REFUSED_TOLD = 50;

/** A label file of what was read, in its order. */
export function labelFile({ labels }: LabelList): string {
  const lines = labels.map((label) =>
    [
      chainCell(label),
      shownSubject(label),
      label.name,
      label.kind,
      label.kind === "site" ? "" : (label.fullName ?? ""),
    ].map(cell),
  );
  return `${[["chain", "address", "name", "kind", "full_name"], ...lines].map((cells) => cells.join(",")).join("\n")}\n`;
}

/** How many rows were read, how many of them are used, and why the others are not. */
export function importReport({ name, labels, refused }: LabelList, rows: number): string {
  const twice = rows - labels.length - refused.length;
  const told = refused.slice(0, MAX_REFUSED_TOLD).map(({ line, detail }) => `  ${name}:${line}: ${detail}`);
  const untold = refused.length - told.length;
  const more = untold > 0 ? [`  and ${untold} more`] : [];
  const counts = `${rows} rows: ${labels.length} labels, ${twice} given twice, ${refused.length} refused`;
  const hint = refused.some(({ detail }) => detail === NO_KIND) ? ["  --kind says it of rows that name none"] : [];
  return `${[`${name}: ${counts}`, ...told, ...more, ...hint].join("\n")}\n`;
}

/** What an address is, or resembles, in one line. */
export function labelLine(relation: "is" | "is elsewhere" | "resembles", label: AddressLabel): string {
  const full = label.fullName === undefined ? "" : ` (${label.fullName})`;
  return `${relation} ${label.kind} ${label.name}${full} on ${label.chain.name}: ${shownSubject(label)}`;
}

function chainCell(label: Label): string {
  if (label.kind === "site") return "";
  return label.everywhere === true && label.chain.family === "evm" ? EVERY_EVM_CHAIN : label.chain.id;
}

function shownSubject(label: Label): string {
  if (label.kind === "site") return label.host;
  return label.chain.family === "evm" ? toChecksumAddress(label.address) : label.address;
}

/** A line break in a name would be two rows; a quote is doubled (RFC 4180). */
function cell(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, " ");
  return /[",#]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}
