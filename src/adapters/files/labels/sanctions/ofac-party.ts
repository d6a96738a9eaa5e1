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
  /** The number that OFAC's files share. */
  readonly uid: string;
  readonly name: string;
  readonly programs: readonly string[];
  /** The day since when it is listed, as 2018-11-28; undefined where the file does not say. */
  readonly listedOn?: string;
  /** The day on which the file was published; what is no day is passed over. */
  readonly publishedOn?: string;
}

/** How OFAC names an address in front of the currency's code, with slips of copies. */
export const ADDRESS_TAG = String.raw`(?:digital|virtual)\s+currency\s+address(?:es)?[\s:\-\u2010-\u2015]*`;
const addressType = new RegExp(`^\\s*${ADDRESS_TAG}(.*)$`, "i");

/** The code of the currency, empty where the type names none; undefined for a type that is no address. */
export function currencyOfType(type: string): string | undefined {
  return addressType.exec(type)?.[1]?.trim();
}

/** The addresses in the value of a type that is an address: nearly always the value itself. */
export function addressesIn(value: string): readonly string[] {
  const found = /[\s,;]/.test(value) ? strayAddresses(value) : [];
  return found.length === 0 ? [value] : found.map(({ address }) => address);
}

/** Addresses in other text of a party: entries where the form tells the chain, refusals of others. Leaves out `known`. */
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

/** The refusal of what may be an address, and stands where no currency is told. */
export function unsureEntry(line: number): ListEntry {
  return {
    line,
    unreadable: "address: text looks like an address, and tells no currency: list it by hand if it is one",
  };
}

/** The entry of one address of a party. Whatever OFAC lists is sanctioned. */
export function ofacEntry({ line, currency, address }: OfacWallet, party: OfacParty): ListEntry {
  const { uid, programs, listedOn, publishedOn } = party;
  const name = party.name === "" ? `OFAC entry ${uid}` : party.name;
  const remarks = [`OFAC uid ${uid}`, currency, listedOn === undefined ? "" : `listed ${listedOn}`];
  const day = rowDay(publishedOn);
  const date = day.ok ? day.value : "";
  return listEntry(line, address, { currency }, { name, kind: "sanctioned", programs, remarks, date });
}
