import { ownText } from "../../../../kernel/text.ts";
import type { ListEntry } from "../../../../labels/import/list-entry.ts";
import { LEAST_LENGTH, strayAddresses } from "../formats/stray-addresses.ts";
import { addressesIn, currencyOfType, type OfacWallet, ofacEntry, unsureEntry } from "./ofac-party.ts";
import type { XmlElements } from "./xml-reader.ts";

/** A party with addresses that waits for its entry on the list. */
interface OpenParty {
  uid: string;
  name: string;
  readonly wallets: OfacWallet[];
}

interface OpenEntry {
  readonly profile: string;
  readonly programs: string[];
  readonly dates: string[];
}

const PARTY = "DistinctParty";
const NO_PARTY = "address: text outside of every party looks like an address: list it by hand if it is one";
const PROGRAM = "Program";
/** The element with the day on which the document was published. */
const ISSUE = "DateOfIssue";
const ROOT = "Sanctions";

/**
 * OFAC's SDN_ADVANCED.XML. Parties come before the entries that hold their programs and days. So parties with addresses
 * are kept until their entry comes, and nothing else is kept.
 */
export class SdnAdvanced implements XmlElements {
  readonly #entries: ListEntry[] = [];
  readonly #currencyByFeature = new Map<string, string>();
  readonly #programTypes = new Set<string>();
  readonly #waiting = new Map<string, OpenParty>();
  readonly #path: string[] = [];
  #lastId = "";
  #party: OpenParty = newParty();
  #profile = "";
  #isPrimary = { identity: false, alias: false };
  #nameParts: string[] = [];
  /** The currency of the open feature. Undefined: the feature is no address. */
  #currency: string | undefined;
  #entry: OpenEntry = newEntry("");
  #measureType = "";
  #date: string[] = [];
  #publishedOn = "";

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name);
    this.#lastId = attributes["ID"] ?? "";
    const isPrimary = attributes["Primary"] === "true";
    if (name === PARTY) {
      this.#party = newParty();
      this.#party.uid = this.#profile = attributes["FixedRef"] ?? "";
    } else if (name === "Profile") this.#profile = attributes["ID"] ?? "";
    else if (name === "Identity") this.#isPrimary = { identity: isPrimary, alias: false };
    else if (name === "Alias") this.#isPrimary.alias = isPrimary;
    else if (name === "DocumentedName") this.#nameParts = [];
    else if (name === "Feature") this.#currency = this.#currencyByFeature.get(attributes["FeatureTypeID"] ?? "");
    else if (name === "SanctionsEntry") this.#entry = newEntry(attributes["ProfileID"] ?? "");
    else if (name === "SanctionsMeasure") this.#measureType = attributes["SanctionsTypeID"] ?? "";
    else if (name === "Date" || name === ISSUE) this.#date = [];
  }

  close(name: string, text: string, line: number): void {
    this.#path.pop();
    if (name === "FeatureType") this.#learnCurrency(text);
    else if (name === "SanctionsType" && text === PROGRAM) this.#programTypes.add(this.#lastId);
    else if (name === "NamePartValue" && text !== "") this.#nameParts.push(text);
    else if (name === "DocumentedName") this.#endName();
    else if (name === "VersionDetail") this.#endDetail(text, line);
    else if (name === "Feature") this.#currency = undefined;
    else if (name === PARTY) this.#endParty();
    else if (name === "SanctionsEntry") this.#endEntry();
    else this.#endWithinEntry(name, text);
    if (text.length >= LEAST_LENGTH && (name !== "VersionDetail" || this.#currency === undefined))
      this.#endOther(text, line);
  }

  /** The entries since the last call. */
  take(): readonly ListEntry[] {
    return this.#entries.splice(0);
  }

  /** The entries of parties without an entry on the list: they are published with the others. */
  rest(): readonly ListEntry[] {
    for (const profile of [...this.#waiting.keys()]) this.#settle(newEntry(profile));
    return this.take();
  }

  #learnCurrency(type: string): void {
    const currency = currencyOfType(type);
    if (currency !== undefined) this.#currencyByFeature.set(ownText(this.#lastId), ownText(currency));
  }

  #endName(): void {
    const { identity, alias } = this.#isPrimary;
    if (identity && alias && this.#party.name === "") this.#party.name = this.#nameParts.join(" ");
  }

  #endDetail(address: string, line: number): void {
    const currency = this.#currency;
    if (currency === undefined || address === "") return;
    for (const each of addressesIn(address)) this.#party.wallets.push({ line, currency, address: each });
  }

  /** Handles addresses in a feature of an unknown type, in remarks, and in any other text. */
  #endOther(text: string, line: number): void {
    const isOfParty = this.#path.includes(PARTY);
    for (const { address, isCertain } of strayAddresses(text)) {
      if (isCertain && isOfParty) this.#party.wallets.push({ line, currency: "", address });
      else this.#entries.push(isOfParty ? unsureEntry(line) : { line, unreadable: NO_PARTY });
    }
  }

  #endParty(): void {
    const { uid, name, wallets } = this.#party;
    if (wallets.length === 0) return;
    const own = wallets.map((wallet) => ({ ...wallet, address: ownText(wallet.address) }));
    this.#waiting.set(ownText(this.#profile), { uid: ownText(uid), name: ownText(name), wallets: own });
  }

  #endWithinEntry(name: string, text: string): void {
    const parent = this.#path.at(-1);
    if (name === "Comment" && parent === "SanctionsMeasure") {
      if (text !== "" && this.#programTypes.has(this.#measureType)) this.#entry.programs.push(text);
    } else if (parent === "Date" || parent === ISSUE) this.#date.push(text.padStart(2, "0"));
    else if (name === "Date" && parent === "EntryEvent") this.#entry.dates.push(this.#date.join("-"));
    else if (name === ISSUE && parent === ROOT) this.#publishedOn = this.#date.join("-");
  }

  #endEntry(): void {
    this.#settle(this.#entry);
  }

  #settle({ profile, programs, dates }: OpenEntry): void {
    const party = this.#waiting.get(profile);
    if (party === undefined) return;
    this.#waiting.delete(profile);
    const [listedOn] = dates.filter((date) => date !== "").sort();
    const { uid, name, wallets } = party;
    const told = {
      uid,
      name,
      programs,
      publishedOn: this.#publishedOn,
      ...(listedOn === undefined ? {} : { listedOn }),
    };
    for (const wallet of wallets) this.#entries.push(ofacEntry(wallet, told));
  }
}

function newParty(): OpenParty {
  return { uid: "", name: "", wallets: [] };
}

function newEntry(profile: string): OpenEntry {
  return { profile, programs: [], dates: [] };
}
