import path from "node:path";
import { HashedFile } from "../../adapters/files/output/hashed-file.ts";
import { Workbook } from "../../adapters/xlsx/workbook.ts";
import { csvLine } from "./csv-text.ts";
import type { SignedFile } from "./report-facts.ts";
import type { ReportRow } from "./report-row.ts";
import { headerCells, rowCells } from "./row-cells.ts";
import { addTotalSheets } from "./total-sheets.ts";
import type { Totals } from "./totals/totals.ts";

const CSV = "report.csv";
const XLSX = "report.xlsx";

/** The tables of a report beside its page: all rows that need a person, in CSV and XLSX. */
export class ReportFiles {
  readonly #csv: HashedFile;
  readonly #xlsx: HashedFile;
  readonly #workbook: Workbook;
  readonly #refNames: readonly string[];

  private constructor(csv: HashedFile, xlsx: HashedFile, refNames: readonly string[]) {
    this.#csv = csv;
    this.#xlsx = xlsx;
    this.#refNames = refNames;
    this.#workbook = new Workbook((bytes) => xlsx.write(bytes));
  }

  static async create(out: string, refNames: readonly string[]): Promise<ReportFiles> {
    const csv = await HashedFile.create(path.join(out, CSV));
    const files = new ReportFiles(csv, await HashedFile.create(path.join(out, XLSX)), refNames);
    const header = headerCells(refNames);
    await csv.write(csvLine(header));
    await files.#workbook.begin("Needs a person", header);
    return files;
  }

  async add(row: ReportRow): Promise<void> {
    const cells = rowCells(row, this.#refNames);
    await this.#csv.write(csvLine(cells));
    await this.#workbook.add(cells);
  }

  async close(totals: Totals): Promise<readonly SignedFile[]> {
    await addTotalSheets(this.#workbook, totals);
    await this.#workbook.close();
    return [
      { name: CSV, ...(await this.#csv.close()) },
      { name: XLSX, ...(await this.#xlsx.close()) },
    ];
  }

  /** Removes unfinished files. */
  async abandon(): Promise<void> {
    await this.#csv.abandon();
    await this.#xlsx.abandon();
  }
}
