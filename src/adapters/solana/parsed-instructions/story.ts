import { parseAddress } from "../../../chains/address.ts";
import { keyBytes } from "../../../chains/solana/key.ts";
import { field, unreadable, wholeNumber } from "../node/account-json.ts";

/** An instruction by the names of its accounts. */
export interface Rebuilt {
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  /** The story's type, where nobody here knows what it does. */
  readonly unread?: string;
}

/** Makes the instruction of one story again. @throws {UnavailableError} when a field is missing that it needs. */
export type Rebuild = (story: Story) => Rebuilt;

/** By the type that a node names. */
export type Rebuilds = Readonly<Record<string, Rebuild>>;

/** The story's fields; one that is missing makes the whole answer unreadable, so that nothing is passed over. */
export class Story {
  readonly #info: unknown;

  constructor(info: unknown) {
    this.#info = info;
  }

  text(...names: readonly string[]): string {
    const text = this.optional(...names);
    if (text === undefined) throw unreadable(`an inner instruction without ${names[0]}`);
    return text;
  }

  optional(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const text = field(this.#info, name);
      if (typeof text === "string") return text;
    }
    return undefined;
  }

  /** Who signed for a multisig authority, behind it. */
  signers(): readonly string[] {
    const signers = field(this.#info, "signers");
    return Array.isArray(signers) ? signers.map(String) : [];
  }

  key(...names: readonly string[]): Uint8Array {
    const text = this.text(...names);
    if (!parseAddress("solana", text).ok) throw unreadable(`an inner instruction's ${names[0]}`);
    return keyBytes(text);
  }

  /** A number, or nothing at all where the story may leave it out. */
  optionalNumber(name: string): bigint | undefined {
    const value = field(this.#info, name);
    if (value === undefined || value === null) return undefined;
    const number = wholeNumber(value);
    if (number === undefined) throw unreadable(`an inner instruction's ${name}`);
    return number;
  }

  number(name: string): bigint {
    const number = this.optionalNumber(name);
    if (number === undefined) throw unreadable(`an inner instruction without ${name}`);
    return number;
  }

  inner(name: string): Story {
    return new Story(field(this.#info, name));
  }

  amount(name: string): bigint {
    const inner = field(field(this.#info, name), "amount");
    const text = typeof inner === "string" ? inner : this.text(name);
    if (!/^\d{1,20}$/.test(text)) throw unreadable(`an inner instruction's ${name}`);
    return BigInt(text);
  }
}
