import type { z } from "zod";
import type { Environment } from "../config/config.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { fallbacksIn, requiredIn } from "../config/docs/env-table.ts";
import { namesOf } from "../config/env/setting-traits.ts";
import { maskedValue } from "./masked-value.ts";

/** The origins of a value, the strongest first. */
export const settingSources = ["environment", "file", "default", "none"] as const;
export type SettingSource = (typeof settingSources)[number];

export interface EffectiveSetting {
  readonly name: string;
  /** Without secrets; undefined where nothing sets a value. */
  readonly value: string | undefined;
  readonly source: SettingSource;
  /** The line in the file that sets the value. */
  readonly line?: number;
  readonly isRequired: boolean;
}

/** The settings of a command in the order of its schema. An empty variable counts as unset. */
export function effectiveSettings(
  schema: z.ZodObject,
  env: Environment,
  file: ConfigFile | undefined,
): readonly EffectiveSetting[] {
  const fallbacks = fallbacksIn(schema);
  const required = new Set(requiredIn(schema));
  const isGiven = (name: string) => (env[name] ?? "") !== "";
  return Object.keys(schema.shape).map((name): EffectiveSetting => {
    const of = { name, isRequired: required.has(name) };
    const given = env[name];
    if (given !== undefined && given !== "") return { ...of, value: maskedValue(name, given), source: "environment" };
    const written = namesOf(name).some(isGiven) ? undefined : file?.settings.get(name);
    if (written !== undefined)
      return { ...of, value: maskedValue(name, written.text), source: "file", line: written.line };
    const fallback = fallbacks.get(name);
    return fallback === undefined
      ? { ...of, value: undefined, source: "none" }
      : { ...of, value: fallback, source: "default" };
  });
}

/** The command whose settings are meant: the worker where KAFKA_BROKERS is set, else screen. */
export function defaultCommand(env: Environment): string {
  return (env["KAFKA_BROKERS"] ?? "") === "" ? "screen" : "worker";
}
