import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Environment } from "../config/config.ts";
import { type ConfigFile, faultsText, readConfigFile, withConfigFile } from "../config/config-file.ts";
import { settingsOf } from "../config/docs/env-table.ts";
import { byArea } from "../config/setting-areas.ts";
import { defaultCommand, type EffectiveSetting, effectiveSettings } from "./effective-settings.ts";

export interface ShowFlags {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Column of the sources, if the values before it are short enough. */
const SOURCE_COLUMN = 60;

/**
 * `weir config`: prints the values in effect of a command's settings, with the source of each and without secrets.
 *
 * @param given the command, if any. @param file the config file, if any. @throws {ConfigInvalidError} for a file with a fault.
 */
export async function showConfig(
  given: string | undefined,
  { all = false, json = false }: ShowFlags,
  env: Environment,
  file: string | undefined,
): Promise<void> {
  const read = file === undefined ? undefined : await readConfigFile(file);
  if (read !== undefined && read.faults.length > 0) throw new ConfigInvalidError(faultsText(read));
  const command = given ?? defaultCommand(read === undefined ? env : withConfigFile(env, read));
  const schema = settingsOf(command);
  if (schema === undefined) throw new ConfigInvalidError(`weir ${command} reads no settings`);
  const settings = effectiveSettings(schema, env, read);
  process.stdout.write(json ? jsonText(settings) : configText(command, settings, read, all));
}

export function configText(
  command: string,
  settings: readonly EffectiveSetting[],
  file: ConfigFile | undefined,
  all: boolean,
): string {
  const shown = settings.filter(({ source, isRequired }) => all || isRequired || source !== "none");
  const left = settings.length - shown.length;
  const areas = byArea(shown, ({ name }) => name).flatMap(([area, own]) => [
    `# ${area}`,
    ...own.map((setting) => settingLine(setting, file)),
    "",
  ]);
  const sources = file === undefined ? "the environment and defaults" : `the environment, ${file.file} and defaults`;
  return [
    `# Settings of weir ${command}, from ${sources}. Secrets are masked.`,
    "",
    ...areas,
    ...(left === 0 ? [] : [`# Settings without a value: ${left}. Add --all to list them.`]),
    `# To judge the settings, run: weir config check ${command}`,
    "",
  ].join("\n");
}

function settingLine(
  { name, value, source, line, isRequired }: EffectiveSetting,
  file: ConfigFile | undefined,
): string {
  const text = value === undefined ? `#${name}=` : `${name}=${value}`;
  const missing = isRequired ? "required, and not set" : "not set";
  const origin = source === "none" ? missing : source === "file" ? `${file?.file ?? "file"}:${line}` : source;
  return `${text.padEnd(SOURCE_COLUMN)}  # ${origin}`;
}

function jsonText(settings: readonly EffectiveSetting[]): string {
  const rows = settings.map(({ name, value = null, source, line }) => [
    name,
    { value, source, ...(line === undefined ? {} : { line }) },
  ]);
  return `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`;
}
