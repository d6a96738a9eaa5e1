import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain, Family } from "../chains/chain.ts";
import { atOnce, ITEMS_A_STEP, type Steps } from "../kernel/async.ts";
import { sha256 } from "../kernel/hash.ts";
import { canonicalJson } from "../kernel/json.ts";
import type { RefusedRow } from "./import/refused-row.ts";
import { type LabelTable, subjectKey } from "./index/label-table.ts";
import { LeadingBytes } from "./index/leading-bytes.ts";
import { type AddressLabel, accuses, DOUBTFUL_RISK, HIGH_RISK, isAccusing, riskBy } from "./label.ts";
import type { LabelList } from "./label-list.ts";

/** Facts about a file of listed addresses beside its rows. */
export interface ListInfo {
  /** Name of the file, without its folder. */
  readonly name: string;
  /** SHA-256 of the file's bytes. */
  readonly sha256: string;
  /**
   * Day of the newest row, from the column `date`, as YYYY-MM-DD. Without that column, the day of the file's last
   * change.
   */
  readonly date: string;
  /** RFC 3339. */
  readonly loadedAt: string;
}

/** A list that the worker compares events with. */
export interface ListInUse extends ListInfo {
  readonly entries: number;
  /** Rows that are no entries, in the order of the file. */
  readonly refused: readonly RefusedRow[];
  /** Columns of the file that are not read. */
  readonly unread: readonly string[];
}

/** The contents of one file. */
export interface AddressList extends LabelList {
  /** Absent for a bundled file, which the version of Weir identifies. */
  readonly info: ListInfo | undefined;
}

/** An entry of an address in one list. */
export interface ListedAddress {
  readonly standing: ListStanding;
  readonly label: AddressLabel;
  /** Absent for a bundled file. */
  readonly list: ListInfo | undefined;
}

/** The statement of a list about an address. `blocked` covers malicious addresses and addresses of risk 4 and 5. */
export const standings = ["sanctioned", "blocked", "allowed"] as const;
export type ListStanding = (typeof standings)[number];

/** The most reported entries of one address, accusations first. */
const MOST_TOLD = 16;
const ID_DIGITS = 16;

/**
 * All lists and labels that the worker compares events with. Immutable.
 * An accusation holds on all chains of its family, where one key owns the address. The risk of a token holds on the
 * token's own chain. A token or service is known, and an address is allowed, on the chain that its row names.
 */
export class AddressBook {
  /** The id of the set of lists in verdicts: equal files give an equal id. Undefined when no list is loaded. */
  readonly id: string | undefined;
  readonly lists: readonly ListInUse[];
  readonly #lists: readonly AddressList[];
  /** Ordinal of the first entry of each list. */
  readonly #firsts: readonly number[];
  /**
   * A hash table of pairs: an ordinal + 1, or 0 for none, and its key. The two are adjacent, so that a look-up without
   * a result waits for memory only once. Open addressing, at most half full.
   */
  readonly #places: Uint32Array;
  /** By ordinal: the ordinal + 1 of the previous entry with the same key. 0 when there is none. */
  readonly #before: Uint32Array;
  /** The leading bytes of accused addresses. */
  readonly #accused: LeadingBytes;

  private constructor(
    lists: readonly AddressList[],
    firsts: readonly number[],
    places: Uint32Array,
    before: Uint32Array,
    accused: LeadingBytes,
  ) {
    this.#lists = lists;
    this.#firsts = firsts;
    this.#places = places;
    this.#before = before;
    this.#accused = accused;
    this.lists = lists.flatMap(({ info, labels, refused, unread }) =>
      info === undefined ? [] : [{ ...info, entries: labels.length, refused, unread }],
    );
    this.id = this.lists.length === 0 ? undefined : listSetId(this.lists);
  }

  /** Builds the book in short steps. */
  static *steps(lists: readonly AddressList[]): Steps<AddressBook> {
    const firsts: number[] = [];
    let length = 0;
    for (const { labels } of lists) {
      firsts.push(length);
      length += labels.length;
    }
    const places = new Uint32Array(2 * 2 ** Math.ceil(Math.log2(2 * length + 1)));
    const before = new Uint32Array(length);
    const accused = new LeadingBytes();
    const mask = places.length - 1;
    for (const [i, { labels }] of lists.entries()) {
      for (let at = 0; at < labels.length; at++) {
        const key = labels.keyAt(at);
        let place = (2 * key) & mask;
        while ((places[place] ?? 0) > 0 && places[place + 1] !== key) place = (place + 2) & mask;
        const ordinal = (firsts[i] ?? 0) + at;
        // A list may repeat one address any number of times.
        before[ordinal] = places[place] ?? 0;
        places[place] = ordinal + 1;
        places[place + 1] = key;
        const family = accusedFamily(labels, at);
        if (family !== undefined) accused.add(family, labels.subjectAt(at));
        if (at > 0 && at % ITEMS_A_STEP === 0) yield;
      }
    }
    return new AddressBook(lists, firsts, places, before, accused);
  }

  /** The entries for or against the address itself, accusations first. Nearly every address has none. */
  listed(chain: Chain, address: CanonicalAddress): readonly ListedAddress[] {
    const entries = this.#entriesOf(chain.family, address);
    if (entries.length === 0) return NONE;
    const found = entries.flatMap(({ label, list }): ListedAddress[] => {
      const standing = standingOn(chain, label);
      return standing === undefined ? [] : [{ standing, label, list }];
    });
    return found.sort((a, b) => order[a.standing] - order[b.standing]).slice(0, MOST_TOLD);
  }

  /**
   * The accused addresses in calldata, padded or not, at any byte, with the number of their occurrences. Addresses with
   * many zero bytes are left out.
   */
  accusedWithin(chain: Chain, bytes: Uint8Array): ReadonlyMap<CanonicalAddress, number> {
    const candidates = this.#accused.candidatesIn(chain.family, bytes);
    if (candidates.length === 0) return NO_TIMES;
    const found = new Map<CanonicalAddress, number>();
    for (const address of candidates) {
      const isAccused = this.#entriesOf(chain.family, address).some(({ label }) => accusesOn(chain, label));
      if (isAccused) found.set(address, (found.get(address) ?? 0) + 1);
    }
    return found;
  }

  /** Whether the address is labelled as a token of this chain and no list doubts it. */
  isToken(chain: Chain, address: CanonicalAddress): boolean {
    return this.#isOfKind(chain, address, tokens);
  }

  /** Whether the address is allowed, or labelled as a token or service of this chain, and no list doubts it. */
  isKnown(chain: Chain, address: CanonicalAddress): boolean {
    return this.#isOfKind(chain, address, known);
  }

  /** Whether the address is a contract that serves its callers. A wallet of an exchange is none. */
  isService(chain: Chain, address: CanonicalAddress): boolean {
    return this.#isOfKind(chain, address, services);
  }

  /** Whether an operator's list allows the address and no list doubts it. */
  isAllowed(chain: Chain, address: CanonicalAddress): boolean {
    return this.#isOfKind(chain, address, allowed);
  }

  #isOfKind(chain: Chain, address: CanonicalAddress, kinds: ReadonlySet<AddressLabel["kind"]>): boolean {
    const entries = this.#entriesOf(chain.family, address);
    if (entries.some(({ label }) => isDoubtedOn(chain, label))) return false;
    return entries.some(({ label }) => kinds.has(label.kind) && holdsOn(chain, label));
  }

  #entriesOf(family: Family, address: CanonicalAddress): readonly Entry[] {
    const mask = this.#places.length - 1;
    const key = subjectKey(address);
    let place = (2 * key) & mask;
    while ((this.#places[place] ?? 0) > 0 && this.#places[place + 1] !== key) place = (place + 2) & mask;
    let found: Entry[] | undefined;
    for (let taken = this.#places[place] ?? 0; taken > 0; taken = this.#before[taken - 1] ?? 0) {
      const { list, at } = this.#locate(taken - 1);
      const { labels, info } = list;
      if (labels.chainAt(at)?.family !== family || labels.subjectAt(at) !== address) continue;
      const label = labels.at(at);
      if (label === undefined || label.kind === "site") continue;
      found ??= [];
      found.push({ label, list: info });
    }
    return found?.reverse() ?? NONE;
  }

  #locate(ordinal: number): { readonly list: AddressList; readonly at: number } {
    let number = this.#firsts.length - 1;
    while ((this.#firsts[number] ?? 0) > ordinal) number--;
    const list = this.#lists[number];
    if (list === undefined) throw new Error(`no list has entry ${ordinal}`);
    return { list, at: ordinal - (this.#firsts[number] ?? 0) };
  }
}

interface Entry {
  readonly label: AddressLabel;
  readonly list: ListInfo | undefined;
}

const NONE: readonly never[] = [];
const NO_TIMES: ReadonlyMap<CanonicalAddress, number> = new Map();
const order: Readonly<Record<ListStanding, number>> = { sanctioned: 0, blocked: 1, allowed: 2 };
const tokens: ReadonlySet<AddressLabel["kind"]> = new Set(["token"]);
const allowed: ReadonlySet<AddressLabel["kind"]> = new Set(["allowed"]);
const known: ReadonlySet<AddressLabel["kind"]> = new Set(["token", "protocol", "bridge", "exchange", "allowed"]);
const services: ReadonlySet<AddressLabel["kind"]> = new Set(["token", "protocol", "bridge", "allowed"]);

function standingOn(chain: Chain, label: AddressLabel): ListStanding | undefined {
  if (label.kind === "sanctioned") return "sanctioned";
  if (accusesOn(chain, label)) return "blocked";
  return label.kind === "allowed" && holdsOn(chain, label) ? "allowed" : undefined;
}

/** The family of an address that the row accuses. Undefined for other rows. */
function accusedFamily(labels: LabelTable, at: number): Family | undefined {
  const kind = labels.kindAt(at);
  if (kind === "site" || (!isAccusing(kind) && riskBy(kind, labels.riskAt(at)) < HIGH_RISK)) return undefined;
  return labels.chainAt(at)?.family;
}

function accusesOn(chain: Chain, label: AddressLabel): boolean {
  return accuses(label) && tellsRiskOn(chain, label);
}

function isDoubtedOn(chain: Chain, label: AddressLabel): boolean {
  const { kind, riskLevel } = label;
  return isAccusing(kind) || (riskBy(kind, riskLevel) >= DOUBTFUL_RISK && tellsRiskOn(chain, label));
}

/** On another chain, the address of a token may belong to another contract. */
function tellsRiskOn(chain: Chain, label: AddressLabel): boolean {
  return label.kind !== "token" || holdsOn(chain, label);
}

/** On another chain, the address may have another owner. A thief can deploy a Safe that is not deployed there yet. */
function holdsOn(chain: Chain, { chain: named, everywhere }: AddressLabel): boolean {
  return named.id === chain.id || everywhere === true;
}

/** The id depends on names and contents alone, not on the time of loading. */
export function listSetId(lists: readonly Pick<ListInfo, "name" | "sha256">[]): string {
  return sha256(canonicalJson(lists.map(({ name, sha256: hash }) => ({ name, sha256: hash })))).slice(0, ID_DIGITS);
}

/** A book without any entry. */
export const emptyBook: AddressBook = atOnce(AddressBook.steps([]));
