import type { ListEntry } from "../../../../labels/import/list-entry.ts";
import { csvRow } from "../../input/csv/csv-cells.ts";
import { type ListLine, listLines } from "../formats/list-lines.ts";
import type { ListSource, Unsaid } from "../formats/list-source.ts";
import { LEAST_LENGTH, strayAddresses } from "../formats/stray-addresses.ts";
import { ofacEntry, strayEntries } from "./ofac-party.ts";
import { remarkedAddresses } from "./remarked-addresses.ts";

/** The columns of SDN.CSV, which has no header. Source: OFAC's SDN data specification. */
const COLUMNS = 12;
const [UID, NAME, PROGRAM, REMARKS] = [0, 1, 3, 11] as const;
/** Characters. OFAC cuts remarks at 1,000. Quotes take a few of these. */
const MAYBE_CUT_FROM = 900;

const tag = /currency\s+address/i;
/** Matches rows that may name an address. Most rows do not match. */
const maybe = new RegExp(`${tag.source}|[A-Za-z0-9]{${LEAST_LENGTH}}`, "i");

/** OFAC's SDN.CSV: addresses are in the remarks. `comments` is SDN_COMMENTS.CSV, which continues long remarks. */
export async function* ofacCsv(list: ListSource, { comments }: Unsaid): AsyncGenerator<ListEntry> {
  const continued = comments === undefined ? new Map<string, string>() : await continuedRemarks(comments);
  let last: ListLine | undefined;
  for await (const line of listLines(list)) {
    const { number, text } = line;
    if (isEmpty(text)) continue;
    if (last === undefined) checkFirst(text);
    last = line;
    const uid = /^\s*"?(\d+)/.exec(text)?.[1] ?? "";
    const more = continued.get(uid) ?? "";
    if (maybe.test(text) || more !== "") yield* entriesOf(number, text, more);
  }
  if (last !== undefined) checkLast(last);
}

/** The last line of OFAC's files is the end-of-file character of DOS. */
function isEmpty(text: string): boolean {
  return text.trim() === "" || text === "\u001a";
}

function checkFirst(text: string): void {
  const cells = csvRow(text, ",");
  if (/^\s*"?\d+"?\s*,/.test(text) && (!cells.ok || cells.value.length === COLUMNS)) return;
  throw new Error(`its first line has not the ${COLUMNS} columns of SDN.CSV, of which the first is a number`);
}

/** @throws {Error} for a truncated last row: addresses behind it would be lost. */
function checkLast(line: ListLine): void {
  const why = lackOf(line);
  if (why !== undefined) throw new Error(cutOff(line, why));
}

/** The missing part of a row. OFAC leaves no cell empty. */
function lackOf({ text, isEnded }: ListLine): string | undefined {
  const cells = csvRow(text, ",", { relax_quotes: true });
  if (!cells.ok) return cells.detail;
  if (cells.value.length < COLUMNS) return fewCells(cells.value);
  return !isEnded && cells.value.at(-1) === "" ? "its last cell is empty" : undefined;
}

function fewCells(cells: readonly string[]): string {
  return `${cells.length} cells where SDN.CSV has ${COLUMNS}`;
}

function cutOff({ number }: ListLine, why: string): string {
  return `line ${number} is cut off (${why}): get the file again in full`;
}

/** Reads the file of continued remarks: number of the party, text. */
async function continuedRemarks(comments: ListSource): Promise<ReadonlyMap<string, string>> {
  const byUid = new Map<string, string>();
  for await (const line of listLines(comments)) {
    const { text } = line;
    if (isEmpty(text)) continue;
    const cells = csvRow(text, ",", { relax_quotes: true });
    if (!cells.ok) throw new Error(`the file of --comments: ${cutOff(line, cells.detail)}`);
    const [uid = "", remarks = ""] = cells.value;
    if (!/^\s*\d+\s*$/.test(uid)) throw new Error("the file of --comments is no SDN_COMMENTS.CSV: number, remarks");
    byUid.set(uid.trim(), (byUid.get(uid.trim()) ?? "") + remarks);
  }
  if (byUid.size === 0) throw new Error("the file of --comments is empty: expected SDN_COMMENTS.CSV of OFAC");
  return byUid;
}

function* entriesOf(line: number, text: string, more: string): Generator<ListEntry> {
  const cells = csvRow(text, ",", { trim: true, relax_quotes: true });
  if (!cells.ok || cells.value.length < COLUMNS) {
    const why = cells.ok ? fewCells(cells.value) : cells.detail;
    const isLost = tag.test(text + more) || strayAddresses(text + more).length > 0;
    if (isLost) yield { line, unreadable: `row: ${why}` };
    return;
  }
  const cell = (at: number) => withoutNull(cells.value[at] ?? "");
  const party = { uid: cell(UID), name: cell(NAME), programs: programsOf(cell(PROGRAM)) };
  const remarks = cell(REMARKS) + more;
  const { wallets, isLacking, rest } = remarkedAddresses(remarks);
  for (const wallet of wallets) yield ofacEntry({ line, ...wallet }, party);
  const others = cells.value.filter((_, at) => at !== UID && at !== REMARKS);
  const known = new Set(wallets.map(({ address }) => address));
  yield* strayEntries(line, [rest, ...others].join("\n"), party, known);
  if (isLacking) yield { line, unreadable: "row: remarks name an address without currency or text" };
  if (more === "" && remarks.length >= MAYBE_CUT_FROM && !/[.;]\s*$/.test(remarks) && tag.test(remarks)) {
    const remedy = "add --comments SDN_COMMENTS.CSV, or take SDN_ADVANCED.XML";
    yield { line, unreadable: `row: remarks are cut off and may have named more addresses: ${remedy}` };
  }
}

/** OFAC writes -0- for an empty cell. */
function withoutNull(cell: string): string {
  const text = cell.trim();
  return text === "-0-" ? "" : text;
}

/** One code, or several as `SDGT] [IFSR`. */
function programsOf(cell: string): readonly string[] {
  return cell
    .split(/\]\s*\[|;/)
    .map((program) => program.replaceAll(/[[\]]/g, "").trim())
    .filter((program) => program !== "");
}
