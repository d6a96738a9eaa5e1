import { readFile } from "node:fs/promises";
import { parseYamlSettings, type YamlEntry } from "../../adapters/files/yaml-settings.ts";
import { shortName } from "../../api/requests/short-name.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import type { Environment } from "./config.ts";
import { variableNames } from "./docs/env-table.ts";
import { isList, isSecret, namesOf } from "./env/setting-traits.ts";
import { hintFor, nearestVariable } from "./unknown-variables.ts";

/** A setting of a config file, in the form of its variable. */
export interface FileSetting {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface ConfigFile {
  readonly file: string;
  /** By the name of the variable. */
  readonly settings: ReadonlyMap<string, FileSetting>;
  /** Each with its position: `weir.yaml:3:1: ...`. */
  readonly faults: readonly string[];
}

/** Reads a config file. A key that Weir does not know is a fault: other programs have no settings in this file. */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  try {
    return parseConfigFile(file, await readFile(file, "utf8"), variableNames());
  } catch (thrown) {
    const fault = `cannot read ${file}: ${toError(thrown).message}: correct --config or WEIR_CONFIG`;
    return { file, settings: new Map(), faults: [fault] };
  }
}

export function parseConfigFile(file: string, text: string, known: readonly string[]): ConfigFile {
  const { entries, faults } = parseYamlSettings(text);
  const names = new Set(known.filter((name) => name !== "WEIR_CONFIG"));
  const settings = new Map<string, FileSetting>();
  const wrong = faults.map(({ line, column, detail }) => `${file}:${line}:${column}: ${detail}`);
  for (const entry of entries) {
    const read = readEntry(entry, names);
    if (typeof read === "string") wrong.push(`${file}:${entry.line}:${entry.column}: ${read}`);
    else if (read !== undefined) settings.set(read.name, { text: read.text, line: entry.line });
  }
  const twice = [...settings.keys()].find((name) => isSecret(name) && settings.has(`${name}_FILE`));
  if (twice !== undefined) wrong.push(`${file}: ${twice} and ${twice}_FILE are both set: remove one of them`);
  return { file, settings, faults: wrong };
}

/** @returns the name and the text of a variable; undefined for an entry without a value; a text for a fault. */
function readEntry(
  { key, value }: YamlEntry,
  known: ReadonlySet<string>,
): { readonly name: string; readonly text: string } | string | undefined {
  const name = key;
  if (!known.has(name))
    return `${shortName(name)} is no setting of Weir: ${hintFor(nearestVariable(name, [...known]))}`;
  if (value.kind === "none") return undefined;
  if (value.kind === "text") return { name, text: value.text };
  if (value.kind === "list" && isList(name)) {
    const split = value.items.find((item) => item.includes(","));
    return split === undefined
      ? { name, text: value.items.join(",") }
      : `${name} has an item with a comma: write each value as an item of its own`;
  }
  if (value.kind === "map" && isSecret(name)) {
    const path = value.fields.get("file");
    if (path !== undefined && value.fields.size === 1) return { name: `${name}_FILE`, text: path };
  }
  const also = isSecret(name) ? " or { file: PATH }" : isList(name) ? " or a list of texts" : "";
  return `${name} must be a text, a number, true or false${also}`;
}

/**
 * The environment over a config file. A variable of the environment replaces the setting of the file, and a secret of
 * the environment also replaces the other form of the secret: a key replaces the file with a key.
 */
export function withConfigFile(env: Environment, { settings }: ConfigFile): Environment {
  const isGiven = (name: string) => (env[name] ?? "") !== "";
  const added = [...settings].filter(([name]) => !namesOf(name).some(isGiven));
  return { ...env, ...Object.fromEntries(added.map(([name, { text }]) => [name, text])), WEIR_CONFIG: undefined };
}

/** A message with each fault of a config file on a line of its own. */
export function faultsText({ faults }: ConfigFile): string {
  return faults.length === 1 ? `bad config file: ${faults[0]}` : ["bad config file:", ...faults].join("\n  ");
}

/** The environment over the config file that is named. @throws {ConfigInvalidError} with every fault of the file. */
export async function readSettings(env: Environment, file: string): Promise<Environment> {
  const read = await readConfigFile(file);
  if (read.faults.length > 0) throw new ConfigInvalidError(faultsText(read));
  return withConfigFile(env, read);
}
