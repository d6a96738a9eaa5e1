import { isAddress } from "../../../../chains/unscreened-chains.ts";
import { fail, ok, type Result } from "../../../../kernel/result.ts";
import { isCurrency } from "../../../../labels/import/currency-names.ts";

/** The content of one line of a plain list. */
export interface AddressLine {
  readonly address: string;
  /** The text behind the address; empty for none. */
  readonly name: string;
  /** The chain or currency in front of the address. */
  readonly currency?: string;
  /** The explorer's page that the address was taken from. */
  readonly link?: string;
}

/** The first word of a line, and the text behind it. */
interface Cells {
  readonly cell: string;
  readonly behind: string;
}

const NO_ADDRESS_FIRST =
  "the line does not begin with an address, nor with the name of a chain: write the address first";
const addressColumn = /^(?:(?:wallet|crypto|blockchain|contract|public)[ _-]?)?(?:address(?:es)?|wallets?)$/i;
const firstCell = /^"?([^\s,;"]+)"?[\s,;]*(.*)$/;
/** The mark in front of the address in lists for readers: `- 0x...`, `1. 0x...`. */
const bullet = /^\s*(?:[-*+\u2022\u2023\u2013\u2014]|\d{1,6}[.)])\s+/;
const quoted = /^"(.*)"$/;
const comment = /(^|\s)#.*$/;
const webPage = /^(?:https?:\/\/|(?:[\w-]+\.)+[a-z]{2,}\/)/i;
const partsOfLinks = /[/?#&=]+/;
const separators = /[\s,;"'()<>|/?#&=]+/;
/** Shorter words are no addresses. */
const LEAST_LENGTH = 26;

/**
 * An address or its explorer's page, then its name. The name of a chain or currency may stand in front. A line with
 * several addresses is refused, since it does not tell which one is meant.
 */
export function addressLine(text: string): Result<AddressLine> {
  const line = cellsOf(text.replace(bullet, ""));
  const currency = line.cell.replace(/:$/, "");
  if (line.behind === "" || !isCurrency(currency)) return addressIn(line);
  const read = addressIn(cellsOf(line.behind));
  return read.ok ? ok({ ...read.value, currency }) : read;
}

/** Whether the line names the columns of a table of addresses, and holds no address. */
export function isHeader(text: string): boolean {
  const cells = text.split(/[,;\t]/).map((cell) => cell.replaceAll('"', "").trim());
  return (
    cells.some((cell) => addressColumn.test(cell)) && text.split(separators).every((word) => word.length < LEAST_LENGTH)
  );
}

function cellsOf(text: string): Cells {
  const [, cell = "", behind = ""] = firstCell.exec(text.trim()) ?? [];
  return { cell, behind };
}

function addressIn({ cell, behind }: Cells): Result<AddressLine> {
  const said = behind.replace(comment, "").trim();
  const name = (quoted.exec(said)?.[1] ?? said).replaceAll('""', '"').trim();
  const address = webPage.test(cell) ? addressOfPage(cell) : ok(cell);
  if (!address.ok) return address;
  const others = addressesIn(name.split(separators)).filter((other) => !isEqual(other, address.value));
  if (others.length === 1 && cell.length < LEAST_LENGTH) return fail(NO_ADDRESS_FIRST);
  if (others.length > 0) return fail("the line holds several addresses");
  return ok({ address: address.value, name, ...(address.value === cell ? {} : { link: cell }) });
}

function addressOfPage(link: string): Result<string> {
  const [address, ...others] = addressesIn(link.split(partsOfLinks));
  if (address === undefined) return fail("the link holds no address");
  return others.every((other) => isEqual(other, address)) ? ok(address) : fail("the link holds several addresses");
}

function addressesIn(words: readonly string[]): readonly string[] {
  return words.filter((word) => word.length >= LEAST_LENGTH && isAddress(word));
}

/** EVM addresses are equal in any letter case. */
function isEqual(one: string, other: string): boolean {
  return one === other || (/^0x/i.test(one) && one.toLowerCase() === other.toLowerCase());
}
