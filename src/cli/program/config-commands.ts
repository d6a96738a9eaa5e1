import { Argument, type Command } from "commander";
import type { ConfigCheckFlags } from "../config-command/config-check.ts";
import type { ShowFlags } from "../config-command/show-config.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { configFileOf } from "./config-option.ts";

/** Commands with settings, by their first word. A test compares them with the settings of commands. */
export const settingCommands = [
  ...[
    "serve",
    "labels",
    "screen",
    "demo",
    "plan",
    "worker",
    "archive",
    "audit",
    "backtest",
    "explain",
    "export",
    "find",
    "index",
    "rescreen",
    "doctor",
    "health",
  ],
  ...["enqueue", "replay", "inspect", "adapter"],
] as const;

const showHelp: CommandHelp = {
  examples: [
    ["Print the settings of the worker", "weir config"],
    ["Print the settings of another command, from a file", "weir config screen --config weir.yaml"],
    ["Print every setting as JSON", "weir config worker --json"],
  ],
  statuses: { 0: "The settings are printed.", 1: "The config file has a fault.", 2: "The command line is wrong." },
};

const checkHelp: CommandHelp = {
  examples: [
    ["Judge the settings of the worker", "weir config check worker"],
    ["Judge a file", "weir config check worker --config weir.yaml"],
    ["Judge the settings of a container", "docker run --rm --env-file weir.env IMAGE config check worker"],
  ],
  statuses: { 0: "No setting is at fault.", 1: "A setting or a file is at fault.", 2: "The command line is wrong." },
  documents: ["docs/configuration.md"],
};

const schemaHelp: CommandHelp = {
  examples: [["Save the schema for an editor", "weir config schema > config.schema.json"]],
  statuses: { 0: "The schema is printed." },
};

/** A usage error has a status of its own: 1 means that a setting is at fault. */
const USAGE = 2;

/** Commands about the configuration itself. */
export function addConfigCommands(program: Command, { env }: RunContext): void {
  const fallback = "worker where KAFKA_BROKERS is set, else screen";
  const command = () =>
    new Argument("[command]", `Command with the settings. (default: ${fallback})`).choices(settingCommands);
  const refused = (error: { readonly exitCode: number }) => process.exit(error.exitCode === 0 ? 0 : USAGE);

  const config = withHelp(program.command("config"), showHelp)
    .summary("print or judge the settings")
    .description("Prints the settings in effect for a command, with the source of each and with secrets masked.")
    .addArgument(command())
    .option("--all", "Print settings without a value too.")
    .option("--json", "Print every setting as one JSON object.")
    .exitOverride(refused)
    .action(async (given: string | undefined, flags: ShowFlags) => {
      const { showConfig } = await import("../config-command/show-config.ts");
      await showConfig(given, flags, env, configFileOf(program, env));
    });

  withHelp(config.command("check"), checkHelp)
    .summary("judge the settings without starting anything")
    .description("Judges every setting and file of a command, without a network, and prints all faults at once.")
    .addArgument(command())
    .option("--all", "Print valid variables too.")
    .exitOverride(refused)
    .action(async (given: string | undefined, _: unknown, called: Command) => {
      const { configCheck } = await import("../config-command/config-check.ts");
      // Both commands have a flag --all, and the outer one takes it where both stand on the line.
      const { all = false } = called.optsWithGlobals<ConfigCheckFlags>();
      process.exitCode = await configCheck(given, { all }, env, configFileOf(program, env));
    });

  withHelp(config.command("schema"), schemaHelp)
    .summary("print the JSON Schema of the config file")
    .description("Prints the JSON Schema of the config file.")
    .action(async () => {
      const { configSchema } = await import("../config/docs/config-schema.ts");
      process.stdout.write(`${JSON.stringify(configSchema(), undefined, 2)}\n`);
    });
}
