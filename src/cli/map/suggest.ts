import { readColumns } from "../../adapters/files/input/csv/csv-columns.ts";
import { readLines } from "../../adapters/files/input/lines.ts";
import { presetNames, readPreset } from "../../adapters/files/mapping/mapping-file.ts";
import { InputUnreadableError } from "../../kernel/errors.ts";
import { parseExact } from "../../kernel/json.ts";
import { MAX_EVENT_BYTES } from "../../messages/event.ts";
import { partFor } from "../../messages/mapping/choose-part.ts";
import { pointersIn, stepsOf, valuesAt } from "../../messages/mapping/json-source.ts";
import { mapColumns } from "../../messages/mapping/map-columns.ts";
import type { Mapping } from "../../messages/mapping/mapping-schema.ts";
import { suggestMapping } from "../../messages/mapping/suggest-mapping.ts";
import { bundled } from "../program/package-root.ts";

/** `weir map suggest FILE`: a mapping to start from, by the first line. @throws {InputUnreadableError} */
export async function suggest(file: string): Promise<0> {
  const text = await firstLine(file);
  const record = text.startsWith("{") ? objectIn(text) : undefined;
  const names = record === undefined ? readColumns(text).names : pointersIn(record);
  const fits = (mapping: Mapping) => (record === undefined ? fitsColumns(mapping, names) : fitsRecord(mapping, record));
  const presets: string[] = [];
  for (const name of await presetNames(bundled.mappings))
    if (fits((await readPreset(bundled.mappings, name)).mapping)) presets.push(name);
  process.stdout.write(suggestMapping(names, presets));
  return 0;
}

function fitsColumns(mapping: Mapping, names: readonly string[]): boolean {
  return mapColumns(mapping, names, { chain: "1", ignored: [] }).ok;
}

/** A mapping for JSON fits a record that has the sources of a variant, or a receiver. Its sources are pointers. */
function fitsRecord(mapping: Mapping, record: object): boolean {
  const has = (source: string) => source.startsWith("/") && valuesAt(record, stepsOf(source)).length > 0;
  const part = partFor(mapping, has);
  if (part === undefined) return false;
  const { envelope, transfer } = part;
  if (envelope !== undefined)
    return envelope.some(has) && (envelope.length > 1 || Object.keys(record).includes("schema"));
  const to = transfer?.to;
  const sources = typeof to === "string" ? [to] : to !== undefined && "from" in to ? [to.from].flat() : [];
  return sources.some(has);
}

async function firstLine(file: string): Promise<string> {
  for await (const { bytes } of readLines(file, MAX_EVENT_BYTES)) {
    const text = bytes
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trim();
    if (text !== "" && !text.startsWith("#") && !/^sep=.$/i.test(text)) return text;
  }
  throw new InputUnreadableError(`${file} has no line`);
}

function objectIn(text: string): object {
  try {
    const value = parseExact(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // A line that is no JSON is reported below.
  }
  throw new InputUnreadableError("the first line is no JSON object: write one record a line");
}
