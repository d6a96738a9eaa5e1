import { findChain } from "../chains/registry.ts";
import type { AddressEvent } from "./event.ts";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, END_BRACE, BRACKET, END_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [SPACE, TILDE, TAB, LF] = [0x20, 0x7e, 0x09, 0x0a];

/** Fields that hold a text or a list of texts, and that the schema returns unchanged. */
const names = ["id", "type", "tenant", "address", "chain_id", "token_address", "user_addresses"] as const;
/** Fields by the length of their name, which is unique. */
const fieldByLength: readonly (number | undefined)[] = Array.from({ length: 15 }, (_, length) => {
  const field = names.findIndex((name) => name.length === length);
  return field < 0 ? undefined : field;
});
const [, TYPE, TENANT, ADDRESS, CHAIN_ID, TOKEN_ADDRESS, USER_ADDRESSES] = [0, 1, 2, 3, 4, 5, 6];
const bytesOfName = names.map((name) => Buffer.from(name));
const ADDRESS_TYPE = Buffer.from("address");

const MAX_NAME = 256;
const MAX_USERS = 10_000;

/**
 * Reads an event about an address directly from its bytes, when it has the common form. The names are documented, in
 * their first spelling, and each occurs once. The texts are ASCII without escapes, and there is nothing else.
 * For such an event the schema gives the same result. Undefined for any other record, which only the schema can read.
 * The general way (decoding, number and name checks, parsing) takes three times as long, and the schema ten times.
 *
 * @param from start of the record in `bytes`. @param to end of the record.
 */
export function readPlainEvent(bytes: Uint8Array, from: number, to: number): AddressEvent | undefined {
  const event = reader.read(bytes, from, to);
  reader.letGo();
  return event;
}

class PlainReader {
  #bytes: Buffer = ADDRESS_TYPE;
  #at = 0;
  #to = 0;
  /** Start of the last text, and position of its closing quote. */
  #textFrom = 0;
  #textTo = 0;
  /** A chain or tenant equal to the one of the previous event reuses that string object. */
  #chainId = "";
  #tenant = "";

  /** Releases the bytes, which may be a view of many MiB. */
  letGo(): void {
    this.#bytes = ADDRESS_TYPE;
  }

  read(bytes: Uint8Array, from: number, to: number): AddressEvent | undefined {
    this.#bytes = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
    this.#to = to;
    let seen = 0;
    let id: string | undefined;
    let tenant: string | undefined;
    let address: string | undefined;
    let chainId: string | undefined;
    let token: string | undefined;
    let users: string[] | undefined;
    if (!this.#takes(BRACE)) return undefined;
    do {
      const field = this.#field();
      if (field === undefined || (seen & (1 << field)) !== 0 || !this.#takes(COLON)) return undefined;
      seen |= 1 << field;
      if (field === USER_ADDRESSES) {
        users = this.#texts();
        if (users === undefined) return undefined;
        continue;
      }
      if (!this.#findsText()) return undefined;
      if (field === TYPE) {
        if (!this.#isText(ADDRESS_TYPE)) return undefined;
      } else if (field === ADDRESS) address = this.#text();
      else if (field === TOKEN_ADDRESS) token = this.#text();
      else if (field === CHAIN_ID) {
        if (!this.#repeats(this.#chainId)) {
          const text = this.#text();
          // Only the schema reads a chain in another spelling: `eip155:1`, `TRC20`.
          if (findChain(text) === undefined) return undefined;
          this.#chainId = text;
        }
        chainId = this.#chainId;
      } else {
        const length = this.#textTo - this.#textFrom;
        if (length === 0 || length > MAX_NAME) return undefined;
        if (field === TENANT) {
          if (!this.#repeats(this.#tenant)) this.#tenant = this.#text();
          tenant = this.#tenant;
        } else id = this.#text();
      }
    } while (this.#takes(COMMA));
    if (!this.#takes(END_BRACE) || !this.#isAtEnd()) return undefined;
    if ((seen & (1 << TYPE)) === 0 || address === undefined || chainId === undefined) return undefined;
    // Only the schema reads an address with its chain in front (CAIP-10).
    if (address.includes(":") || token?.includes(":") === true || users?.some(hasColon) === true) return undefined;
    return { type: "address", chain_id: chainId, address, user_addresses: users, token_address: token, id, tenant };
  }

  /** The field of the next name. */
  #field(): number | undefined {
    if (!this.#findsText()) return undefined;
    const field = fieldByLength[this.#textTo - this.#textFrom];
    const name = field === undefined ? undefined : bytesOfName[field];
    return name !== undefined && this.#isText(name) ? field : undefined;
  }

  #texts(): string[] | undefined {
    if (!this.#takes(BRACKET)) return undefined;
    if (this.#takes(END_BRACKET)) return [];
    if (!this.#findsText()) return undefined;
    // An array that grows by itself reserves room for many items, and nearly all lists have one text.
    const texts = [this.#text()];
    while (this.#takes(COMMA)) {
      if (!this.#findsText() || texts.length === MAX_USERS) return undefined;
      texts.push(this.#text());
    }
    return this.#takes(END_BRACKET) ? texts : undefined;
  }

  /** Skips a text of ASCII without escapes, if one is next. */
  #findsText(): boolean {
    if (!this.#takes(QUOTE)) return false;
    const bytes = this.#bytes;
    const to = this.#to;
    for (let at = this.#at; at < to; at++) {
      const code = bytes[at] ?? 0;
      if (code > QUOTE && code <= TILDE && code !== BACKSLASH) continue;
      if (code === QUOTE) {
        this.#textFrom = this.#at;
        this.#textTo = at;
        this.#at = at + 1;
        return true;
      }
      if (code < SPACE || code > QUOTE) return false;
    }
    return false;
  }

  /** The last text, which is ASCII. */
  #text(): string {
    return this.#bytes.toString("latin1", this.#textFrom, this.#textTo);
  }

  #isText(other: Uint8Array): boolean {
    if (this.#textTo - this.#textFrom !== other.length) return false;
    for (let i = 0; i < other.length; i++) if (this.#bytes[this.#textFrom + i] !== other[i]) return false;
    return true;
  }

  #repeats(other: string): boolean {
    if (this.#textTo - this.#textFrom !== other.length) return false;
    for (let i = 0; i < other.length; i++) if (this.#bytes[this.#textFrom + i] !== other.charCodeAt(i)) return false;
    return true;
  }

  /** Skips `code` and white space before it, if `code` is next. */
  #takes(code: number): boolean {
    this.#passSpace();
    if (this.#at >= this.#to || this.#bytes[this.#at] !== code) return false;
    this.#at++;
    return true;
  }

  #isAtEnd(): boolean {
    this.#passSpace();
    return this.#at === this.#to;
  }

  /** CR is not skipped. It may end a line, so the reader of lines has to see it. */
  #passSpace(): void {
    for (; this.#at < this.#to; this.#at++) {
      const code = this.#bytes[this.#at];
      if (code !== SPACE && code !== LF && code !== TAB) return;
    }
  }
}

function hasColon(text: string): boolean {
  return text.includes(":");
}

/** One reader for all events. It reads an event in one call and keeps only recurring names. */
const reader = new PlainReader();
