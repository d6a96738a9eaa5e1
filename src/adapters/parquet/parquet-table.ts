import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { ColumnType } from "../../archive/export/flat-verdict.ts";

/** A value of a row. Undefined where the row has none. A timestamp is in Unix milliseconds. */
export type ParquetValue = string | number | bigint | boolean | undefined;

export interface ParquetColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Chosen: a reader that wants few rows unpacks some MiB, and the writer holds as much. */
const ROWS_A_GROUP = 5_000;
const WRITER = "weir";

/** Writes a Parquet file in memory, row by row, compressed with Snappy. Equal rows give equal bytes. */
export class ParquetTable {
  readonly #columns: readonly ParquetColumn[];
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #values: (ParquetValue | Date)[][];
  #rows = 0;

  /** @param facts Names and values that the file states about itself. */
  constructor(columns: readonly ParquetColumn[], facts: Readonly<Record<string, string>>) {
    this.#columns = columns;
    this.#values = columns.map(() => []);
    const columnData = columns.map(({ name, type }) => ({ name, type, data: [], nullable: true }));
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaFromColumnData({ columnData }),
      kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
      createdBy: WRITER,
    });
  }

  add(row: readonly ParquetValue[]): void {
    for (const [i, { type }] of this.#columns.entries()) {
      const value = row[i];
      this.#values[i]?.push(type === "TIMESTAMP" && typeof value === "number" ? new Date(value) : value);
    }
    if (++this.#rows === ROWS_A_GROUP) this.#writeGroup();
  }

  /** The whole file. No row may be added afterwards. */
  finish(): Uint8Array {
    if (this.#rows > 0) this.#writeGroup();
    // With a writer in memory, the library returns no promise.
    void this.#file.finish();
    return this.#bytes.getBytes();
  }

  #writeGroup(): void {
    void this.#file.write({
      columnData: this.#columns.map(({ name, type }, i) => ({
        name,
        type,
        data: this.#values[i] ?? [],
        nullable: true,
      })),
      rowGroupSize: ROWS_A_GROUP,
    });
    this.#values = this.#columns.map(() => []);
    this.#rows = 0;
  }
}
