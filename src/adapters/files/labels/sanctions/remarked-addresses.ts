import { strayAddresses } from "../formats/stray-addresses.ts";
import { ADDRESS_TAG } from "./ofac-party.ts";

/** The addresses that the remarks of a party name. */
export interface RemarkedAddresses {
  /** The addresses behind a tag; `currency` is empty where the tag names none. */
  readonly wallets: readonly { readonly currency: string; readonly address: string }[];
  /** Whether a tag has no address behind it. */
  readonly isLacking: boolean;
  /** The remarks without the tags and their addresses. */
  readonly rest: string;
}

/** The text behind a tag, up to the next remark or tag, as `alt. Digital Currency Address - XBT 12Qt...;`. */
const tagged = new RegExp(`${ADDRESS_TAG}((?:(?!${ADDRESS_TAG})[^;])*)`, "gi");
const code = /^([A-Za-z0-9]{2,10})(?![A-Za-z0-9])/;
const word = /^[^A-Za-z0-9]*([A-Za-z0-9:_-]*[A-Za-z0-9])/;

/** The addresses that remarks name behind "Digital Currency Address", one or several behind each tag. */
export function remarkedAddresses(remarks: string): RemarkedAddresses {
  const wallets: RemarkedAddresses["wallets"][number][] = [];
  let isLacking = false;
  const rest = remarks.replaceAll(tagged, (_all, said: string) => {
    const currency = code.exec(said)?.[1] ?? "";
    const addresses = addressesBehind(said.slice(currency.length));
    for (const address of addresses) wallets.push({ currency: currency.toUpperCase(), address });
    isLacking ||= addresses.length === 0;
    return " ";
  });
  return { wallets, isLacking, rest };
}

/** The first word in any form, since the tag marks it as an address, and further words that look like addresses. */
function addressesBehind(text: string): readonly string[] {
  const first = word.exec(text);
  if (first === null) return [];
  const [all, address = ""] = first;
  const further = strayAddresses(text.slice(all.length)).map((each) => each.address);
  const isText = address.length < 20 && further.length > 0;
  return isText ? further : [address, ...further.filter((each) => each !== address)];
}
