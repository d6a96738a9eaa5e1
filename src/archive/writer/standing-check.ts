import { RunningSha256 } from "../../kernel/hash.ts";
import type { LoggedVerdict, ObjectMetadata } from "../object.ts";

/**
 * The result of comparing an existing object with the topic.
 * - `same`: it holds exactly these lines; an earlier archiver cut it.
 * - `longer`: it is longer than the lines read, so more must come first.
 * - `other`: it holds other lines, which must not be skipped.
 */
export type ExistingObject = "same" | "longer" | "other";

/** Compares an existing object with the records of its topic, line by line, and keeps no line. */
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

  /** Bytes of the compared lines, each with its line end. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Offset of the last compared verdict; -1 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Time of writing of the first compared verdict, Unix milliseconds. */
  get oldestAt(): number | undefined {
    return this.#oldestAt;
  }

  /** Compares a verdict with the object; offsets ascend. @returns false for a verdict behind the object's end. */
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
