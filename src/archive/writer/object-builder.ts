import { RunningSha256 } from "../../kernel/hash.ts";
import { type Position, storedObject } from "../object.ts";
import type { ObjectPacker, PackedObject } from "../ports.ts";

const LF = 0x0a;

/**
 * An unfinished object of a log without missing offsets. Only the first line is kept, because it determines the key.
 */
export class ObjectBuilder {
  readonly #packing: ObjectPacker;
  readonly #sha256 = new RunningSha256();
  readonly #firstLine: Buffer[] = [];
  #hasFirst = false;

  constructor(packing: ObjectPacker) {
    this.#packing = packing;
  }

  async add(bytes: Uint8Array): Promise<void> {
    if (!this.#hasFirst) {
      const end = bytes.indexOf(LF);
      this.#hasFirst = end !== -1;
      this.#firstLine.push(Buffer.from(this.#hasFirst ? bytes.subarray(0, end) : bytes));
    }
    this.#sha256.add(bytes);
    await this.#packing.add(bytes);
  }

  /** The object that begins at `position` and has `count` lines. */
  async end(count: number, position: Position): Promise<PackedObject> {
    const first = { offset: position.next, line: Buffer.concat(this.#firstLine) };
    const end = position.next + count - 1;
    const stored = storedObject({ first, end, count, sha256: this.#sha256.digest() }, position);
    return { ...stored, packed: await this.#packing.end() };
  }
}
