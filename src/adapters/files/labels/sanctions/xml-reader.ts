import { SaxesParser } from "saxes";

/** Receives the elements of a document in their order, by their names without a prefix. */
export interface XmlElements {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  /** `text` is the text between the last tag and the end tag. */
  close(name: string, text: string, line: number): void;
}

/** Receives the elements of a document, and texts that are too long. */
export interface XmlListener extends XmlElements {
  /** Called before `close` for a text of which only the first `MAX_TEXT` characters are passed on. */
  cut(line: number): void;
}

/** Guessed: the lists of OFAC nest some twelve levels deep. */
const MAX_DEPTH = 64;
/** Longest text between two tags, and longest tag, characters. Chosen: the longest remarks have some thousand. */
const MAX_STRETCH = 4 * 1024 * 1024;
/** Characters of an element's text that are kept. */
export const MAX_TEXT = 10_000;

/**
 * Reads XML in pieces with arbitrary boundaries. A document with a DOCTYPE is refused, so a document cannot define
 * entities. Throws {Error} for XML that is not well-formed, too deep, or truncated.
 */
export class XmlReader {
  readonly #parser = new SaxesParser();
  #depth = 0;
  #text = "";
  #isCut = false;
  /** Position at which the last tag or text ended. */
  #told = 0;

  constructor(listener: XmlListener) {
    const parser = this.#parser;
    parser.on("doctype", () => {
      throw new Error("it has a DOCTYPE, as lists of sanctions have not");
    });
    parser.on("opentag", ({ name, attributes }) => {
      if (++this.#depth > MAX_DEPTH) throw new Error(`line ${parser.line}: elements nest deeper than ${MAX_DEPTH}`);
      if (this.#isCut) listener.cut(parser.line);
      this.#begin();
      listener.open(localName(name), attributes, parser.line);
    });
    parser.on("text", (text) => this.#keep(text));
    parser.on("cdata", (text) => this.#keep(text));
    parser.on("closetag", ({ name }) => {
      this.#depth--;
      const text = this.#text;
      if (this.#isCut) listener.cut(parser.line);
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

  /** Reports the end of the text. */
  end(): void {
    try {
      this.#parser.close();
    } catch (thrown) {
      throw new Error("it is cut off: its last elements do not end; get it again in full", { cause: thrown });
    }
  }

  #begin(): void {
    this.#text = "";
    this.#isCut = false;
    this.#told = this.#parser.position;
  }

  #keep(text: string): void {
    this.#told = this.#parser.position;
    const room = MAX_TEXT - this.#text.length;
    this.#text += text.slice(0, room);
    this.#isCut ||= text.length > room && text.slice(room).trim() !== "";
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
