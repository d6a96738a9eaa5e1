import type { InputRecord } from "./ports.ts";

/** A copy of a record of a file that holds all of it: what it makes when it is asked would not be copied otherwise. */
export function wholeRecord(record: InputRecord): InputRecord {
  const { source, defaultId, bytes } = record;
  return { ...record, source, defaultId, bytes };
}
