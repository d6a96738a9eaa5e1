import type { Command } from "commander";
import { addHelpTexts } from "../../src/cli/program/help-text.ts";
import { weirProgram } from "../../src/cli/program/program.ts";

/** The command line of Weir, which no test runs: without an environment, on a terminal of that width. */
export function testProgram(columns = 100): Command {
  return weirProgram({ env: {}, signal: new AbortController().signal, stop: () => {} }, columns);
}

/** Every command under a program, without the program itself. */
export function commandsIn(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => [command, ...commandsIn(command)]);
}

/** The help of a command, as `--help` prints it. */
export function printedHelp(command: Command): string {
  let text = "";
  const writeOut = (part: string) => {
    text += part;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut });
  command.outputHelp();
  return text;
}

/** The command line with the whole help of each command. */
export function programWithHelp(): Command {
  const program = testProgram();
  addHelpTexts(program);
  return program;
}
