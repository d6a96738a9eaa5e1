import { shortName } from "../../api/requests/short-name.ts";
import { singleLine } from "../../kernel/text.ts";
import type { ImportTally, RefusalReason } from "../../labels/import/import-tally.ts";
import { NO_KIND } from "../../labels/import/label-row.ts";

const PUBLISHED_FOR = "published for one chain and taken for another, where the same key owns the address";

/** The report of an import, for standard error: first the counts, then the refused rows with the first lines. */
export function importReport(name: string, tally: ImportTally): string {
  const { rows, labels, givenTwice, refused, unscreened, reasons } = tally;
  const notScreened = unscreened === 0 ? "" : `, ${unscreened} on chains that are not screened`;
  const lines = [
    `${name}: ${rows} rows: ${labels} labels, ${givenTwice} given twice, ${refused} refused${notScreened}`,
    ...(labels === 0 ? [] : [`  labels: ${countsOf(tally.byKind)}; ${countsOf(tally.byChain)}`]),
    ...(unscreened === 0 ? [] : [`  not screened: ${countsOf(tally.byUnscreened)}`]),
    ...(tally.byPublishedFor.size === 0 ? [] : [`  ${PUBLISHED_FOR}: ${countsOf(tally.byPublishedFor)}`]),
    ...(tally.fromLinks === 0 ? [] : [`  taken from links to explorers: ${tally.fromLinks}`]),
    ...(tally.unread.length === 0 ? [] : [`  columns that are not read: ${tally.unread.map(shortName).join(", ")}`]),
    ...reasons.map(reasonLine),
  ];
  if (tally.refusedOtherwise > 0) lines.push(`  refused: ${tally.refusedOtherwise} for further reasons`);
  const lacksKind = reasons.some(({ detail }) => detail === NO_KIND || detail.startsWith("kind: none of"));
  if (lacksKind) lines.push("  --kind says it of rows that name none");
  return `${lines.map(singleLine).join("\n")}\n`;
}

function reasonLine({ detail, count, lines }: RefusalReason): string {
  const more = count > lines.length ? ", …" : "";
  return `  refused: ${count} × ${detail} (${count === 1 ? "line" : "lines"} ${lines.join(", ")}${more})`;
}

/** Counts as text, the largest first. */
function countsOf(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([what, count]) => `${count} ${what}`).join(", ");
}
