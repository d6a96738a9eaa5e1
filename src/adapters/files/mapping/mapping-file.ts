import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse, YAMLParseError } from "yaml";
import { ConfigInvalidError, toError } from "../../../kernel/errors.ts";
import { sha256 } from "../../../kernel/hash.ts";
import { canonicalJson } from "../../../kernel/json.ts";
import { Mapping, mappingFaults } from "../../../messages/mapping/mapping-schema.ts";

/** A mapping, and where it comes from. */
export interface LoadedMapping {
  /** The name of the preset, or the path of the file. */
  readonly name: string;
  readonly mapping: Mapping;
  /** SHA-256 of the mapping's canonical JSON. */
  readonly sha256: string;
}

const EXTENSION = ".yaml";

/** Reads a mapping in YAML or JSON. @throws {ConfigInvalidError} with every fault. */
export async function readMapping(file: string): Promise<LoadedMapping> {
  return loadedFrom(file, file, await textOf(file));
}

/** Reads a preset. @param folder of the presets. @throws {ConfigInvalidError} that names the presets. */
export async function readPreset(folder: string, name: string): Promise<LoadedMapping> {
  const names = await presetNames(folder);
  if (!names.includes(name)) {
    throw new ConfigInvalidError(`there is no preset ${name.slice(0, 40)}: the presets are ${names.join(", ")}`);
  }
  const file = path.join(folder, `${name}${EXTENSION}`);
  return loadedFrom(name, file, await textOf(file));
}

/** The names of the presets in a folder. */
export async function presetNames(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/** The text of a preset as it ships, with its comments. @throws {ConfigInvalidError} */
export async function presetText(folder: string, name: string): Promise<string> {
  await readPreset(folder, name);
  return textOf(path.join(folder, `${name}${EXTENSION}`));
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    throw new ConfigInvalidError(`the mapping ${file} cannot be read: ${toError(thrown).message}`);
  }
}

function loadedFrom(name: string, file: string, text: string): LoadedMapping {
  const value = parsed(file, text);
  const faults = mappingFaults(value);
  if (faults.length > 0) throw new ConfigInvalidError(`the mapping ${file} is not valid: ${faults.join("; ")}`);
  return { name, mapping: Mapping.parse(value), sha256: sha256(canonicalJson(value)) };
}

/** YAML is a superset of JSON. A mapping needs no aliases, which can expand a few lines to any size. */
function parsed(file: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, prettyErrors: true });
  } catch (thrown) {
    const why = thrown instanceof YAMLParseError ? thrown.message.split("\n")[0] : toError(thrown).message;
    throw new ConfigInvalidError(`the mapping ${file} is not valid YAML: ${why}`);
  }
}
