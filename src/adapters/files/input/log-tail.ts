import { open } from "node:fs/promises";

/** Bytes that are worth being read: to wake a reader for each write would cost more than it reads. */
const ENOUGH_BYTES = 1 << 20;
/**
 * Bytes that are read at once where there are so many. Each step of whoever packs them waits for a busy thread to come by: by
 * 1 MiB an archive fell ever more behind its run, by half a second in four.
 */
const MOST_BYTES = 1 << 21;

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
 * The next is read meanwhile: whoever packs what is read shares the thread with others, and would wait for it a second time.
 *
 * @throws what `tail` failed with.
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
      // Told by whoever asks for it; nobody does when the reader was let go.
      next.catch(() => undefined);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}
