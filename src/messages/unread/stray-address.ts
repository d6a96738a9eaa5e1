import { shortName } from "../../api/requests/short-name.ts";
import { camelCase } from "../../api/requests/spelling.ts";
import type { Family } from "../../chains/chain.ts";
import { isRawNumber } from "../../kernel/json.ts";
import { addressIn, type TextAddress } from "./address-in-text.ts";
import { type NameSense, senseOf } from "./name-sense.ts";

/** A field that is not read and holds addresses of the event's own family. */
export interface StrayAddress {
  /** Where it stands: `memo`, `data.users`, `items[].payee`. */
  readonly path: string;
  /** Whether a name on that path speaks of people, directions or addresses: then the event is refused. */
  readonly isTelling: boolean;
  /** Whether all of them are 40 hex digits without 0x, as hashes have. Then no name refuses the event. */
  readonly mayBeHash: boolean;
  /** The field of ours that would hold them. */
  readonly meant: NameSense["meant"];
}

/** Told of an event's unread addresses: of one that is refused, and of one that is read without them. */
export type OnStrays = (strays: readonly StrayAddress[]) => void;

const NONE: readonly StrayAddress[] = [];

/**
 * Compiles the search for addresses that would be lost: in fields that are none of `fields`, in whatever shape. They may
 * be the addresses that the user knows, and without them an ALLOW would be wrong. Each path is given once.
 */
export function strayAddressesAmong(
  fields: readonly string[],
): (event: object, family: Family) => readonly StrayAddress[] {
  const accepted = new Set(fields.flatMap((field) => [field, camelCase(field)]));
  const hasToken = fields.includes("token_address");
  return (event, family) => {
    let search: StraySearch | undefined;
    for (const [name, value] of Object.entries(event)) {
      if (accepted.has(name) || value === null || (typeof value !== "string" && typeof value !== "object")) continue;
      search ??= new StraySearch(family, hasToken);
      search.look(name, senseOf(name), value);
    }
    return search === undefined || search.found.size === 0 ? NONE : [...search.found.values()];
  };
}

class StraySearch {
  /** By path, in the order of the event. */
  readonly found = new Map<string, StrayAddress>();
  readonly #family: Family;
  readonly #hasToken: boolean;

  constructor(family: Family, hasToken: boolean) {
    this.#family = family;
    this.#hasToken = hasToken;
  }

  /** Below a telling name everything is of that name: its path is the one to rename. */
  look(path: string, sense: NameSense, value: unknown): void {
    if (typeof value === "string") {
      this.#keep(path, sense, addressIn(value, this.#family));
      return;
    }
    if (typeof value !== "object" || value === null || isRawNumber(value)) return;
    if (Array.isArray(value)) {
      for (const item of value) {
        this.look(sense.isTelling || typeof item !== "object" ? path : `${path}[]`, sense, item);
      }
      return;
    }
    for (const [key, member] of Object.entries(value)) {
      const found = addressIn(key, this.#family);
      const isKeyed = found !== undefined;
      this.#keep(path, sense, found);
      if (sense.isTelling) this.look(path, sense, member);
      // An address as a key is no name: each would be a path of its own.
      else this.look(isKeyed ? `${path}.*` : `${path}.${key}`, isKeyed ? sense : senseOf(key), member);
    }
  }

  /** A whole address says more of a path than bare digits before it. */
  #keep(path: string, { isTelling, meant }: NameSense, found: TextAddress | undefined): void {
    const known = this.found.get(path);
    const mayBeHash = found === "bare";
    if (found === undefined || (known !== undefined && (mayBeHash || !known.mayBeHash))) return;
    const field = this.#hasToken ? meant : "users";
    this.found.set(path, { path, isTelling: isTelling && !mayBeHash, mayBeHash, meant: field });
  }
}

/** What is said of 40 hex digits without 0x, and in front of what to do with them. */
export const BARE_DIGITS = "40 hex digits without 0x, as addresses and hashes have";
export const IF_ADDRESSES = "if they are addresses, write 0x in front and";

const remedies = {
  users: "put addresses the user knows in user_addresses, or rename it to ref",
  token: "put the contract of the token in token_address, or rename it to ref",
} as const satisfies Record<NameSense["meant"], string>;

/** Why an event with this field is refused, and what to do. */
export function strayText({ path, meant }: StrayAddress): string {
  return `${shortName(path)}: unknown field that holds an address; ${remedies[meant]}`;
}
