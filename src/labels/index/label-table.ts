import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { type AddressLabel, type Label, labelKinds, type RiskLevel } from "../label.ts";
import { ByteBlocks } from "./byte-blocks.ts";
import { keyOf } from "./key-buckets.ts";

const NO_RISK = 255;
/** Flags of a label. */
const EVERYWHERE = 1;
const REPEAT = 2;
const ORIGINAL_IN_FAMILY = 4;
/** A text takes at most three bytes per UTF-16 code unit. */
const MOST_BYTES_A_UNIT = 3;
/**
 * Bytes of the header before the texts of a label, two per number: the size in bytes, and the code units of the four
 * texts.
 */
const HEAD_BYTES = 2 + 2 * 4;
/** Bytes of an EVM address, which is stored as a number. */
const EVM_BYTES = 20;
/** The most texts that are kept for sharing. Labels of one party repeat its name, program and note. */
const MOST_SHARED = 4_096;
/** The most label objects in the cache. A campaign imitates one label many times. */
const MOST_MADE = 4_096;

/** The texts of a label. A missing text is empty. */
interface Texts {
  readonly name: string;
  readonly fullName: string;
  readonly program: string;
  readonly note: string;
}

function reachMarks({ everywhere, originalInFamily }: AddressLabel): number {
  return (everywhere === true ? EVERYWHERE : 0) + (originalInFamily === true ? ORIGINAL_IN_FAMILY : 0);
}

/**
 * The labels of one list in order, as columns of numbers and blocks of bytes. The table grows at its end only. A
 * million labels take some 60 MB that the garbage collector does not scan. As objects they took 400 MB and caused
 * pauses of half a second.
 */
export class LabelTable implements Iterable<Label> {
  #length = 0;
  #kinds = new Uint8Array(64);
  #risks = new Uint8Array(64);
  #marks = new Uint8Array(64);
  #chains = new Uint16Array(64);
  #keys = new Uint32Array(64);
  /** Places of the address or host, and of the texts. */
  #subjects = new Uint32Array(64);
  #texts = new Uint32Array(64);
  readonly #bytes = new ByteBlocks();
  readonly #knownChains: Chain[] = [];
  /** Shared texts by name. */
  readonly #shared = new Map<string, Texts & { readonly place: number }>();
  readonly #made = new Map<number, Label>();

  get length(): number {
    return this.#length;
  }

  /** Appends the label. `isRepeat`: the table holds the address for another chain under the same kind. */
  add(label: Label, isRepeat = false): void {
    if (this.#length === this.#kinds.length) this.#grow();
    const at = this.#length++;
    const isSite = label.kind === "site";
    const subject = isSite ? label.host : label.address;
    this.#kinds[at] = labelKinds.indexOf(label.kind);
    this.#risks[at] = label.riskLevel ?? NO_RISK;
    this.#marks[at] = (isSite ? 0 : reachMarks(label)) + (isRepeat ? REPEAT : 0);
    this.#chains[at] = isSite ? 0 : this.#chainNumber(label.chain);
    this.#keys[at] = subjectKey(subject);
    this.#subjects[at] =
      !isSite && label.chain.family === "evm" ? this.#writeHex(subject) : this.#writeSubject(subject);
    this.#texts[at] = this.#writeTexts(isSite ? { name: label.name } : label);
  }

  kindAt(at: number): Label["kind"] {
    return labelKinds[this.#kinds[at] ?? 0] ?? "site";
  }

  /** The risk level of the label. Undefined when it has none. */
  riskAt(at: number): number | undefined {
    const risk = this.#risks[at] ?? NO_RISK;
    return risk === NO_RISK ? undefined : risk;
  }

  /** Whether the label holds on all chains of its family. */
  isEverywhereAt(at: number): boolean {
    return ((this.#marks[at] ?? 0) & EVERYWHERE) !== 0;
  }

  /** Whether an earlier row has the address, with the same kind and another chain of the family. */
  isRepeatAt(at: number): boolean {
    return ((this.#marks[at] ?? 0) & REPEAT) !== 0;
  }

  /** A number that labels of one kind and chain share. */
  groupAt(at: number): number {
    return (this.#kinds[at] ?? 0) * 2 ** 16 + (this.#chains[at] ?? 0);
  }

  /** The chain of an address. Undefined for a site. */
  chainAt(at: number): Chain | undefined {
    return this.kindAt(at) === "site" ? undefined : this.#knownChains[this.#chains[at] ?? 0];
  }

  /** The `subjectKey` of the address or host. Different subjects may share a key. */
  keyAt(at: number): number {
    return this.#keys[at] ?? 0;
  }

  /** The address, or the host of a site. */
  subjectAt(at: number): CanonicalAddress {
    const place = this.#subjects[at] ?? 0;
    const block = this.#bytes.block(place);
    const from = ByteBlocks.offset(place) + 1;
    const length = block[from - 1] ?? 0;
    const isNumber = this.chainAt(at)?.family === "evm";
    const text = block.toString(isNumber ? "hex" : "latin1", from, from + length);
    return (isNumber ? `0x${text}` : text) as CanonicalAddress;
  }

  /** The name, and the full name when there is one. */
  namesAt(at: number): readonly string[] {
    const { name, fullName } = this.#textsAt(at);
    return fullName === "" ? [name] : [name, fullName];
  }

  /** The label, or undefined beyond the end. Mostly returns the same object for the same ordinal. */
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
    const { name, fullName, program, note } = this.#textsAt(at);
    const risk = this.#risks[at] ?? NO_RISK;
    const rest = risk === NO_RISK ? { name } : { name, riskLevel: risk as RiskLevel };
    const chain = this.#knownChains[this.#chains[at] ?? 0];
    if (kind === "site" || chain === undefined) return { kind: "site", host: this.subjectAt(at), ...rest };
    const where = this.isEverywhereAt(at) ? { chain, everywhere: true as const } : { chain };
    const original = ((this.#marks[at] ?? 0) & ORIGINAL_IN_FAMILY) === 0 ? {} : { originalInFamily: true as const };
    const label = { kind, ...where, ...original, address: this.subjectAt(at), ...rest };
    if (fullName === "" && program === "" && note === "") return label;
    return {
      ...label,
      ...(fullName === "" ? {} : { fullName }),
      ...(program === "" ? {} : { program }),
      ...(note === "" ? {} : { note }),
    };
  }

  #chainNumber(chain: Chain): number {
    const known = this.#knownChains.indexOf(chain);
    return known >= 0 ? known : this.#knownChains.push(chain) - 1;
  }

  /** Hex digits are stored as bytes, which take half the size of the text. */
  #writeHex(address: string): number {
    const place = this.#bytes.reserve(1 + EVM_BYTES);
    const block = this.#bytes.block(place);
    const from = ByteBlocks.offset(place);
    block[from] = EVM_BYTES;
    block.write(address.slice(2), from + 1, "hex");
    this.#bytes.take(1 + EVM_BYTES);
    return place;
  }

  #writeSubject(subject: string): number {
    const place = this.#bytes.reserve(1 + subject.length);
    const block = this.#bytes.block(place);
    const from = ByteBlocks.offset(place);
    block[from] = subject.length;
    block.write(subject, from + 1, "latin1");
    this.#bytes.take(1 + subject.length);
    return place;
  }

  #writeTexts({ name, fullName = "", program = "", note = "" }: Partial<Texts> & { readonly name: string }): number {
    const shared = this.#shared.get(name);
    if (shared !== undefined && shared.fullName === fullName && shared.program === program && shared.note === note)
      return shared.place;
    const text = name + fullName + program + note;
    const place = this.#bytes.reserve(HEAD_BYTES + MOST_BYTES_A_UNIT * text.length);
    const block = this.#bytes.block(place);
    const from = ByteBlocks.offset(place);
    const bytes = block.write(text, from + HEAD_BYTES);
    let to = writeUint16(block, from, bytes);
    to = writeUint16(block, to, name.length);
    to = writeUint16(block, to, fullName.length);
    to = writeUint16(block, to, program.length);
    writeUint16(block, to, note.length);
    this.#bytes.take(HEAD_BYTES + bytes);
    if (shared !== undefined || this.#shared.size < MOST_SHARED)
      this.#shared.set(name, { name, fullName, program, note, place });
    return place;
  }

  #textsAt(at: number): Texts {
    const place = this.#texts[at] ?? 0;
    const block = this.#bytes.block(place);
    const from = ByteBlocks.offset(place);
    const head = from + HEAD_BYTES;
    const text = block.toString("utf8", head, head + block.readUInt16LE(from));
    let end = 0;
    const next = (nth: number) => {
      const start = end;
      end += block.readUInt16LE(from + 2 * nth);
      return text.slice(start, end);
    };
    return { name: next(1), fullName: next(2), program: next(3), note: next(4) };
  }

  #grow(): void {
    const size = 2 * this.#length;
    this.#kinds = copied(new Uint8Array(size), this.#kinds);
    this.#risks = copied(new Uint8Array(size), this.#risks);
    this.#marks = copied(new Uint8Array(size), this.#marks);
    this.#chains = copied(new Uint16Array(size), this.#chains);
    this.#keys = copied(new Uint32Array(size), this.#keys);
    this.#subjects = copied(new Uint32Array(size), this.#subjects);
    this.#texts = copied(new Uint32Array(size), this.#texts);
  }
}

/** Key of a whole address or host: an unsigned 32-bit number. */
export function subjectKey(subject: string): number {
  return keyOf(subject, subject.length, 0);
}

/** @returns the offset behind the number. */
function writeUint16(block: Buffer, at: number, value: number): number {
  block[at] = value & 255;
  block[at + 1] = value >> 8;
  return at + 2;
}

function copied<A extends { set(from: A): void }>(to: A, from: A): A {
  to.set(from);
  return to;
}
