/** One element of an array; `place` counts from 1. */
export interface JsonElement {
  readonly place: number;
  readonly value: unknown;
  readonly text: string;
  /** The number of keys in the text of an object. It exceeds the keys of the value where a key is given twice. */
  readonly members: number;
}

/**
 * Elements of a JSON array that comes in pieces. Each element is parsed once it is complete: one parse of 64 MB would
 * block all other work for half a second. Throws {Error} for text that is not JSON or no array.
 */
export class JsonElements {
  readonly #of: string;
  #state: "before" | "within" | "behind" = "before";
  /** The parts of the element that is being read. */
  #parts: string[] = [];
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #places = 0;
  /** Keys of the element that is being read, without the keys of nested objects. */
  #members = 0;

  /** `of` names the kind of elements in messages. */
  constructor(of: string) {
    this.#of = of;
  }

  *push(text: string): Generator<JsonElement> {
    let from = 0;
    if (this.#state === "before") {
      from = text.search(/\S/);
      if (from < 0) return;
      if (text[from++] !== "[") throw new Error(`must be an array of ${this.#of}`);
      this.#state = "within";
    }
    for (let at = from; at < text.length && this.#state === "within"; at++) {
      const ends = this.#endsElement(text.charCodeAt(at));
      if (ends === undefined) continue;
      this.#parts.push(text.slice(from, at));
      from = at + 1;
      yield* this.#element(ends === "array");
      if (ends === "array") this.#state = "behind";
    }
    if (this.#state === "within") this.#parts.push(text.slice(from));
    else if (/\S/.test(text.slice(from))) throw new Error("something follows the array");
  }

  end(): void {
    if (this.#state === "before") throw new Error(`must be an array of ${this.#of}`);
    if (this.#state === "within") throw new Error("it ends within the array");
  }

  /** Whether the character ends an element, or the whole array. */
  #endsElement(code: number): "element" | "array" | undefined {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#isInText = false;
      return undefined;
    }
    if (code === QUOTE) this.#isInText = true;
    else if (code === COLON && this.#depth === 1) this.#members++;
    else if (code === BRACE || code === BRACKET) this.#depth++;
    else if (this.#depth === 0 && code === COMMA) return "element";
    else if (this.#depth === 0 && code === END_BRACKET) return "array";
    else if (code === END_BRACE || code === END_BRACKET) this.#depth--;
    return undefined;
  }

  *#element(isLast: boolean): Generator<JsonElement> {
    const text = this.#parts.join("");
    const members = this.#members;
    this.#parts = [];
    this.#members = 0;
    if (isLast && this.#places === 0 && text.trim() === "") return;
    const value: unknown = JSON.parse(text);
    yield { place: ++this.#places, value, text, members };
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, END_BRACE, BRACKET, END_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
