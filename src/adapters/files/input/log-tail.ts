import { open } from "node:fs/promises";

/** Least bytes that wake the reader. One wake-up for each write would cost more than the read itself. */
const ENOUGH_BYTES = 1 << 20;
/**
 * Bytes that are read at once when the file has them. Each step of the packer waits for a busy thread. With 1 MiB, an
 * archive fell behind its run further and further, by half a second in four.
 */
const MOST_BYTES = 1 << 21;

/** The written length of a file that is read while it grows. */
export class LogTail {
  #size: number;
  #isEnded = false;
  #failure: { readonly thrown: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  /** @param size bytes that the file already has. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Reports `bytes` more bytes in the file. */
  grow(bytes: number): void {
    this.#size += bytes;
    this.#notify();
  }

  /** Reports the end of the file: no more bytes come. */
  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  /**
   * Reports that the remaining bytes will not come. The reader gets the error, so it does not take the present bytes
   * for the whole file.
   */
  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#notify();
  }

  /**
   * Waits for bytes beyond the first `read` bytes. @returns the number of bytes now; undefined when the file has ended
   * at `read`.
   * @throws the error that `fail` was given.
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
 * The bytes of a file as they are written, until the writer reports the end. A chunk is valid until the next chunk is
 * requested. The next chunk is read ahead: the packer shares the thread with other work, and would wait for the read a
 * second time.
 *
 * @throws the error that `tail` failed with.
 */
export async function* followedBytes(path: string, tail: LogTail): AsyncGenerator<Buffer> {
  const handle = await open(path);
  const memories: Buffer[] = [];
  let at = 0;
  const read = async (turn: number): Promise<Buffer | undefined> => {
    const size = await tail.beyond(at);
    if (size === undefined) return undefined;
    memories[turn % 2] ??= Buffer.allocUnsafeSlow(MOST_BYTES);
    const memory = memories[turn % 2] ?? Buffer.alloc(0);
    const { bytesRead } = await handle.read(memory, 0, Math.min(MOST_BYTES, size - at), at);
    if (bytesRead === 0) throw new Error(`${path} is shorter than what was written to it`);
    at += bytesRead;
    return memory.subarray(0, bytesRead);
  };
  try {
    let next = read(0);
    for (let turn = 1; ; turn++) {
      const chunk = await next;
      if (chunk === undefined) return;
      next = read(turn);
      // The caller that requests the next chunk gets the error. No caller requests it after the reader was closed.
      next.catch(() => undefined);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}
