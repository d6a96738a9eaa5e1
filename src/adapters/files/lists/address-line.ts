import { chainByForm } from "../../../chains/chain-by-form.ts";
import { unscreenedByForm } from "../../../chains/unscreened-form.ts";
import { fail, ok, type Result } from "../../../kernel/result.ts";

/** What one line of a plain list says. */
export interface AddressLine {
  readonly address: string;
  /** The text behind the address; empty for none. */
  readonly name: string;
  /** The explorer's page that the address was taken from. */
  readonly link?: string;
}

const firstCell = /^"?([^\s,;"]+)"?[\s,;]*(.*)$/;
/** In front of the address in lists that were written for readers: `- 0x...`, `1. 0x...`. */
const bullet = /^\s*(?:[-*+\u2022\u2023\u2013\u2014]|\d{1,6}[.)])\s+/;
const quoted = /^"(.*)"$/;
const comment = /(^|\s)#.*$/;
const webPage = /^(?:https?:\/\/|(?:[\w-]+\.)+[a-z]{2,}\/)/i;
const partsOfLinks = /[/?#&=]+/;
const separators = /[\s,;"'()<>|/?#&=]+/;
/** Shorter words are no addresses. */
const LEAST_LENGTH = 26;

/**
 * An address, or the explorer's page of one, and its name behind it. Which of several addresses is meant, no line says:
 * one that holds several is refused.
 */
export function addressLine(text: string): Result<AddressLine> {
  const [, cell = "", behind = ""] = firstCell.exec(text.replace(bullet, "").trim()) ?? [];
  const said = behind.replace(comment, "").trim();
  const name = (quoted.exec(said)?.[1] ?? said).replaceAll('""', '"').trim();
  const address = webPage.test(cell) ? addressOfPage(cell) : ok(cell);
  if (!address.ok) return address;
  if (addressesIn(name.split(separators)).some((other) => !isEqual(other, address.value)))
    return fail("the line holds several addresses");
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

/** Whether the text has the form of an address, be its chain screened or not. */
export function isAddress(text: string): boolean {
  return chainByForm(text).ok || unscreenedByForm(text) !== undefined;
}

/** EVM addresses are the same in any case. */
function isEqual(one: string, other: string): boolean {
  return one === other || (/^0x/i.test(one) && one.toLowerCase() === other.toLowerCase());
}
