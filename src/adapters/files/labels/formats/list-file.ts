import { stat } from "node:fs/promises";
import { inputBytes, isPacked, STDIN } from "../../input/input-bytes.ts";
import { isRegularFile } from "../../input/lines.ts";
import type { ListSource } from "./list-source.ts";

/** Characters of the head: enough to recognise a format, and the first line of OpenSanctions. */
const HEAD_LENGTH = 64 * 1024;

/** A list in a file, or on standard input. Input that is packed with gzip is unpacked. */
export class ListFile implements ListSource {
  /** Unpacked bytes that were read in the present pass. */
  bytes = 0;
  /** Passes over the file that have begun. */
  passes = 0;
  /** Bytes of the file, where the size is known and the file is not packed. */
  readonly size: number | undefined;
  readonly isRepeatable: boolean;
  readonly #path: string;
  /** The text that `head` has read, and the generator of the text behind it. */
  #begun: { readonly head: readonly string[]; readonly rest: AsyncGenerator<string> } | undefined;

  private constructor(path: string, isRepeatable: boolean, size: number | undefined) {
    this.#path = path;
    this.isRepeatable = isRepeatable;
    this.size = size;
  }

  /** An unreadable file fails later, when it is read. */
  static async at(path: string): Promise<ListFile> {
    if (path === STDIN || !(await isRegularFile(path))) return new ListFile(path, false, undefined);
    if (await isPacked(path)) return new ListFile(path, true, undefined);
    return new ListFile(
      path,
      true,
      await stat(path).then(
        ({ size }) => size,
        () => undefined,
      ),
    );
  }

  /** @throws {InputUnreadableError} for content that is no text. */
  async head(): Promise<string> {
    this.#begun ??= await this.#begin();
    return this.#begun.head.join("");
  }

  /** @throws {InputUnreadableError} */
  async *pieces(): AsyncGenerator<string> {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun === undefined) return yield* this.#texts();
    yield* begun.head;
    yield* begun.rest;
  }

  /** Closes the file that `head` has opened, where nothing more is read. */
  async close(): Promise<void> {
    await this.#begun?.rest.return(undefined);
    this.#begun = undefined;
  }

  async #begin() {
    const rest = this.#texts();
    const head: string[] = [];
    for (let length = 0; length < HEAD_LENGTH; ) {
      const { value, done } = await rest.next();
      if (done === true) break;
      head.push(value);
      length += value.length;
    }
    return { head, rest };
  }

  async *#texts(): AsyncGenerator<string> {
    // Removes a byte order mark, and joins characters that two chunks share.
    const decoder = new TextDecoder();
    this.passes++;
    this.bytes = 0;
    for await (const chunk of inputBytes(this.#path)) {
      this.bytes += chunk.length;
      yield decoder.decode(chunk, { stream: true });
    }
    const last = decoder.decode();
    if (last !== "") yield last;
  }
}
