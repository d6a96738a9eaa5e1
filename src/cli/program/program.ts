import { Command } from "commander";
import type { RunContext } from "../terminal/run-context.ts";
import { addAdapterCommands } from "./adapter-commands.ts";
import { addArchiveCommands } from "./archive-commands.ts";
import { HELP_WIDTH } from "./command-help.ts";
import { addConfigCommands } from "./config-commands.ts";
import { addFileCommands } from "./file-commands.ts";
import { addHelpCommands } from "./help-commands.ts";
import { addKafkaCommands } from "./kafka-commands.ts";
import { addLookupCommands } from "./lookup-commands.ts";
import { addMapCommands } from "./map-commands.ts";
import { addOperateCommands } from "./operate-commands.ts";
import { version } from "./package-root.ts";
import { addResultCommands } from "./result-commands.ts";

/**
 * The table of all commands: help, completion and the command line come from it. Each command loads its own code when it
 * is called: a run that screens needs no server in its memory.
 *
 * @param stop ends the command as the first stop signal does.
 */
export function weirProgram(context: RunContext & { stop(): void }, columns: number | undefined): Command {
  const width = Math.min(columns ?? HELP_WIDTH, HELP_WIDTH);
  const program = new Command("weir")
    .description("Screens blockchain addresses and transactions: events in, verdicts out.")
    .version(version, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Print the help of a command.")
    .option("--config <file>", "YAML file of settings (WEIR_CONFIG). Environment variables override the file.")
    .showHelpAfterError("(add --help for the flags of this command)")
    .configureOutput({ getOutHelpWidth: () => width, getErrHelpWidth: () => width })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false);

  program.commandsGroup("Screening:");
  addFileCommands(program, context);
  addResultCommands(program, context);
  addKafkaCommands(program, context);
  addMapCommands(program);
  program.commandsGroup("Archive:");
  addArchiveCommands(program, context);
  program.commandsGroup("Operation:");
  addOperateCommands(program, context);
  addConfigCommands(program, context);
  program.commandsGroup("Addresses, contracts and adapters:");
  addLookupCommands(program, context);
  addAdapterCommands(program, context);
  program.commandsGroup("Help:");
  addHelpCommands(program);
  return program;
}
