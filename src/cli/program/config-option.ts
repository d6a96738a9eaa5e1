import type { Command } from "commander";
import type { Environment } from "../config/config.ts";

/** The config file that the flag names, or else the environment. */
export function configFileOf(program: Command, env: Environment): string | undefined {
  const { config = env["WEIR_CONFIG"] } = program.opts<{ config?: string }>();
  return config === "" ? undefined : config;
}
