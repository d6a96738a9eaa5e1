import { type FileRecord, readRecords } from "../../adapters/files/input/records.ts";
import { readAddressOn } from "../../chains/address-advice.ts";
import { findChain } from "../../chains/registry.ts";
import { unknownChainText } from "../../chains/written-chain.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import { UnreadAddresses } from "../../messages/unread/unread-addresses.ts";
import { type FileFlags, inputOptions } from "../terminal/input-options.ts";
import { unreadLines } from "../terminal/unread-lines.ts";

/** Rows that are shown. */
const SHOWN_ROWS = 10;
/** Longest text of a row, characters. */
const MAX_TEXT = 600;

/**
 * `weir map check FILE`: the first rows before and after the mapping, and the number of rows that cannot be screened.
 *
 * @returns the exit status: 2 when a row cannot be screened. @throws {ConfigInvalidError | InputUnreadableError}
 */
export async function checkMapping(file: string, flags: FileFlags): Promise<0 | 2> {
  const notices: string[] = [];
  const input = await inputOptions(file, { ...flags, finished: true }, (line) => notices.push(line));
  const unread = new UnreadAddresses();
  let rows = 0;
  let faults = 0;
  const records = readRecords({
    ...input,
    onUnread: unread.add.bind(unread),
    onIgnored: (columns) => print(`left out  ${columns.join(", ")}`),
  });
  if (input.mapping !== undefined)
    print(`mapping   ${input.mapping.name} (SHA-256 ${input.mapping.sha256.slice(0, 12)})`);
  for await (const record of records) {
    rows++;
    if (faultOf(record) !== undefined) faults++;
    if (rows <= SHOWN_ROWS) showRow(record);
  }
  for (const line of notices) if (!line.includes("leaves out on purpose")) print(line);
  for (const line of unreadLines(unread)) print(line);
  print(`${countText(rows, "row")}: ${rows - faults} can be screened, ${faults} cannot`);
  return faults === 0 ? 0 : 2;
}

/** Why a row cannot be screened: it gives no event, or its chain or its address is none. */
function faultOf({ event }: FileRecord): string | undefined {
  if (!event.ok) return `no event: ${event.detail}`;
  const { value } = event;
  const chain = findChain(value.chain_id);
  if (chain === undefined) return `no screened chain: ${unknownChainText(value.chain_id)}`;
  if (value.type !== "address") return undefined;
  const address = readAddressOn(chain, value.address);
  return address.ok ? undefined : `no address of ${chain.name}: ${address.detail}`;
}

function showRow(record: FileRecord): void {
  const { source, bytes, event } = record;
  const fault = faultOf(record);
  print(`line ${source.line}`);
  print(`  before  ${clipped(singleLine(Buffer.from(bytes).toString("utf8")))}`);
  if (event.ok) print(`  after   ${clipped(JSON.stringify(event.value))}`);
  if (fault !== undefined) print(`  fault   ${singleLine(fault)}`);
}

function clipped(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
