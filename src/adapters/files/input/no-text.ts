/** Bytes that show the type of a file. Every record is longer, so no record is delayed by the wait for these bytes. */
export const SNIFFED_BYTES = 8;

/** The magic bytes of gzip. Source: RFC 1952, section 2.3.1. */
export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

const EXCEL = "export the sheet as CSV (UTF-8)";
const UTF16 = "it is UTF-16: convert it to UTF-8, for example with iconv -f UTF-16 -t UTF-8 IN > OUT";
const UTF32 = "it is UTF-32: convert it to UTF-8, for example with iconv -f UTF-32 -t UTF-8 IN > OUT";

/**
 * The first bytes of files that hold no text, in hex, each with its remedy. Source: the formats' own specifications.
 */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^(fffe0000|0000feff)/, UTF32],
  [/^(fffe|feff)/, UTF16],
  // UTF-16 without a byte order mark has a zero byte beside every ASCII character.
  [/^((?!00)..00){4}|^(00(?!00)..){4}/, UTF16],
  [/^504b(0304|0506|0708)/, `it is an Excel workbook (.xlsx) or a ZIP archive: ${EXCEL}, or unpack it`],
  [/^d0cf11e0a1b11ae1/, `it is an old Excel workbook (.xls): ${EXCEL}`],
  [/^255044462d/, "it is a PDF: get the data as CSV or NDJSON"],
  // One layer of gzip was already unpacked, so this is a second layer.
  [/^1f8b/, "it is packed with gzip: unpack it, for example with gunzip -c IN > OUT"],
  [/^28b52ffd/, "it is packed with zstd: unpack it, for example with zstd -dc IN > OUT"],
  [/^fd377a585a00/, "it is packed with xz: unpack it, for example with xz -dc IN > OUT"],
  [/^425a683[1-9]314159/, "it is packed with bzip2: unpack it, for example with bzip2 -dc IN > OUT"],
  [/^04224d18/, "it is packed with lz4: unpack it, for example with lz4 -dc IN > OUT"],
  [/^377abcaf271c/, "it is a 7z archive: unpack it"],
  [/^5041523115/, "it is a Parquet file: write one event a line as JSON"],
  [/^4f626a01/, "it is an Avro file: write one event a line as JSON"],
  [/^53514c6974652066/, "it is an SQLite database: write one event a line as JSON"],
];
const BINARY = "it is no text, but binary data: give NDJSON, CSV with a header, or one address a line, in UTF-8";

const TAR_MARK = "ustar";
/** Source: POSIX pax, ustar header block. */
const TAR_MARK_AT = 257;

/**
 * The type of a file without UTF-8 text, by its first chunk, with the remedy. Undefined for text. A file with a bad
 * byte further on is text: only the line with the bad byte is refused.
 */
export function noText(chunk: Buffer): string | undefined {
  const head = chunk.subarray(0, SNIFFED_BYTES);
  const hex = head.toString("hex");
  const found = beginnings.find(([pattern]) => pattern.test(hex));
  if (found !== undefined) return found[1];
  if (chunk.toString("latin1", TAR_MARK_AT, TAR_MARK_AT + TAR_MARK.length) === TAR_MARK)
    return "it is a tar archive: unpack it, for example with tar -xf IN, and name the file in it";
  return head.includes(0) ? BINARY : undefined;
}
