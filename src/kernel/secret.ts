import { createHash, timingSafeEqual } from "node:crypto";
import { inspect } from "node:util";

/** A value that prints as `[secret]` when it is logged, interpolated or serialized. Only `reveal` returns the value. */
export class Secret {
  readonly #value: string;
  readonly #digest: Buffer;

  constructor(value: string) {
    this.#value = value;
    this.#digest = digestOf(value);
  }

  reveal(): string {
    return this.#value;
  }

  /** Compares in a time that is independent of the position of a difference and of the lengths (CWE-208). */
  equals(candidate: string): boolean {
    return timingSafeEqual(this.#digest, digestOf(candidate));
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
