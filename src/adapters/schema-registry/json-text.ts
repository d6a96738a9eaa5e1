import { isUtf8 } from "node:buffer";
import { AppError } from "../../kernel/errors.ts";

/** The bytes of a record do not fit their schema, or their content has no form in JSON. */
export class UndecodableError extends AppError {
  readonly code = "INPUT_UNREADABLE";
  readonly retryable = false;
}

/**
 * JSON text that grows up to a limit. A few bytes of Avro may stand for an array of a million items, so the text is
 * bounded while it is written.
 */
export class BoundedJson {
  readonly #maxLength: number;
  #text = "";

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get text(): string {
    return this.#text;
  }

  /** @throws {UndecodableError} past the limit. */
  add(text: string): void {
    this.#text += text;
    if (this.#text.length > this.#maxLength)
      throw new UndecodableError(`stands for more than ${this.#maxLength} characters of JSON`);
  }

  string(text: string): void {
    this.add(JSON.stringify(text));
  }

  /** Bytes that must be UTF-8. */
  utf8(bytes: Uint8Array): void {
    if (!isUtf8(bytes)) throw new UndecodableError("holds a text that is not valid UTF-8");
    this.string(Buffer.prototype.utf8Slice.call(bytes, 0, bytes.byteLength));
  }

  /** Bytes in the form that chains use. */
  hex(bytes: Uint8Array): void {
    this.add(`"0x${Buffer.prototype.hexSlice.call(bytes, 0, bytes.byteLength)}"`);
  }

  /** A floating-point number. */
  number(value: number): void {
    if (!Number.isFinite(value)) throw new UndecodableError(`holds the number ${value}, which JSON does not have`);
    this.add(JSON.stringify(value));
  }

  key(name: string, isFirst: boolean): void {
    this.add(`${isFirst ? "" : ","}${JSON.stringify(name)}:`);
  }
}
