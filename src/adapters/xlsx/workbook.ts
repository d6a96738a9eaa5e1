import { Zip } from "fflate";
import { PackedFile } from "./packed-file.ts";
import { type Cell, rowXml, SHEET_START, sheetEnd, workbookFiles } from "./sheet-xml.ts";

/** Most rows of a sheet, by Excel's limit of 1,048,576. */
const MOST_ROWS = 1_000_000;
/** Characters of a sheet that are packed together. */
const PACKED = 256 * 1024;

/** Takes the bytes of the file in their order. @returns a promise when the caller has to wait for the disk. */
type Write = (bytes: Uint8Array) => Promise<void> | undefined;

/** A workbook that is written row by row, one sheet after the other, in bounded memory. */
export class Workbook {
  readonly #write: Write;
  readonly #zip: Zip;
  readonly #names: string[] = [];
  readonly #most: number;
  #packed: Uint8Array[] = [];
  #sheet: PackedFile | undefined;
  #header: readonly string[] = [];
  #text = "";
  #rows = 0;

  constructor(write: Write, mostRows = MOST_ROWS) {
    this.#write = write;
    this.#most = mostRows;
    this.#zip = new Zip((failure, bytes) => {
      if (failure !== null) throw failure;
      this.#packed.push(bytes);
    });
  }

  /** Begins a sheet, and ends the one before. @param name unique, at most 31 characters. */
  async begin(name: string, header: readonly string[]): Promise<void> {
    await this.#end();
    this.#names.push(name);
    this.#header = header;
    this.#sheet = this.#file(`xl/worksheets/sheet${this.#names.length}.xml`);
    this.#text = SHEET_START + rowXml(1, header);
    this.#rows = 1;
  }

  /** Adds a row. A full sheet goes on in another one. @returns a promise when the caller has to wait for the disk. */
  add(cells: readonly Cell[]): Promise<void> | undefined {
    if (this.#rows > this.#most) return this.#addToNext(cells);
    this.#rows++;
    this.#text += rowXml(this.#rows, cells);
    return this.#text.length < PACKED ? undefined : this.#pack(false);
  }

  async close(): Promise<void> {
    await this.#end();
    for (const [name, text] of Object.entries(workbookFiles(this.#names))) {
      this.#file(name).push(text, true);
    }
    this.#zip.end();
    await this.#drain();
  }

  #file(name: string): PackedFile {
    const file = new PackedFile(name);
    this.#zip.add(file);
    return file;
  }

  async #addToNext(cells: readonly Cell[]): Promise<void> {
    await this.begin(
      `${this.#names.at(-1) ?? ""} 2`.replace(/ (\d+) 2$/, (_, n) => ` ${Number(n) + 1}`),
      this.#header,
    );
    await this.add(cells);
  }

  async #end(): Promise<void> {
    if (this.#sheet === undefined) return;
    this.#text += sheetEnd(this.#header.length, this.#rows);
    await this.#pack(true);
    this.#sheet = undefined;
  }

  async #pack(isLast: boolean): Promise<void> {
    this.#sheet?.push(this.#text, isLast);
    this.#text = "";
    await this.#drain();
  }

  async #drain(): Promise<void> {
    const packed = this.#packed;
    this.#packed = [];
    for (const bytes of packed) await this.#write(bytes);
  }
}
