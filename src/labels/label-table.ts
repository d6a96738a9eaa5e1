import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { keyOf } from "./key-buckets.ts";
import { type Label, labelKinds, type RiskLevel } from "./label.ts";

/** Bytes of a block of text. Blocks are never moved, so that growing takes no longer the more there is. */
const BLOCK_BYTES = 1 << 20;
/** Lengths in front of the texts of a label: one byte for the address or host, two for each of the four others. */
const HEAD_BYTES = 9;
const NO_RISK = 255;
const NO_MORE: { readonly fullName?: string; readonly program?: string; readonly note?: string } = {};
/** Marks of a label. */
const EVERYWHERE = 1;
const REPEAT = 2;
/** Labels that were made of their row and are kept: a campaign imitates one of them many times. */
const MOST_MADE = 4_096;

/**
 * The labels of one list in their order: columns of numbers and blocks of text instead of objects. A million of them are
 * some 80 MB that the garbage collector need not look through, where objects were 400 and cost it pauses of half a second.
 * Grows at its end only.
 */
export class LabelTable implements Iterable<Label> {
  #length = 0;
  #kinds = new Uint8Array(64);
  #risks = new Uint8Array(64);
  #marks = new Uint8Array(64);
  #chains = new Uint16Array(64);
  #keys = new Uint32Array(64);
  /** Where the texts of a label begin: its block and, in the low 20 bits, the place in there. */
  #starts = new Uint32Array(64);
  readonly #blocks: Buffer[] = [];
  #free = BLOCK_BYTES;
  readonly #knownChains: Chain[] = [];
  readonly #made = new Map<number, Label>();

  get length(): number {
    return this.#length;
  }

  /**
   * Appends it. Who asks sees to it that no label is there twice, and says of one whether it repeats an address for another
   * chain, under the same kind.
   */
  add(label: Label, isRepeat = false): void {
    if (this.#length === this.#kinds.length) this.#grow();
    const at = this.#length++;
    this.#kinds[at] = labelKinds.indexOf(label.kind);
    this.#risks[at] = label.riskLevel ?? NO_RISK;
    const isWide = label.kind !== "site" && label.everywhere === true;
    this.#marks[at] = (isWide ? EVERYWHERE : 0) + (isRepeat ? REPEAT : 0);
    this.#chains[at] = label.kind === "site" ? 0 : this.#chainNumber(label.chain);
    const subject = label.kind === "site" ? label.host : label.address;
    this.#keys[at] = subjectKey(subject);
    const { fullName = "", program = "", note = "" } = label.kind === "site" ? NO_MORE : label;
    this.#starts[at] = this.#write(subject, [label.name, fullName, program, note]);
  }

  kindAt(at: number): Label["kind"] {
    return labelKinds[this.#kinds[at] ?? 0] ?? "site";
  }

  /** The risk that it tells; undefined: none. */
  riskAt(at: number): number | undefined {
    const risk = this.#risks[at] ?? NO_RISK;
    return risk === NO_RISK ? undefined : risk;
  }

  /** Whether it holds on all chains of its family. */
  isEverywhereAt(at: number): boolean {
    return ((this.#marks[at] ?? 0) & EVERYWHERE) !== 0;
  }

  /** Whether its address stands before it, under the same kind and for another chain of the family. */
  isRepeatAt(at: number): boolean {
    return ((this.#marks[at] ?? 0) & REPEAT) !== 0;
  }

  /** A number that labels of one kind and chain share. */
  groupAt(at: number): number {
    return (this.#kinds[at] ?? 0) * 2 ** 16 + (this.#chains[at] ?? 0);
  }

  /** The chain of an address; a site has none. */
  chainAt(at: number): Chain | undefined {
    return this.kindAt(at) === "site" ? undefined : this.#knownChains[this.#chains[at] ?? 0];
  }

  /** `subjectKey` of the address or host, which different ones may share. */
  keyAt(at: number): number {
    return this.#keys[at] ?? 0;
  }

  /** The address, or a site's host. */
  subjectAt(at: number): CanonicalAddress {
    const { block, from } = this.#place(at);
    return block.toString("latin1", from, from + (block[from - HEAD_BYTES] ?? 0)) as CanonicalAddress;
  }

  /** The name, and the full name where there is one. */
  namesAt(at: number): readonly string[] {
    const [name = "", fullName = ""] = this.#textsAt(at, 2);
    return fullName === "" ? [name] : [name, fullName];
  }

  /** The first `count` of its name, full name, program and note; empty for one that it lacks. */
  #textsAt(at: number, count: number): readonly string[] {
    const { block, from } = this.#place(at);
    const texts: string[] = [];
    let start = from + (block[from - HEAD_BYTES] ?? 0);
    for (let i = 0; i < count; i++) {
      const end = start + block.readUInt16LE(from - HEAD_BYTES + 1 + 2 * i);
      texts.push(start === end ? "" : block.toString("utf8", start, end));
      start = end;
    }
    return texts;
  }

  /** The label; mostly the same object for the same place. */
  at(at: number): Label | undefined {
    if (at >= this.#length) return undefined;
    const made = this.#made.get(at);
    if (made !== undefined) return made;
    const label = this.#make(at);
    if (this.#made.size >= MOST_MADE) this.#made.clear();
    this.#made.set(at, label);
    return label;
  }

  *[Symbol.iterator](): Generator<Label> {
    for (let at = 0; at < this.#length; at++) yield this.#make(at);
  }

  map<T>(of: (label: Label) => T): readonly T[] {
    return Array.from(this, of);
  }

  #make(at: number): Label {
    const kind = this.kindAt(at);
    const [name = "", fullName = "", program = "", note = ""] = this.#textsAt(at, 4);
    const risk = this.#risks[at] ?? NO_RISK;
    const rest = risk === NO_RISK ? { name } : { name, riskLevel: risk as RiskLevel };
    const chain = this.#knownChains[this.#chains[at] ?? 0];
    if (kind === "site" || chain === undefined) return { kind: "site", host: this.subjectAt(at), ...rest };
    const where = this.isEverywhereAt(at) ? { chain, everywhere: true as const } : { chain };
    const label = { kind, ...where, address: this.subjectAt(at), ...rest };
    if (fullName === "" && program === "" && note === "") return label;
    return {
      ...label,
      ...(fullName === "" ? {} : { fullName }),
      ...(program === "" ? {} : { program }),
      ...(note === "" ? {} : { note }),
    };
  }

  #place(at: number): { readonly block: Buffer; readonly from: number } {
    const start = this.#starts[at] ?? 0;
    const block = this.#blocks[start >>> 20];
    if (block === undefined || at >= this.#length) throw new Error(`no label ${at} among ${this.#length}`);
    return { block, from: (start & (BLOCK_BYTES - 1)) + HEAD_BYTES };
  }

  #chainNumber(chain: Chain): number {
    const known = this.#knownChains.indexOf(chain);
    return known >= 0 ? known : this.#knownChains.push(chain) - 1;
  }

  /** @returns where the head of the texts stands. */
  #write(subject: string, texts: readonly string[]): number {
    let size = HEAD_BYTES + subject.length;
    for (const text of texts) size += Buffer.byteLength(text);
    if (this.#free + size > BLOCK_BYTES) {
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      this.#free = 0;
    }
    const number = this.#blocks.length - 1;
    const [block, start] = [this.#blocks[number] ?? Buffer.alloc(0), this.#free];
    block.writeUInt8(subject.length, start);
    let end = start + HEAD_BYTES + block.write(subject, start + HEAD_BYTES, "latin1");
    for (let i = 0; i < texts.length; i++) {
      const written = block.write(texts[i] ?? "", end);
      block.writeUInt16LE(written, start + 1 + 2 * i);
      end += written;
    }
    this.#free += size;
    return number * BLOCK_BYTES + start;
  }

  #grow(): void {
    const size = 2 * this.#length;
    this.#kinds = copied(new Uint8Array(size), this.#kinds);
    this.#risks = copied(new Uint8Array(size), this.#risks);
    this.#marks = copied(new Uint8Array(size), this.#marks);
    this.#chains = copied(new Uint16Array(size), this.#chains);
    this.#keys = copied(new Uint32Array(size), this.#keys);
    this.#starts = copied(new Uint32Array(size), this.#starts);
  }
}

/** Key of a whole address or host: an unsigned 32-bit number. */
export function subjectKey(subject: string): number {
  return keyOf(subject, subject.length, 0);
}

function copied<A extends { set(from: A): void }>(to: A, from: A): A {
  to.set(from);
  return to;
}
