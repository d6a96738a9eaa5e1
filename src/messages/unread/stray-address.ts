import { shortName } from "../../api/requests/short-name.ts";
import { camelCase } from "../../api/requests/spelling.ts";
import type { Family } from "../../chains/chain.ts";
import { isRawNumber } from "../../kernel/json.ts";
import { addressIn, type TextAddress } from "./address-in-text.ts";
import { type NameSense, senseOf } from "./name-sense.ts";

/** A field that is not read and holds addresses of the event's own family. */
export interface StrayAddress {
  /** The path of the field: `memo`, `data.users`, `items[].payee`. */
  readonly path: string;
  /** Whether a name on the path refers to parties, directions or addresses. Then the event is refused. */
  readonly isTelling: boolean;
  /** Whether all addresses are 40 hex digits without 0x, the form of some hashes. Then no name refuses the event. */
  readonly mayBeHash: boolean;
  /** The field of an event that should hold the addresses. */
  readonly meant: NameSense["meant"];
}

/** Receives the unread addresses of an event, whether the event is refused or read without these addresses. */
export type OnStrays = (strays: readonly StrayAddress[]) => void;

const NONE: readonly StrayAddress[] = [];

/**
 * Compiles the search for addresses that would be lost: in fields outside `fields`, in any shape. They may be the
 * addresses that the user knows. Without them an ALLOW would be wrong. Each path is reported once.
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
  /** Found addresses by path, in the order of the event. */
  readonly found = new Map<string, StrayAddress>();
  readonly #family: Family;
  readonly #hasToken: boolean;

  constructor(family: Family, hasToken: boolean) {
    this.#family = family;
    this.#hasToken = hasToken;
  }

  /** Below a telling name, all members share that name. Its path is the one to rename. */
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
      // An address as a key is no name. Each would be a separate path.
      else this.look(isKeyed ? `${path}.*` : `${path}.${key}`, isKeyed ? sense : senseOf(key), member);
    }
  }

  /** A whole address tells more about a path than bare digits before it. */
  #keep(path: string, { isTelling, meant }: NameSense, found: TextAddress | undefined): void {
    const known = this.found.get(path);
    const mayBeHash = found === "bare";
    if (found === undefined || (known !== undefined && (mayBeHash || !known.mayBeHash))) return;
    const field = this.#hasToken ? meant : "users";
    this.found.set(path, { path, isTelling: isTelling && !mayBeHash, mayBeHash, meant: field });
  }
}

/** The description of 40 hex digits without 0x, in front of the advice. */
export const BARE_DIGITS = "40 hex digits without 0x, as addresses and hashes have";
export const IF_ADDRESSES = "if they are addresses, write 0x in front and";

const remedies = {
  users: "put addresses the user knows in user_addresses, or rename it to ref",
  token: "put the contract of the token in token_address, or rename it to ref",
} as const satisfies Record<NameSense["meant"], string>;

/** The reason for refusing an event with this field, and the remedy. */
export function strayText({ path, meant }: StrayAddress): string {
  return `${shortName(path)}: unknown field that holds an address; ${remedies[meant]}`;
}
