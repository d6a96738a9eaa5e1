import { type ListEntry, listEntry } from "../../../labels/list-entry.ts";
import { rowDay } from "../../../labels/row-day.ts";

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

/** How OFAC names a type of identity document or feature that is an address, in front of the currency's code. */
const TYPE_PREFIX = "Digital Currency Address - ";

/** The code of the currency; undefined for another type. */
export function currencyOfType(type: string): string | undefined {
  return type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length).trim() : undefined;
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
