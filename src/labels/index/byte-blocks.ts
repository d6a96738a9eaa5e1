/** Size of a block, as a power of two. Blocks are never moved, so the cost of growing is independent of the size. */
const BLOCK_BITS = 20;
const BLOCK_BYTES = 2 ** BLOCK_BITS;

/**
 * Bytes that are appended and never moved. A place is a number below 2^32: the block, and in its low 20 bits the byte.
 */
export class ByteBlocks {
  readonly #blocks: Buffer[] = [];
  #free = BLOCK_BYTES;

  /** Reserves a place for `bytes` bytes, at most a block. */
  reserve(bytes: number): number {
    if (this.#free + bytes > BLOCK_BYTES) {
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      this.#free = 0;
    }
    return (this.#blocks.length - 1) * BLOCK_BYTES + this.#free;
  }

  /** Commits the bytes that were written at the last reserved place. */
  take(bytes: number): void {
    this.#free += bytes;
  }

  /** @throws for a place beyond the end. */
  block(place: number): Buffer {
    const block = this.#blocks[place >>> BLOCK_BITS];
    if (block === undefined) throw new Error(`no block ${place >>> BLOCK_BITS} among ${this.#blocks.length}`);
    return block;
  }

  /** The place within its block. */
  static offset(place: number): number {
    return place & (BLOCK_BYTES - 1);
  }
}
