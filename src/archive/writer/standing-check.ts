import { RunningSha256 } from "../../kernel/sha256.ts";
import type { LoggedVerdict, ObjectMetadata } from "../object.ts";

/**
 * What was found under an object's key is: `same`, the very lines, as an archiver before us cut them; `longer` than what
 * was read, so that more must come first; `other` lines, which nothing here may pass over.
 */
export type ExistingObject = "same" | "longer" | "other";

/** Compares an object that stands with what is read of its topic, line by line, and keeps none of them. */
export class StandingCheck {
  readonly #standing: ObjectMetadata;
  readonly #hash = new RunningSha256();
  #count = 0;
  #bytes = 0;
  #last = -1;
  #oldestAt: number | undefined;
  #found: ExistingObject = "longer";

  constructor(standing: ObjectMetadata) {
    this.#standing = standing;
  }

  get found(): ExistingObject {
    return this.#found;
  }

  /** Bytes of the lines that were read, each with its line end. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Offset of the last of them; -1 before the first. */
  get last(): number {
    return this.#last;
  }

  /** When the first of them was written, Unix milliseconds. */
  get oldestAt(): number | undefined {
    return this.#oldestAt;
  }

  /** Takes in what the object must hold; offsets ascending. @returns false of a verdict that lies behind it. */
  take({ offset, line, writtenAt }: LoggedVerdict): boolean {
    const { end, count } = this.#standing;
    if (offset <= end) {
      this.#oldestAt ??= writtenAt;
      this.#hash.add(line);
      this.#hash.add("\n");
      this.#count++;
      this.#bytes += line.byteLength + 1;
      this.#last = offset;
    }
    if (this.#found === "longer" && this.#count > count) this.#found = "other";
    if (this.#found === "longer" && offset >= end) this.#found = this.#isSame() ? "same" : "other";
    return offset <= end;
  }

  #isSame(): boolean {
    const { end, count, sha256 } = this.#standing;
    return this.#last === end && this.#count === count && this.#hash.digest() === sha256;
  }
}
