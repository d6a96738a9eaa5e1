import { SaxesParser } from "saxes";

/** Told of the elements of a document in their order, by their names without a prefix. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  /** `text` is what stands between the last tag and the end tag. */
  close(name: string, text: string, line: number): void;
}

/** Guessed: the lists of OFAC nest some twelve deep. */
const MAX_DEPTH = 64;
/** Characters between two tags, and within one. Chosen: the longest remarks have some thousand. */
const MAX_STRETCH = 4 * 1024 * 1024;
/** Characters of an element's text that are kept. */
const MAX_TEXT = 10_000;

/**
 * Reads XML in pieces that are cut anywhere. Entities of its own a document cannot have: one with a DOCTYPE is refused.
 * Throws {Error} for what is not well-formed, too deep, or ends too early.
 */
export class XmlReader {
  readonly #parser = new SaxesParser();
  #depth = 0;
  #text = "";
  /** Where the last tag or text ended. */
  #told = 0;

  constructor(listener: XmlListener) {
    const parser = this.#parser;
    parser.on("doctype", () => {
      throw new Error("it has a DOCTYPE, as lists of sanctions have not");
    });
    parser.on("opentag", ({ name, attributes }) => {
      if (++this.#depth > MAX_DEPTH) throw new Error(`line ${parser.line}: elements nest deeper than ${MAX_DEPTH}`);
      this.#begin();
      listener.open(localName(name), attributes, parser.line);
    });
    parser.on("text", (text) => this.#keep(text));
    parser.on("cdata", (text) => this.#keep(text));
    parser.on("closetag", ({ name }) => {
      this.#depth--;
      const text = this.#text;
      this.#begin();
      listener.close(localName(name), text.trim(), parser.line);
    });
  }

  push(text: string): void {
    this.#parser.write(text);
    if (this.#parser.position - this.#told > MAX_STRETCH) {
      throw new Error(`line ${this.#parser.line}: more than ${MAX_STRETCH} characters without a tag`);
    }
  }

  /** Says that the text has ended. */
  end(): void {
    try {
      this.#parser.close();
    } catch (thrown) {
      throw new Error("it is cut off: its last elements do not end; get it again in full", { cause: thrown });
    }
  }

  #begin(): void {
    this.#text = "";
    this.#told = this.#parser.position;
  }

  #keep(text: string): void {
    this.#told = this.#parser.position;
    if (this.#text.length < MAX_TEXT) this.#text += text.slice(0, MAX_TEXT - this.#text.length);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
