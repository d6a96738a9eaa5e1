import type { ListEntry } from "../../../../labels/import/list-entry.ts";
import { strayAddresses } from "../formats/stray-addresses.ts";
import { addressesIn, currencyOfType, type OfacWallet, ofacEntry, unsureEntry } from "./ofac-party.ts";
import type { XmlElements } from "./xml-reader.ts";

/** OFAC's older SDN.XML: one `sdnEntry` a party, with addresses among its identity documents. */
export class SdnPlain implements XmlElements {
  readonly #entries: ListEntry[] = [];
  readonly #path: string[] = [];
  #uid = "";
  #names: string[] = [];
  #programs: string[] = [];
  #wallets: OfacWallet[] = [];
  #currency: string | undefined;
  #publishedOn = "";

  open(name: string): void {
    this.#path.push(name);
    if (name === "sdnEntry") {
      [this.#uid, this.#names, this.#programs, this.#wallets] = ["", [], [], []];
    } else if (name === "id") this.#currency = undefined;
  }

  close(name: string, text: string, line: number): void {
    this.#path.pop();
    const parent = this.#path.at(-1);
    if (parent === "sdnEntry") this.#endOfParty(name, text, line);
    else if (name === "Publish_Date") this.#publishedOn = dayOf(text);
    else if (name === "program") this.#programs.push(text);
    else if (name === "idType") this.#currency = currencyOfType(text);
    else if (name === "idNumber" && this.#currency !== undefined) {
      for (const address of addressesIn(text)) this.#wallets.push({ line, currency: this.#currency, address });
    } else if (name === "sdnEntry") this.#endEntry();
    else if (this.#path.includes("sdnEntry")) this.#endOther(text, line);
  }

  /** The entries since the last call. */
  take(): readonly ListEntry[] {
    return this.#entries.splice(0);
  }

  rest(): readonly ListEntry[] {
    return this.take();
  }

  #endOfParty(name: string, text: string, line: number): void {
    if (name === "uid") this.#uid = text;
    else if (name === "lastName") this.#names.unshift(text);
    else if (name === "firstName") this.#names.push(text);
    this.#endOther(text, line);
  }

  #endOther(text: string, line: number): void {
    for (const { address, isCertain } of strayAddresses(text)) {
      if (isCertain) this.#wallets.push({ line, currency: "", address });
      else this.#entries.push(unsureEntry(line));
    }
  }

  /** Names have the form of SDN.CSV: the last name first. */
  #endEntry(): void {
    const name = this.#names.join(", ");
    const party = { uid: this.#uid, name, programs: this.#programs, publishedOn: this.#publishedOn };
    for (const wallet of this.#wallets) this.#entries.push(ofacEntry(wallet, party));
  }
}

/** OFAC writes 11/20/2026 for 2026-11-20. Any other text is no day. */
function dayOf(text: string): string {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  return year === undefined ? "" : `${year}-${month}-${day}`;
}
