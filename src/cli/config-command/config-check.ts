import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { countText } from "../../kernel/text.ts";
import type { Environment } from "../config/config.ts";
import { type ConfigFile, readConfigFile, withConfigFile } from "../config/config-file.ts";
import { variableNames } from "../config/docs/env-table.ts";
import { unknownVariables } from "../config/unknown-variables.ts";
import { checkLine } from "../doctor/check-line.ts";
import { checkConfig } from "./check-config.ts";
import { defaultCommand } from "./effective-settings.ts";

export interface ConfigCheckFlags {
  readonly all?: boolean;
}

/** The position of a faulty setting that the config file sets. */
function withPosition(check: CheckedItem, env: Environment, file: ConfigFile | undefined): CheckedItem {
  const line = file?.settings.get(check.check)?.line;
  if (check.ok !== false || line === undefined || (env[check.check] ?? "") !== "") return check;
  return { ...check, detail: `${check.detail} (${file?.file}:${line})` };
}

/**
 * `weir config check`: prints a line for each fault, and for each file that a command reads.
 *
 * @param given the command, if any. @param file the config file, if any. @returns the exit status: 0 without a fault.
 */
export async function configCheck(
  given: string | undefined,
  { all = false }: ConfigCheckFlags,
  env: Environment,
  file: string | undefined,
): Promise<0 | 1> {
  const read = file === undefined ? undefined : await readConfigFile(file);
  const merged = read === undefined ? env : withConfigFile(env, read);
  const command = given ?? defaultCommand(merged);
  const checks = [
    ...(read?.faults ?? []).map((detail): CheckedItem => ({ check: "config file", ok: false, detail, remedy: "" })),
    ...unknownVariables(Object.keys(env), variableNames()).map(
      (detail): CheckedItem => ({ check: "environment", ok: "warn", detail, remedy: "" }),
    ),
    ...(await checkConfig(command, merged)).map((check) => withPosition(check, env, read)),
  ];
  const known = new Set(variableNames());
  const shown = checks.filter(({ check, ok }) => all || ok !== true || !known.has(check));
  const faults = checks.filter(({ ok }) => ok === false).length;
  const from = file === undefined ? "the environment" : `the environment and ${file}`;
  process.stdout.write(`Settings of weir ${command}, from ${from}. No network is used.\n`);
  for (const check of shown) process.stdout.write(`${checkLine(check)}\n`);
  process.stdout.write(faults === 0 ? "The settings are valid.\n" : `${countText(faults, "fault")}: correct each.\n`);
  return faults === 0 ? 0 : 1;
}
