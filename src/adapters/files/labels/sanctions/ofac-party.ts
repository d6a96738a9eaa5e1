import { type ListEntry, listEntry } from "../../../../labels/import/list-entry.ts";
import { rowDay } from "../../../../labels/import/row-day.ts";
import { strayAddresses } from "../formats/stray-addresses.ts";

/** An address of a party, as OFAC publishes it. */
export interface OfacWallet {
  readonly line: number;
  readonly currency: string;
  readonly address: string;
}

/** A person or an organisation on a list of OFAC. */
export interface OfacParty {
  /** The number of the party, which all files of OFAC share. */
  readonly uid: string;
  readonly name: string;
  readonly programs: readonly string[];
  /** The first day of the listing, as 2018-11-28; undefined where the file does not have it. */
  readonly listedOn?: string;
  /** The day on which the file was published. A text that is no day is ignored. */
  readonly publishedOn?: string;
}

/** OFAC's name for an address, in front of the currency's code, with the typing errors of copies. */
export const ADDRESS_TAG = String.raw`(?:digital|virtual)\s+currency\s+address(?:es)?[\s:\-\u2010-\u2015]*`;
const addressType = new RegExp(`^\\s*${ADDRESS_TAG}(.*)$`, "i");

/** The code of the currency; empty where the type names none; undefined for a type that is no address. */
export function currencyOfType(type: string): string | undefined {
  return addressType.exec(type)?.[1]?.trim();
}

/** The addresses in the value of an address type: nearly always the value itself. */
export function addressesIn(value: string): readonly string[] {
  const found = /[\s,;]/.test(value) ? strayAddresses(value) : [];
  return found.length === 0 ? [value] : found.map(({ address }) => address);
}

/**
 * Addresses in other text of a party. An address becomes an entry where its form tells the chain, and a refusal
 * otherwise. Addresses in `known` are left out.
 */
export function strayEntries(
  line: number,
  text: string,
  party: OfacParty,
  known: ReadonlySet<string>,
): readonly ListEntry[] {
  const strays = strayAddresses(text).filter(({ address }) => !known.has(address));
  return strays.map(({ address, isCertain }) =>
    isCertain ? ofacEntry({ line, currency: "", address }, party) : unsureEntry(line),
  );
}

/** The refusal of a text that may be an address, in a position without a currency. */
export function unsureEntry(line: number): ListEntry {
  return {
    line,
    unreadable: "address: text looks like an address, and tells no currency: list it by hand if it is one",
  };
}

/** The entry of one address of a party. Every address on a list of OFAC is sanctioned. */
export function ofacEntry({ line, currency, address }: OfacWallet, party: OfacParty): ListEntry {
  const { uid, programs, listedOn, publishedOn } = party;
  const name = party.name === "" ? `OFAC entry ${uid}` : party.name;
  const remarks = [`OFAC uid ${uid}`, currency, listedOn === undefined ? "" : `listed ${listedOn}`];
  const day = rowDay(publishedOn);
  const date = day.ok ? day.value : "";
  return listEntry(line, address, { currency }, { name, kind: "sanctioned", programs, remarks, date });
}
