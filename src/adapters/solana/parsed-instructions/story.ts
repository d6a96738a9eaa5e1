import { parseAddress } from "../../../chains/address.ts";
import { keyBytes } from "../../../chains/solana/key.ts";
import { field, unreadable, wholeNumber } from "../node/account-json.ts";

/** An instruction with its accounts by name. */
export interface Rebuilt {
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  /** The type of the parsed instruction, where its effect is unknown to Weir. */
  readonly unread?: string;
}

/** Rebuilds the instruction from its parsed form. @throws {UnavailableError} when a required field is missing. */
export type Rebuild = (story: Story) => Rebuilt;

/** By the type that a node names. */
export type Rebuilds = Readonly<Record<string, Rebuild>>;

/**
 * The fields of a parsed instruction. A missing field makes the whole answer unreadable, so that no instruction is
 * missed.
 */
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

  /** The signers for a multisig authority, which follow the authority. */
  signers(): readonly string[] {
    const signers = field(this.#info, "signers");
    return Array.isArray(signers) ? signers.map(String) : [];
  }

  key(...names: readonly string[]): Uint8Array {
    const text = this.text(...names);
    if (!parseAddress("solana", text).ok) throw unreadable(`an inner instruction's ${names[0]}`);
    return keyBytes(text);
  }

  /** A number, or undefined where the parsed form may leave it out. */
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
