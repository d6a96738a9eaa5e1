import { shortName } from "../../api/requests/short-name.ts";
import { familyNames } from "../../chains/chain.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import { refusalCause } from "../../worker/rate-limit/gate/refusals/refusal-cause.ts";
import type { Quota } from "../../worker/rate-limit/sharing/quota.ts";
import { quotaText } from "../config/env/quota-field.ts";
import { listLine } from "../terminal/list-line.ts";
import { duration } from "../terminal/progress.ts";
import { unfinishedText } from "../terminal/unfinished-text.ts";
import { unreadLines } from "../terminal/unread-lines.ts";
import { isBelieved } from "../wiring/quota/quota-file.ts";
import { displayed } from "../wiring/quota/quota-report.ts";
import type { ScreenRunResult } from "./screen-run.ts";
import type { Tally } from "./tally.ts";

/** Chosen: with a correct quota, one request in a thousand is refused, and a handful when the machine stalls. */
const MANY = 10;
const MANY_SHARE = 0.02;
/** Columns of a figure. A longer name beside the figure takes some of them. */
const FIGURE_WIDTH = 9;

/** The table at the end of a run: counts, failures, the service, the policy, the files, and the next steps. */
export function summaryLines(
  {
    tally,
    service,
    policy,
    lists,
    learning,
    quota,
    verdictsFile,
    archived,
    unread,
    undetected,
    ignored,
    mapping,
    rejectsFile,
  }: ScreenRunResult,
  out: string,
): readonly string[] {
  const lines = [
    "",
    ...usersLines(tally),
    ...tally.decisions().map(([decision, count]) => row(decision, count)),
    row("events", tally.settled),
    row("requests", tally.requests),
    `${row("refusals for load", tally.loadRefusals)}${causesText(tally)}`,
    ...(tally.failed > 0 ? [row("failed", tally.failed)] : []),
    `${"time".padEnd(12)}${duration(tally.elapsedMs / 1000).padStart(10)}`,
  ];
  if (tally.resumed > 0) lines.push(`resumed: ${tally.resumed} of them were there before this run`);
  const stale = tally.heldOtherwise;
  if (stale > 0)
    lines.push(`other lists: ${stale} of them were held against another set of lists: screen into another --out`);
  if (tally.waiting !== undefined) lines.push(`waiting: ${unfinishedText(tally.waiting, "screened")}`);
  if (tally.repeated > 0) lines.push(`repeated: ${tally.repeated} more records repeat an event of the same id`);
  if (tally.conflicting > 0)
    lines.push(
      `conflicting: ${countText(tally.conflicting, "record")} with the id of another event before, which differs`,
    );
  for (const column of ignored) lines.push(`ignored: column ${shortName(column)}, as --ignore says`);
  if (tally.byFailure.size > 0) {
    lines.push(
      "",
      "checks without an answer:",
      ...[...tally.byFailure].map(([code, count]) => `${row(`  ${code}`, count, 26)}${example(tally, code)}`),
    );
  }
  const lost = unreadLines(unread);
  if (lost.length > 0) lines.push("", "addresses that were not read:", ...lost.map((line) => `  ${line}`));
  if (undetected.length > 0) lines.push("", undetectedText(undetected));
  lines.push("", `service   ${service}`, `policy    ${policy.file} (SHA-256 ${policy.sha256.slice(0, 12)})`);
  if (mapping !== undefined) lines.push(`mapping   ${mapping.name} (SHA-256 ${mapping.sha256.slice(0, 12)})`);
  lines.push(...lists.map(listLine));
  if (learning !== undefined) lines.push(`pace      ${paceText(learning)}`);
  if (quota !== undefined && isTooMuch(tally)) lines.push(`pace      ${lessText(quota, tally)}`);
  if (rejectsFile !== undefined) lines.push(`rejects   ${rejectsFile}`);
  lines.push(`verdicts  ${verdictsFile}`, `archive   ${out}/archive (${countText(archived.objects, "new object")})`);
  return lines;
}

/** Every '0' of a service without detection was believed. */
function undetectedText(families: ScreenRunResult["undetected"]): string {
  const of = families.map((family) => familyNames[family]).join(" and ");
  return `lookalikes: the service flagged none that were made to try it (${of}): imitations of exchanges and other known addresses pass; see \`weir doctor\``;
}

/** A line above the counts: an ALLOW of an event without users only means that it imitates no labelled address. */
function usersLines({ withoutUsers, addressEvents }: Tally): readonly string[] {
  if (withoutUsers === 0) return [];
  const known = "addresses that the user knows: compared with labels and lists only";
  return withoutUsers === addressEvents
    ? [`no event about an address names ${known}`]
    : [`${withoutUsers} of ${addressEvents} events about an address name no ${known}`];
}

/** The pace that the key tolerated, and the pace that the next run begins with. */
function paceText({ learned, file }: NonNullable<ScreenRunResult["learning"]>): string {
  if (learned === undefined) return `not settled yet: ${file} keeps nothing of this run`;
  const said = `${displayed(learned.perSecond)} requests a second, learned`;
  return isBelieved(learned.perSecond)
    ? `${said}; kept in ${file}`
    : `${said}; of so little the next run learns it anew`;
}

/** Whether a configured quota led to so many refusals for load that it is probably too high for the key. */
function isTooMuch({ requests, loadRefusals }: Tally): boolean {
  return loadRefusals >= MANY && loadRefusals >= MANY_SHARE * requests;
}

function lessText(quota: Quota, { requests, loadRefusals }: Tally): string {
  return `${loadRefusals} of ${requests} requests were refused for load, more than SERVICE_QUOTA=${quotaText(quota)} should draw: the key bears less, counts by another window, or is used by others; \`weir doctor --quota\` measures it, and without SERVICE_QUOTA it is learned`;
}

function row(name: string, count: number, width = 12): string {
  const label = name.padEnd(width);
  return `${label} ${String(count).padStart(width + FIGURE_WIDTH - label.length)}`;
}

/** The kinds of refusals for load, the most frequent first; empty without a refusal. */
function causesText({ refusedForLoad }: Tally): string {
  const byCause = new Map<string, number>();
  for (const [status, count] of refusedForLoad) {
    const cause = refusalCause(status);
    byCause.set(cause, (byCause.get(cause) ?? 0) + count);
  }
  const most = [...byCause].sort(([, a], [, b]) => b - a);
  return most.length === 0 ? "" : `  (${most.map(([cause, count]) => `${count} × ${cause}`).join(", ")})`;
}

/** Longest shown text of a service or an event. */
const MAX_SAID = 200;

function example({ firstSaid }: Tally, code: string): string {
  const said = singleLine(firstSaid.get(code) ?? "");
  return said === "" ? "" : `  first: ${said.length > MAX_SAID ? `${said.slice(0, MAX_SAID)} …` : said}`;
}

export const NO_EVENTS = "The input holds no events.";

/** The outcome of a run, and the next step. */
export function outcomeLine(tally: Tally): string {
  const status = tally.exitStatus();
  if (status === 2 && tally.rejected === 0 && tally.waiting !== undefined)
    return "The end of the file was not screened: it may still grow (exit status 2).";
  if (tally.settled + tally.repeated === 0) return NO_EVENTS;
  if (status === 0) return "Every event was read and every required check answered.";
  if (status === 2 && tally.rejected === 0)
    return "Some verdicts of earlier runs were held against other lists: screen into another --out (exit status 2).";
  if (status === 2) return "Some events could not be screened in full; their verdicts say why (exit status 2).";
  return `The service left some checks without an answer.${remedy(tally)} The same command asks those again (exit status 1).`;
}

function remedy({ byFailure }: Tally): string {
  if (byFailure.has("SERVICE_UNAVAILABLE")) return " See that it runs and is reached.";
  if (byFailure.has("SERVICE_RATE_LIMITED")) return " Lower SERVICE_CONCURRENCY.";
  return "";
}
