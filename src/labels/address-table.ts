import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain, Family } from "../chains/chain.ts";
import { keyOf } from "./key-buckets.ts";
import { type AddressKind, type AddressLabel, labelKinds, type RiskLevel } from "./label.ts";

/** Bytes of a block. Blocks are never moved, so that growing takes no longer the more there is. */
const BLOCK_BITS = 20;
const BLOCK_BYTES = 2 ** BLOCK_BITS;
const NO_RISK = 255;
/** Bytes of an EVM address, which is kept as a number. Other families are kept as text. */
const EVM_BYTES = 20;
/** Texts that are kept apart to be shared: entries of one programme repeat its name. */
const MOST_SHARED = 4_096;
/** In front of the name, program and note: two bytes of length for each. */
const TEXT_HEAD_BYTES = 6;

interface SharedTexts {
  readonly program: string;
  readonly note: string;
  readonly place: number;
}

/**
 * Addresses of one file with what the file says of each, in the file's order. Columns of numbers and blocks of bytes stand in
 * place of objects: a million entries take some 60 MB. Grows at its end only. `AddressBook` finds entries by address.
 */
export class AddressTable {
  #length = 0;
  #kinds = new Uint8Array(64);
  #risks = new Uint8Array(64);
  /** Number of the chain, doubled; odd where the entry holds on all chains of its family. */
  #chains = new Uint16Array(64);
  #keys = new Uint32Array(64);
  /** Where the address and the texts stand: block and, in the low 20 bits, the place in it. */
  #addresses = new Uint32Array(64);
  #texts = new Uint32Array(64);
  readonly #blocks: Buffer[] = [];
  #free = BLOCK_BYTES;
  readonly #knownChains: Chain[] = [];
  /** By name: entries of one party share their texts. */
  readonly #shared = new Map<string, SharedTexts>();

  get length(): number {
    return this.#length;
  }

  add(label: AddressLabel): void {
    if (this.#length === this.#kinds.length) this.#grow();
    const at = this.#length++;
    this.#kinds[at] = labelKinds.indexOf(label.kind);
    this.#risks[at] = label.riskLevel ?? NO_RISK;
    this.#chains[at] = 2 * this.#chainNumber(label.chain) + (label.everywhere === true ? 1 : 0);
    this.#keys[at] = addressKey(label.address);
    this.#addresses[at] = this.#writeAddress(label.chain.family, label.address);
    this.#texts[at] = this.#writeTexts(label);
  }

  /** `addressKey` of the address, which different ones may share. */
  keyAt(at: number): number {
    return this.#keys[at] ?? 0;
  }

  familyAt(at: number): Family | undefined {
    return this.#chainAt(at)?.family;
  }

  /** The entry as an object. @throws for a place beyond the end. */
  at(at: number): AddressLabel {
    const chain = this.#chainAt(at);
    const kind = labelKinds[this.#kinds[at] ?? 0];
    if (at >= this.#length || chain === undefined || kind === undefined || kind === "site")
      throw new Error(`no entry ${at} among ${this.#length}`);
    const [name = "", program = "", note = ""] = this.#textsAt(at);
    const risk = this.#risks[at] ?? NO_RISK;
    return {
      kind,
      chain,
      ...((this.#chains[at] ?? 0) % 2 === 1 ? { everywhere: true as const } : {}),
      address: this.addressAt(at),
      name,
      ...(program === "" ? {} : { program }),
      ...(note === "" ? {} : { note }),
      ...(risk === NO_RISK ? {} : { riskLevel: risk as RiskLevel }),
    };
  }

  addressAt(at: number): CanonicalAddress {
    const { block, from } = this.#place(this.#addresses[at] ?? 0);
    const length = block[from] ?? 0;
    const isNumber = this.familyAt(at) === "evm";
    const text = block.toString(isNumber ? "hex" : "latin1", from + 1, from + 1 + length);
    return (isNumber ? `0x${text}` : text) as CanonicalAddress;
  }

  kindAt(at: number): AddressKind | "site" {
    return labelKinds[this.#kinds[at] ?? 0] ?? "site";
  }

  #chainAt(at: number): Chain | undefined {
    return this.#knownChains[(this.#chains[at] ?? 0) >> 1];
  }

  #textsAt(at: number): readonly string[] {
    const { block, from } = this.#place(this.#texts[at] ?? 0);
    let end = from + TEXT_HEAD_BYTES;
    return [0, 2, 4].map((head) => {
      const start = end;
      end += block.readUInt16LE(from + head);
      return block.toString("utf8", start, end);
    });
  }

  #place(place: number): { readonly block: Buffer; readonly from: number } {
    const block = this.#blocks[place >>> BLOCK_BITS];
    if (block === undefined) throw new Error(`no block ${place >>> BLOCK_BITS} among ${this.#blocks.length}`);
    return { block, from: place & (BLOCK_BYTES - 1) };
  }

  #chainNumber(chain: Chain): number {
    const known = this.#knownChains.indexOf(chain);
    return known >= 0 ? known : this.#knownChains.push(chain) - 1;
  }

  #writeAddress(family: Family, address: CanonicalAddress): number {
    const isNumber = family === "evm";
    const length = isNumber ? EVM_BYTES : address.length;
    const { block, from, place } = this.#take(1 + length);
    block[from] = length;
    if (isNumber) block.write(address.slice(2), from + 1, "hex");
    else block.write(address, from + 1, "latin1");
    return place;
  }

  #writeTexts({ name, program = "", note = "" }: AddressLabel): number {
    const shared = this.#shared.get(name);
    if (shared !== undefined && shared.program === program && shared.note === note) return shared.place;
    const texts = [name, program, note];
    const bytes = texts.map((text) => Buffer.byteLength(text));
    const { block, from, place } = this.#take(bytes.reduce((sum, each) => sum + each, TEXT_HEAD_BYTES));
    let end = from + TEXT_HEAD_BYTES;
    for (const [i, text] of texts.entries()) {
      block.writeUInt16LE(bytes[i] ?? 0, from + 2 * i);
      end += block.write(text, end);
    }
    if (shared !== undefined || this.#shared.size < MOST_SHARED) this.#shared.set(name, { program, note, place });
    return place;
  }

  #take(bytes: number): { readonly block: Buffer; readonly from: number; readonly place: number } {
    if (this.#free + bytes > BLOCK_BYTES) {
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      this.#free = 0;
    }
    const from = this.#free;
    this.#free += bytes;
    const place = (this.#blocks.length - 1) * BLOCK_BYTES + from;
    const { block } = this.#place(place);
    return { block, from, place };
  }

  #grow(): void {
    const size = 2 * this.#length;
    this.#kinds = copied(new Uint8Array(size), this.#kinds);
    this.#risks = copied(new Uint8Array(size), this.#risks);
    this.#chains = copied(new Uint16Array(size), this.#chains);
    this.#keys = copied(new Uint32Array(size), this.#keys);
    this.#addresses = copied(new Uint32Array(size), this.#addresses);
    this.#texts = copied(new Uint32Array(size), this.#texts);
  }
}

/** An unsigned 32-bit number for a canonical address. */
export function addressKey(address: string): number {
  return keyOf(address, address.length, 0);
}

function copied<A extends { set(from: A): void }>(to: A, from: A): A {
  to.set(from);
  return to;
}
