import type { InputRecord } from "./ports.ts";

/**
 * A copy of a record of a file that holds all of it, and nothing else: what it makes when it is asked would not be copied
 * otherwise, and its bytes may be a view of all that was read with it, which must not be kept for hours.
 */
export function wholeRecord(record: InputRecord): InputRecord {
  const { source, defaultId, bytes } = record;
  // Not by its own `slice`, which of a Buffer is another view, nor out of a pool that others hold, too.
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  own.set(bytes);
  return { ...record, source, defaultId, bytes: own };
}
