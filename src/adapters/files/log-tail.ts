import { open } from "node:fs/promises";

/** Bytes that are worth being read: to wake a reader for each write would cost more than it reads. */
const ENOUGH_BYTES = 1 << 18;

/** How far a file is written that somebody reads meanwhile. */
export class LogTail {
  #size: number;
  #isEnded = false;
  #failure: { readonly thrown: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  /** @param size bytes that it has already. */
  constructor(size: number) {
    this.#size = size;
  }

  /** So many more bytes are there. */
  grow(bytes: number): void {
    this.#size += bytes;
    this.#notify();
  }

  /** Nothing more comes. */
  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  /** What would come does not; whoever reads is told, and must not take what is there for all. */
  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#notify();
  }

  /**
   * Waits for what lies beyond `read` bytes. @returns how many bytes there are now; undefined when that was all.
   * @throws what it failed with.
   */
  async beyond(read: number): Promise<number | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.thrown;
      if (this.#isEnded) return this.#size > read ? this.#size : undefined;
      if (this.#size >= read + ENOUGH_BYTES) return this.#size;
      await this.#changed.promise;
    }
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/**
 * The bytes of a file as they come, until its writer says that nothing more does; a chunk stands until the next is asked for.
 *
 * @throws what `tail` failed with.
 */
export async function* followedBytes(path: string, tail: LogTail): AsyncGenerator<Buffer> {
  const handle = await open(path);
  let memory: Buffer | undefined;
  let at = 0;
  try {
    for (let size = await tail.beyond(at); size !== undefined; size = await tail.beyond(at)) {
      memory ??= Buffer.allocUnsafeSlow(ENOUGH_BYTES);
      const { bytesRead } = await handle.read(memory, 0, Math.min(ENOUGH_BYTES, size - at), at);
      if (bytesRead === 0) throw new Error(`${path} is shorter than what was written to it`);
      at += bytesRead;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
