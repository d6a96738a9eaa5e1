import type { ListEntry } from "../../../labels/list-entry.ts";
import { currencyOfType, type OfacWallet, ofacEntry } from "./ofac-party.ts";
import type { XmlListener } from "./xml-reader.ts";

/** OFAC's older SDN.XML: one `sdnEntry` a party, addresses among its identity documents. */
export class SdnPlain implements XmlListener {
  readonly #entries: ListEntry[] = [];
  readonly #path: string[] = [];
  #uid = "";
  #names: string[] = [];
  #programs: string[] = [];
  #wallets: OfacWallet[] = [];
  #currency: string | undefined;

  open(name: string): void {
    this.#path.push(name);
    if (name === "sdnEntry") {
      [this.#uid, this.#names, this.#programs, this.#wallets] = ["", [], [], []];
    } else if (name === "id") this.#currency = undefined;
  }

  close(name: string, text: string, line: number): void {
    this.#path.pop();
    const parent = this.#path.at(-1);
    if (parent === "sdnEntry") this.#endOfParty(name, text);
    else if (name === "program") this.#programs.push(text);
    else if (name === "idType") this.#currency = currencyOfType(text);
    else if (name === "idNumber" && this.#currency !== undefined) {
      this.#wallets.push({ line, currency: this.#currency, address: text });
    } else if (name === "sdnEntry") this.#endEntry();
  }

  /** The entries since the last call. */
  take(): readonly ListEntry[] {
    return this.#entries.splice(0);
  }

  rest(): readonly ListEntry[] {
    return this.take();
  }

  #endOfParty(name: string, text: string): void {
    if (name === "uid") this.#uid = text;
    else if (name === "lastName") this.#names.unshift(text);
    else if (name === "firstName") this.#names.push(text);
  }

  /** Names are those of SDN.CSV: the last name first. */
  #endEntry(): void {
    const party = { uid: this.#uid, name: this.#names.join(", "), programs: this.#programs };
    for (const wallet of this.#wallets) this.#entries.push(ofacEntry(wallet, party));
  }
}
